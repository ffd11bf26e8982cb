// A knock for every move, a lower one for a capture; off until someone turns it on.

import { byId } from "./api.js";

const KEY = "neche-sounds", SECONDS = 0.12;
let context = null;

export function knock(move) {
  if (localStorage.getItem(KEY) !== "on") return;
  context ??= new AudioContext();
  const now = context.currentTime, tone = context.createOscillator(), loudness = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(move.includes("x") ? 180 : 320, now);
  tone.frequency.exponentialRampToValueAtTime(60, now + SECONDS);
  loudness.gain.setValueAtTime(0.3, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + SECONDS);
  tone.connect(loudness).connect(context.destination);
  tone.start(now);
  tone.stop(now + SECONDS);
}

export function wireSounds() {
  const box = byId("sounds");
  box.checked = localStorage.getItem(KEY) === "on";
  box.addEventListener("change", () => localStorage.setItem(KEY, box.checked ? "on" : "off"));
}
