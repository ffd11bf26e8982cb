// Messages of the page: status and waiting, announcements, answers to wrong clicks, and errors beside their fields.

import { byId } from "./api.js";

const NOTE_MS = 5000, SOON_MS = 400;
let noteTimer = 0, waitTimer = 0, since = 0;

// Announce to screen readers.
export function say(words) {
  byId("say").textContent = words;
}

// Show why a click does nothing, over the lower edge of the board.
export function note(words) {
  const root = byId("note");
  clearTimeout(noteTimer);
  root.hidden = !words;
  root.textContent = words;
  if (words) noteTimer = setTimeout(() => note(""), NOTE_MS);
}

// Show an error in the paragraph beside its cause, scrolled into view; clear the other paragraphs.
export function complain(words, place = "error") {
  for (const root of document.querySelectorAll("p.error")) if (root.id !== place) root.textContent = "";
  byId(place).textContent = words;
  if (words) byId(place).scrollIntoView({ block: "nearest" });
}

// Show what the page is waiting for, and for how long, until `waited` is called.
export function waitFor(words) {
  waited();
  since = performance.now();
  byId("status").textContent = words;
  byId("clock").textContent = "";
  const tick = () => {
    const seconds = Math.floor((performance.now() - since) / 1000);
    if (seconds >= 1) byId("clock").textContent = `${seconds} s`;
    if (seconds === 1) say(words);
  };
  waitTimer = setInterval(tick, 1000);
  setTimeout(() => document.body.classList.toggle("waiting", waitTimer !== 0), SOON_MS);
}

export function waited() {
  clearInterval(waitTimer);
  waitTimer = 0;
  document.body.classList.remove("waiting");
  byId("clock").textContent = "";
}

// Ask whether something may be lost; resolves with the answer.
export function mayLose(words) {
  const dialog = byId("ask");
  byId("ask-words").textContent = words;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

byId("ask-yes").addEventListener("click", () => byId("ask").close("yes"));
byId("ask-no").addEventListener("click", () => byId("ask").close("no"));
