// The moves of the game in two columns, the graph of evaluations of its positions, and steps through both.

import { byId, drawn, element, isPlain } from "./api.js";

const WIDTH = 300, HEIGHT = 70;

// go: called with the ply to view
export function showMoves(state, rules, go) {
  const root = byId("moves");
  const sides = [rules.sides[state.firstTurn], rules.sides[1 - state.firstTurn]];
  const head = ["", ...sides].map((words) => element("li", { className: "side", "aria-hidden": "true" }, words));
  const parts = state.moves.flatMap((move, at) => {
    const button = element("button", { type: "button", "aria-current": at + 1 === state.ply ? "true" : false,
      "aria-label": `Move ${at + 1}, ${sides[at % 2]}: ${move}` }, move);
    button.addEventListener("click", () => go(at + 1));
    const cell = element("li", {}, button);
    return at % 2 ? [cell] : [element("li", { className: "number", "aria-hidden": "true" }, `${at / 2 + 1}.`), cell];
  });
  const isFocused = root.contains(document.activeElement);
  root.replaceChildren(...(parts.length ? head : []), ...parts);
  byId("no-moves").hidden = state.moves.length > 0;
  byId("steps").hidden = state.moves.length === 0;
  byId("first").disabled = byId("back").disabled = state.ply === 0;
  byId("forth").disabled = byId("to-end").disabled = state.ply === state.last;
  const current = root.querySelector("[aria-current]");
  if (isFocused) current?.focus({ preventScroll: true });
  root.scrollTop = current ? current.offsetTop - root.offsetTop - root.clientHeight / 2 : 0;
}

// The light side's expected score in each position, null if not evaluated; the last from the result, if any.
export function sharesOf(state, light, result) {
  const shares = state.scores.map((score) => (score === null ? null : light === 0 ? score : 1 - score));
  if (result !== null) shares[state.last] = result;
  return shares;
}

export function showGraph(state, rules, shares, go) {
  const root = byId("graph");
  const known = shares.map((share, ply) => [ply, share]).filter(([, share]) => share !== null);
  root.hidden = known.length < 2;
  if (root.hidden) return;
  const x = (ply) => (WIDTH * ply) / Math.max(1, state.last), y = (share) => HEIGHT * (1 - share);
  const line = known.map(([ply, share], at) => `${at ? "L" : "M"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("");
  // before and after the positions that were evaluated the graph is neither light nor dark
  const [first, last] = [known[0][0], known.at(-1)[0]];
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${rules.sides[rules.light]}'s share over the game, ${Math.round(100 * known.at(-1)[1])} of 100 after move ${last}` },
    ...[["dark", 0], ["light", HEIGHT]].map(([tone, edge]) => drawn("path", { class: tone, d: `${line}V${edge}H${x(first).toFixed(1)}Z` })),
    drawn("path", { class: "half", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    drawn("path", { class: "curve", d: line }),
    drawn("path", { class: "now", d: `M${x(state.ply).toFixed(1)} 0V${HEIGHT}` }));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round((state.last * (event.clientX - box.left)) / box.width));
  });
  root.replaceChildren(picture);
}

// Whether a key means something to the element that has the focus.
const isTaken = (event, elements) => !isPlain(event) || event.defaultPrevented || event.target.closest(elements);

// A key presses a button that can be seen.
export function wireKey(key, id) {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== key || event.repeat || byId(id).hidden || isTaken(event, "input, select, textarea, dialog")) return;
    byId(id).click();
  });
}

// The left and right keys step through the game unless they have another meaning.
export function wireSteps(step) {
  for (const [id, by] of [["first", -Infinity], ["back", -1], ["forth", 1], ["to-end", Infinity]]) {
    byId(id).addEventListener("click", () => step(by));
  }
  const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  document.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || isTaken(event, "input, select, textarea, dialog, [tabindex='0']:not(button)")) return;
    event.preventDefault();
    step(keys[event.key]);
  });
}
