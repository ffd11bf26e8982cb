// The chess clock above the board: it counts down here between answers of the server, which keeps the time.

import { byId, element } from "./api.js";

const TICK_MS = 100, LATE_MS = 60, FEW_SECONDS = 10, CHOICE = "neche-clock", PONDERS = "neche-ponders";
let clock = null, since = 0, timer = 0, ended = null;

// Minutes and seconds, with tenths when few are left.
function inWords(seconds) {
  if (seconds < FEW_SECONDS) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds), hours = Math.floor(whole / 3600);
  const rest = `${Math.floor(whole / 60) % 60}`.padStart(hours ? 2 : 1, "0") + `:${`${whole % 60}`.padStart(2, "0")}`;
  return hours ? `${hours}:${rest}` : rest;
}

// The time left to each side now, in seconds; null without a clock.
export function timeLeft() {
  const gone = (performance.now() - since) / 1000;
  return clock && clock.left.map((left, side) => Math.max(0, clock.running === side ? left - gone : left));
}

function tick() {
  for (const [side, now] of timeLeft().entries()) {
    const runs = clock.running === side, root = byId(`clock-${side}`);
    root.querySelector("b").textContent = inWords(now);
    root.classList.toggle("running", runs);
    root.classList.toggle("short", now < FEW_SECONDS);
    if (!runs || now > 0) continue;
    clearInterval(timer);
    setTimeout(ended, LATE_MS);
  }
}

// flagged: called when a side's time runs out here, to ask the server.
export function showClock(state, rules, bottom, flagged) {
  clearInterval(timer);
  // no time runs when the game is over
  clock = state.clock && { ...state.clock, running: state.verdict ? null : state.clock.running };
  document.body.classList.toggle("timed", clock !== null);
  byId("clocks").hidden = clock === null;
  if (clock === null) return;
  since = performance.now();
  ended = flagged;
  byId("clocks").replaceChildren(...[1 - bottom, bottom].map((side) =>
    element("p", { id: `clock-${side}`, className: "side-clock", role: "timer", "aria-live": "off" },
      element("span", {}, rules.sides[side]), element("b", {}))));
  if (clock.running !== null) timer = setInterval(tick, TICK_MS);
  tick();
}

// The clock chosen for the next game: null for none, else the time of both sides.
export function wishedClock() {
  const choice = byId("time").value;
  if (choice === "") return null;
  if (choice !== "other") {
    const [seconds, increment] = choice.split("+").map(Number);
    return [{ seconds, increment }, { seconds, increment }];
  }
  return [0, 1].map((side) => ({ seconds: 60 * Number(byId(`minutes-${side}`).value), increment: Number(byId(`increment-${side}`).value) }));
}

export const ponders = () => byId("ponders").checked;

// Label the time fields with the names of the sides.
export function offerClock(rules) {
  for (const [side, name] of rules.sides.entries()) {
    byId(`minutes-words-${side}`).textContent = `${name}: minutes`;
    byId(`increment-words-${side}`).textContent = `${name}: seconds added per move`;
  }
}

export function wireClock(mayPonder) {
  const choice = byId("time"), box = byId("ponders");
  const unfold = () => {
    const isOther = choice.value === "other";
    byId("own-time").hidden = !isOther;
    // an invalid value in a hidden field must not prevent the start of a game
    for (const field of byId("own-time").querySelectorAll("input")) field.disabled = !isOther;
  };
  choice.value = sessionStorage.getItem(CHOICE) ?? "";
  choice.addEventListener("change", () => { sessionStorage.setItem(CHOICE, choice.value); unfold(); });
  unfold();
  byId("ponders-field").hidden = !mayPonder;
  box.checked = mayPonder && sessionStorage.getItem(PONDERS) === "on";
  box.addEventListener("change", () => sessionStorage.setItem(PONDERS, box.checked ? "on" : "off"));
}
