// Positions and files: copying, setting up, saving and loading, and the choice among several games.

import { byId, counted, element, post } from "./api.js";
import { complain, say } from "./said.js";

const LARGEST = 250_000, LARGEST_SOURCE = 200_000;

// Show the position's FEN, and the address that opens it on this server.
export function showPosition(state) {
  byId("fen").value = state.fen;
  byId("address").value = `${location.origin}/?game=${encodeURIComponent(state.game)}&fen=${encodeURIComponent(state.fen)}`;
}

// The position that the page's address requests, only once; null if none.
export function askedPosition() {
  const words = new URLSearchParams(location.search);
  if (!words.has("game") && !words.has("fen")) return null;
  history.replaceState(null, "", location.pathname);
  return { game: words.get("game") || "", fen: words.get("fen") || "" };
}

export async function save(names) {
  const { name, text } = await post("/api/save", { names });
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`Saved as ${name}.`);
}

// What a game was loaded from, sent again if the server forgets it; null for a file that leaves no room for its moves.
export const sourceOf = (text, number = 0) => (new Blob([text]).size > LARGEST_SOURCE ? null : { text, number });

// Offer a choice among several games; take is called with the number chosen.
export function listGames(games, left, take) {
  const root = byId("games");
  root.replaceChildren(...games.map((title, number) => {
    const button = element("button", { type: "button" }, `${number + 1}. ${title}`);
    button.addEventListener("click", () => { byId("games-list").close(); take(number); });
    return element("li", {}, button);
  }));
  byId("games-words").textContent = `Found ${counted(games.length, "game")}${left ? `; more could not be read: ${left}` : ""}. Which one?`;
  byId("games-list").showModal();
}

async function copy(id, words) {
  const field = byId(id);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say(words);
    byId(`copy-${id}`).textContent = "Copied";
    setTimeout(() => { byId(`copy-${id}`).textContent = "Copy"; }, 2000);
  } catch {
    complain("The browser does not allow copying. The text is selected: copy it with the keyboard.", "files-error");
  }
}

// Old programs write files in Windows-1252, and Windows in UTF-16; File.text() decodes only UTF-8.
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = (bytes[0] << 8) | bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) return new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// load: called with text
export function wireFiles(load) {
  byId("load").addEventListener("click", () => load(byId("paste").value));
  byId("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file && file.size > LARGEST) complain("The file is too large: 250 kB at most.", "files-error");
    else if (file) await load(await textOf(file));
    event.target.value = "";
  });
  byId("copy-fen").addEventListener("click", () => copy("fen", "The position is copied."));
  byId("copy-address").addEventListener("click", () => copy("address", "The address of the position is copied."));
  byId("games-cancel").addEventListener("click", () => byId("games-list").close());
}
