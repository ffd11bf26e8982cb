// The page of the board: setup, turns, analyses, files.

import { byId, element, get, hasSession, post } from "./api.js";
import { Board } from "./board.js";
import { networkPicture } from "./network.js";
import { showAnalysis, showBar } from "./thoughts.js";
import { complain, note, say, waited, waitFor } from "./said.js";

const SOON_MS = 50, LATER_MS = 250;
let rules = null, state = null, saidVerdict = "", timer = 0, saidAdvice = "", litFor = "";

// Every choice of a game makes the answers to what was asked before it void: what was chosen last counts.
class Superseded extends Error {}
let choice = new AbortController(), lastPost = Promise.resolve();

const board = new Board(byId("board"), { play: playMove, tell: (words) => { note(""); say(words); },
  refuse: (words) => { note(words); say(words); } });

async function newest(asked) {
  const mine = choice;
  const found = await asked;
  if (mine !== choice) throw new Superseded();
  return found;
}

// What a person asked for; place: the id of the paragraph for an error.
function guarded(action, place = "error") {
  complain("", place);
  return quietly(action, place);
}

async function quietly(action, place = "error") {
  try {
    await action();
  } catch (fault) {
    if (fault instanceof Superseded || fault.name === "AbortError") return;
    if (state && fault.status === 410) await quietly(comeBack);
    else if (state && fault.status === 409) await quietly(refresh);
    else complain(fault.message, place);
  }
}

// The server has forgotten this game, after a restart or for newer ones: it is sent again.
async function comeBack() {
  const lost = state;
  let found = await newest(post("/api/new", { game: lost.game, fen: lost.startFen }));
  for (const [ply, move] of lost.moves.entries()) found = await newest(post("/api/move", { move, ply }));
  accept(found);
}

// Ask for a change of the game on the board, and show it.
async function act(name, message) {
  accept(await newest(post(`/api/${name}`, message)));
}

async function refresh() {
  const found = await newest(get("/api/state"));
  await setGame(found.game);
  accept(found);
}

const isHuman = (side) => byId("side").value === "both" || byId("side").value === String(side);
const isThinking = () => Boolean(state.thinking && ["waiting", "thinking"].includes(state.thinking.status));
const isAtEnd = () => state.ply === state.last;

function player() {
  const word = byId("opponent").value;
  if (word === "") return byId("other").value.trim() || "random";
  const key = rules.players.find((offer) => offer.word === word)?.key;
  return key ? `${word}:${key}=${byId("level").value}` : word;
}

function playerLabel() {
  const chosen = byId("opponent").selectedOptions[0];
  return byId("opponent").value === "" ? player() : chosen ? chosen.textContent : "";
}

async function setGame(name) {
  byId("game").value = name;
  if (rules && rules.name === name) return;
  rules = await newest(get(`/api/games/${name}`, choice.signal));
  board.setGame(rules);
  const sides = [...rules.sides.map((side, index) => [String(index), side]), ["both", "Both sides"], ["none", "Neither: watch"]];
  const side = localChoice("side");
  fill(byId("side"), sides, rules.sides.includes(side) ? String(rules.sides.indexOf(side)) : side);
  fill(byId("opponent"), [...rules.players.map((offer) => [offer.word, offer.label]), ["", "In words …"]], localChoice("opponent"));
  const withNetwork = rules.players.filter((offer) => offer.key === "depth" || offer.word === "given");
  fill(byId("lit-player"), withNetwork.map((offer) => [offer.word, offer.label]));
  byId("save").textContent = rules.format ? `Save as ${rules.format}` : "Save game";
  levels();
}

function fill(select, options, wanted) {
  select.replaceChildren(...options.map(([value, words]) => element("option", { value }, words)));
  if (options.some(([value]) => value === wanted)) select.value = wanted;
}

function localChoice(key) {
  return sessionStorage.getItem(`neche-${key}`) ?? undefined;
}

// What was chosen by hand; a side by its name, since its number depends on the game.
function remember(key) {
  const value = byId(key).value;
  sessionStorage.setItem(`neche-${key}`, key === "side" && rules.sides[value] ? rules.sides[value] : value);
}

function levels() {
  const word = byId("opponent").value;
  const offer = rules.players.find((found) => found.word === word);
  byId("other-field").hidden = word !== "";
  byId("level-field").hidden = !offer || !offer.key;
  if (!offer || !offer.key) return;
  const named = offer.levels.map((level) => [String(level), offer.key === "depth" ? `Depth ${level}` : `${level.toLocaleString("en")} playouts`]);
  const wanted = localChoice("level");
  fill(byId("level"), named, named.some(([value]) => value === wanted) ? wanted : named[Math.min(2, named.length - 1)][0]);
}

// Which side is at the bottom: the person's; with both or neither the one that begins.
function bottomSide() {
  const side = byId("side").value;
  return side === "0" || side === "1" ? Number(side) : state.firstTurn;
}

let isTurnedByHand = false, isChanging = false;

function accept(found, isAnother = false) {
  const isNew = isAnother || !state || state.game !== found.game || found.last < state.last || state.moves.some((move, at) => found.moves[at] !== move);
  const isMoved = isNew || found.last > state.last;
  const before = state;
  state = found;
  if (isMoved && before && !isNew) announce(before.last);
  return show();
}

function announce(from) {
  const played = state.moves.slice(from).map((move, at) => `${rules.sides[(state.firstTurn + from + at) % 2]} plays ${move}.`);
  const next = state.verdict ? state.verdict : isHuman(state.turn) ? "Your move." : "";
  say([...played, next].join(" "));
}

function show() {
  if (isChanging) return;
  board.turn(rules.turned[bottomSide()] !== isTurnedByHand);
  waited();
  note("");
  board.show(state, closed());
  document.body.dataset.turn = state.verdict ? "over" : isHuman(state.turn) ? "yours" : "theirs";
  words();
  showBar(state, rules);
  showAnalysis(state, rules);
  advise();
  moves();
  byId("fen").value = state.fen;
  byId("undo").disabled = undoTo() === null;
  byId("analyse").disabled = Boolean(state.verdict) || !isAtEnd() || (isThinking() && state.thinking.isMove);
  byId("stop").disabled = !isThinking();
  byId("stop").textContent = isThinking() && !state.thinking.isMove ? "Stop" : "Move now";
  const mustPass = state.legal.length === 1 && state.legal[0].squares.length === 0 && isHuman(state.turn);
  byId("pass").hidden = !mustPass;
  byId("viewing").hidden = isAtEnd();
  byId("viewing-words").textContent = `After move ${state.ply} of ${state.last}`;
  light();
  goOn();
}

// Why the person may not move now.
function closed() {
  if (!isAtEnd()) return "This is an earlier position of the game: go “To the end” or “Go on from here”.";
  if (state.verdict) return "The game is over.";
  if (isThinking() && state.thinking.isMove) return `${rules.sides[state.thinking.side]} is thinking.`;
  return isHuman(state.turn) ? "" : `${rules.sides[state.turn]} is to move.`;
}

function goOn() {
  clearTimeout(timer);
  if (isThinking()) {
    timer = setTimeout(() => quietly(refresh), state.thinking.seconds < 1 ? SOON_MS : LATER_MS);
  } else if (isAtEnd() && !state.verdict && !isHuman(state.turn) && !(state.thinking && state.thinking.status === "failed" && state.thinking.isMove)) {
    quietly(() => act("think", { player: player(), ply: state.ply, is_move: true }));
  }
}

function words() {
  const turn = rules.sides[state.turn];
  const analysis = state.thinking;
  let text = isHuman(state.turn) ? `${turn} to move: your turn` : `${turn} to move`;
  if (isThinking() && analysis.isMove) text = `${rules.sides[analysis.side]} is thinking …`;
  if (isThinking() && analysis.seconds > 4 && !analysis.pv) text += " (compiling, once)";
  byId("status").textContent = state.verdict || text;
  byId("clock").textContent = isThinking() ? `${analysis.seconds.toFixed(1)} s` : "";
  if (analysis && analysis.status === "failed") complain(analysis.error);
  document.title = state.verdict ? `${state.verdict} – neche` : `neche: ${rules.name}`;
  if (state.verdict && saidVerdict !== state.verdict) say(state.verdict);
  saidVerdict = state.verdict || "";
}

// What was advised when the person asked, framed on the board.
function advise() {
  const analysis = state.thinking;
  const isAdvice = analysis && !analysis.isMove && analysis.status === "done" && analysis.pv && isAtEnd();
  const best = isAdvice && state.legal.find((move) => move.text === analysis.pv[0]);
  board.hint(best ? best.squares : []);
  const advice = best ? `${analysis.player} would play ${best.text}.` : "";
  if (advice && advice !== saidAdvice) say(advice);
  saidAdvice = advice;
}

function moves() {
  const root = byId("moves");
  const parts = [];
  state.moves.forEach((move, at) => {
    if (at % 2 === 0) parts.push(element("li", { className: "number", "aria-hidden": "true" }, `${at / 2 + 1}.`));
    const button = element("button", { type: "button", "aria-current": at + 1 === state.ply ? "true" : false,
      "aria-label": `Move ${at + 1}, ${rules.sides[(state.firstTurn + at) % 2]}: ${move}` }, move);
    button.addEventListener("click", () => view(at + 1));
    parts.push(element("li", {}, button));
  });
  root.replaceChildren(...parts);
  byId("no-moves").hidden = state.moves.length > 0;
  const current = root.querySelector("[aria-current]");
  if (current) root.scrollTop = current.offsetTop - root.offsetTop - root.clientHeight / 2;
}

function view(ply) {
  return guarded(async () => {
    state = await newest(get(`/api/state?ply=${ply}`));
    show();
  });
}

function playMove(move) {
  return guarded(() => act("move", { move, ply: state.ply }));
}

// The ply before the person's last move; null if there is none.
function undoTo() {
  for (let ply = state.last - 1; ply >= 0; ply--) if (isHuman((state.firstTurn + ply) % 2)) return ply;
  return null;
}

// Put another game on the board; one that is still on its way there is given up. ask: posts for it.
async function change(words, place, ask) {
  choice.abort();
  const mine = choice = new AbortController();
  clearTimeout(timer);
  complain("", place);
  waitFor(words);
  close(words);
  // One after the other, since the server keeps the game that it was asked for last.
  const asked = lastPost.then(() => (mine === choice ? ask() : Promise.reject(new Superseded())));
  lastPost = asked.catch(() => null);
  try {
    const found = await asked;
    await setGame(found.game);
    isChanging = isTurnedByHand = false;
    return found;
  } catch (fault) {
    if (mine !== choice) return null;
    waited();
    isChanging = false;
    // the game before is still there
    if (state) await quietly(refresh);
    complain(fault.message, place);
    return null;
  }
}

function close(words) {
  isChanging = true;
  board.close(words);
  document.body.dataset.turn = "wait";
  for (const id of ["undo", "pass", "analyse", "stop"]) byId(id).disabled = true;
}

async function begin(fen, place = "error") {
  const game = byId("game").value, title = byId("game").selectedOptions[0].textContent;
  const found = await change(`Compiling the rules of ${title}, once …`, place, async () => {
    await setGame(game);
    board.close(`The rules of ${title} are being compiled.`);
    await newest(get(`/api/prepare/${game}`, choice.signal));
    return newest(post("/api/new", { game, fen }));
  });
  if (!found) return;
  usualSide(found);
  accept(found, true);
  say(`A new game of ${rules.name}. ${isHuman(state.turn) ? "Your move." : ""}`);
}

// No opponent moves on in a loaded game before the person chooses a side.
async function load(text, place = "files-error") {
  const found = await change("Reading the game …", place, () => newest(post("/api/load", { text })));
  if (!found) return;
  byId("side").value = "both";
  accept(found, true);
  say(`Loaded from ${found.source}, ${found.last} moves.`);
}

async function save() {
  const names = rules.sides.map((_, side) => (isHuman(side) ? "human" : playerLabel().slice(0, 60)));
  const { name, text } = await post("/api/save", { names });
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`Saved as ${name}.`);
}

async function light() {
  const word = byId("lit-player").value;
  if (!byId("lit").open || !word) return;
  const asked = `${word} ${state.fen} ${board.turned}`;
  if (asked === litFor) return;
  litFor = asked;
  try {
    const lit = await post("/api/light", { player: word === "given" ? word : `${word}:depth=1`, ply: state.ply });
    if (asked !== litFor) return;
    byId("lit-words").textContent = `${lit.words} for ${lit.view}, ${lit.synapses} live synapses`;
    byId("lit-picture").replaceChildren(networkPicture(lit, rules, board.turned));
  } catch (fault) {
    byId("lit-words").textContent = fault.message;
    byId("lit-picture").replaceChildren();
  }
}

function wire() {
  byId("settings").addEventListener("submit", (event) => {
    event.preventDefault();
    begin("");
  });
  byId("game").addEventListener("change", () => begin(""));
  byId("side").addEventListener("change", () => { remember("side"); isTurnedByHand = false; show(); });
  byId("opponent").addEventListener("change", () => { remember("opponent"); levels(); });
  for (const key of ["level", "other"]) byId(key).addEventListener("change", () => remember(key));
  byId("undo").addEventListener("click", () => guarded(async () => {
    const ply = undoTo();
    if (ply === null) return;
    await act("back", { ply });
    say(`Taken back. ${rules.sides[state.turn]} to move.`);
  }));
  byId("pass").addEventListener("click", () => playMove(state.legal[0].text));
  byId("analyse").addEventListener("click", () => guarded(() =>
    act("think", { player: player(), ply: state.ply, is_move: false })));
  byId("stop").addEventListener("click", () => guarded(() => act("halt", {})));
  byId("turn").addEventListener("click", () => { isTurnedByHand = !isTurnedByHand; show(); });
  byId("to-end").addEventListener("click", () => view(state.last));
  byId("from-here").addEventListener("click", () => guarded(() => act("back", { ply: state.ply })));
  byId("set-up").addEventListener("click", () => begin(byId("fen").value, "files-error"));
  byId("fen").addEventListener("keydown", (event) => { if (event.key === "Enter") byId("set-up").click(); });
  byId("save").addEventListener("click", () => guarded(save, "files-error"));
  byId("load").addEventListener("click", () => load(byId("paste").value));
  byId("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file && file.size > 250_000) complain("The file is too large: a game has at most 250 kB.", "files-error");
    else if (file) await load(await file.text());
    event.target.value = "";
  });
  byId("lit").addEventListener("toggle", light);
  byId("lit-player").addEventListener("change", light);
}

async function start() {
  const hello = await get("/api/hello");
  byId("watch-link").hidden = hello.run === null;
  fill(byId("game"), hello.games.map((game) => [game.name, game.title]), hello.game);
  byId("other").value = localChoice("other") ?? "";
  let found = null;
  try {
    if (hasSession()) found = await get("/api/state");
  } catch (fault) {
    if (fault.status !== 410) throw fault;
  }
  if (found) {
    await setGame(found.game);
    usualSide({ turn: found.firstTurn });
    accept(found);
  } else {
    await begin("");
  }
  document.body.dataset.ready = "yes";
}

// The side that begins, unless another was chosen before.
function usualSide(found) {
  if (localChoice("side") === undefined) byId("side").value = String(found.turn);
}

wire();
guarded(start);
