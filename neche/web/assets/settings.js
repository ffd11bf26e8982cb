// The choice of game, side and player: the settings of the game on the board, and the dialog that changes them.

import { byId, element, get } from "./api.js";

const BOTH = "both", NEITHER = "none", BY_CLOCK = "clock";
const known = new Map();
// offered: the game whose fields the dialog shows. isSideChosen: whether by hand, in this tab.
let games = [], offered = null, isSideChosen = false, showsGame = null;

// Current settings: a side by number, "both" or "none"; the word of a player, empty for a specification in `other`.
export const chosen = { game: "", side: BOTH, opponent: "random", level: "", other: "" };

export async function rulesOf(name, signal) {
  if (!known.has(name)) known.set(name, await get(`/api/games/${name}`, signal));
  return known.get(name);
}

export const titleOf = (name) => games.find((game) => game.name === name)?.title ?? name;

export const isHuman = (side) => chosen.side === BOTH || chosen.side === String(side);

const remembered = (key) => sessionStorage.getItem(`neche-${key}`) ?? undefined;

const offerOf = (rules, word) => rules.players.find((offer) => offer.word === word);

export function fill(select, options, wanted) {
  select.replaceChildren(...options.map(([value, words]) => element("option", { value }, words)));
  if (options.some(([value]) => value === wanted)) select.value = wanted;
}

// The player as requests name it; without a limit of its own if it plays as its clock allows.
export function player(rules, clock = null) {
  const key = offerOf(rules, chosen.opponent)?.key;
  if (chosen.opponent === "") return chosen.other.trim() || "random";
  if (chosen.level === BY_CLOCK && clock) return chosen.opponent;
  if (chosen.level === BY_CLOCK) return key ? `${chosen.opponent}:${key}=${levelOf(rules, chosen.opponent)}` : chosen.opponent;
  return key ? `${chosen.opponent}:${key}=${chosen.level}` : chosen.opponent;
}

// The player's name for people.
export function playerLabel(rules) {
  const offer = offerOf(rules, chosen.opponent);
  if (!offer) return player(rules);
  if (offer.key && chosen.level === BY_CLOCK) return `${offer.label}, as its clock allows`;
  const level = offer.levels.find(([value]) => String(value) === chosen.level);
  if (!level) return offer.label;
  const words = level[1].split(":")[0];
  return `${offer.label}, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

export function inWords(rules) {
  const side = rules.sides[chosen.side];
  const who = side ? `you play ${side} against` : chosen.side === BOTH ? "you play both sides; analyses by" : "both sides are played by";
  return `${titleOf(rules.name)}: ${who} ${playerLabel(rules)}`;
}

export function begin(hello) {
  games = hello.games;
  fill(byId("game"), games.map((game) => [game.name, game.title]), hello.game);
  chosen.other = remembered("other") ?? "";
  isSideChosen = remembered("side") !== undefined;
}

// Apply earlier choices of this tab to a game; without a choice, the person gets the side that moves first.
export function suit(rules, firstTurn) {
  chosen.game = rules.name;
  const side = remembered("loaded") ? BOTH : remembered("side");
  chosen.side = rules.sides.includes(side) ? String(rules.sides.indexOf(side)) : side === BOTH || side === NEITHER ? side : String(firstTurn);
  const word = remembered("opponent");
  chosen.opponent = word === "" || offerOf(rules, word) ? word : rules.players[0].word;
  chosen.level = levelOf(rules, chosen.opponent, remembered("level"));
}

// In a loaded game the person plays both sides until one is chosen, even after a reload of the page.
export function keepLoaded(isLoaded) {
  if (isLoaded) sessionStorage.setItem("neche-loaded", "yes");
  else sessionStorage.removeItem("neche-loaded");
}

function levelOf(rules, word, wanted) {
  const levels = (offerOf(rules, word)?.levels ?? []).map(([value]) => String(value));
  return levels.includes(wanted) || (wanted === BY_CLOCK && levels.length) ? wanted : levels[Math.min(2, levels.length - 1)] ?? "";
}

// Show the dialog with the current settings. isUnderWay: the game on the board could continue with other settings.
export async function openDialog(isUnderWay) {
  byId("game").value = chosen.game;
  byId("apply").hidden = !isUnderWay;
  byId("apply").disabled = false;
  byId("settings-error").textContent = "";
  byId("settings").showModal();
  await offer(chosen);
}

// Fill the fields for the game that the dialog shows; without wishes, as close as possible to their present values.
async function offer(wishes) {
  byId("start").disabled = true;
  const rules = await rulesOf(byId("game").value);
  if (rules.name !== byId("game").value) return;
  byId("start").disabled = false;
  const wanted = wishes ?? { ...draft(), side: sameSide(rules) };
  offered = rules;
  fill(byId("side"), [...rules.sides.map((side, at) => [String(at), side]), [BOTH, "Both sides"], [NEITHER, "Neither: watch"]], wanted.side);
  fill(byId("opponent"), [...rules.players.map((found) => [found.word, found.label]), ["", "By specification …"]], wanted.opponent);
  byId("other").value = wanted.other;
  offerLevels(rules, wanted.level);
  showsGame(rules);
}

// The side that the dialog shows in another game: of the same name, or the one that moves first if none was chosen.
function sameSide(rules) {
  const side = byId("side").value, name = offered?.sides[side];
  if (!isSideChosen) return String(rules.first);
  return name === undefined ? side : String(rules.sides.indexOf(name));
}

function offerLevels(rules, wanted) {
  const word = byId("opponent").value, found = offerOf(rules, word);
  byId("other-field").hidden = word !== "";
  byId("level-field").hidden = !found || !found.key;
  if (!found || !found.key) return;
  const byClock = byId("time").value === "" ? [] : [[BY_CLOCK, "As its clock allows"]];
  const levels = found.levels.map(([value, words]) => [String(value), words]);
  fill(byId("level"), [...byClock, ...levels], levelOf(rules, word, byClock.length || wanted !== BY_CLOCK ? wanted : undefined));
  byId("elo-words").textContent = `Elo as measured in matches, with ${rules.anchor} at 0.`;
  byId("elo-words").hidden = !found.levels.some(([, words]) => words.includes("Elo"));
}

const draft = () => ({ side: byId("side").value, opponent: byId("opponent").value, level: byId("level").value, other: byId("other").value });

// A mistyped specification is refused in the dialog, and not when the player is to move.
async function check() {
  const text = byId("opponent").value ? "" : byId("other").value.trim();
  if (text) await get(`/api/games/${encodeURIComponent(byId("game").value)}?${new URLSearchParams({ player: text })}`);
}

// Adopt what the dialog shows, also for later games in this tab.
async function commit() {
  const rules = await rulesOf(byId("game").value);
  const found = draft();
  for (const key of ["opponent", "level", "other"]) sessionStorage.setItem(`neche-${key}`, found[key]);
  // the side is kept by name, since its number depends on the game
  keepLoaded(found.side === BOTH && remembered("loaded"));
  if (isSideChosen) sessionStorage.setItem("neche-side", rules.sides[found.side] ?? found.side);
  Object.assign(chosen, found, { game: rules.name, level: byId("level-field").hidden ? "" : found.level });
}

// start: called with the name of the game when a new one is wanted and isFree agrees. shown: called with the
// rules of the game whose fields are shown. apply: called when the game on the board continues.
// fault: called with the error.
export function wireDialog({ start, shown, isFree, apply, fault }) {
  showsGame = shown;
  const dialog = byId("settings");
  const guarded = (action) => action().catch((found) => fault(found));
  byId("game").addEventListener("change", () => guarded(() => offer(null)));
  byId("opponent").addEventListener("change", () => guarded(async () => offerLevels(await rulesOf(byId("game").value), byId("level").value)));
  byId("side").addEventListener("change", () => { isSideChosen = true; });
  // With a clock, the level is what the clock allows, unless another one is chosen afterwards.
  byId("time").addEventListener("change", () => guarded(async () => offerLevels(await rulesOf(byId("game").value), byId("time").value ? BY_CLOCK : byId("level").value)));
  byId("cancel").addEventListener("click", () => dialog.close());
  byId("apply").addEventListener("click", () => guarded(async () => { await check(); await commit(); dialog.close(); apply(); }));
  byId("settings-form").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(async () => {
      await check();
      const game = byId("game").value;
      if (!(await isFree())) return;
      await commit();
      dialog.close();
      start(game);
    });
  });
  byId("game").addEventListener("change", () => { byId("apply").disabled = byId("game").value !== chosen.game; });
}
