// The page of the board: whose turn it is, and the requests to the server.

import { byId, counted, get, hasSession, post } from "./api.js";
import { Board } from "./board.js";
import { offerClock, ponders, showClock, timeLeft, wireClock, wishedClock } from "./clock.js";
import { askedPosition, listGames, save, showPosition, sourceOf, wireFiles } from "./files.js";
import { sharesOf, showGraph, showMoves, wireKey, wireSteps } from "./moves.js";
import { leftOut, networkPicture } from "./network.js";
import { complain, mayLose, note, say, waited, waitFor } from "./said.js";
import * as settings from "./settings.js";
import { knock, wireSounds } from "./sounds.js";
import { resultShare, showAnalysis, showBar } from "./thoughts.js";

const SOON_MS = 50, LATER_MS = 250;
const { chosen, isHuman } = settings;
let rules = null, state = null, saidVerdict = "", timer = 0, saidAdvice = "", litFor = "";
// viewed: the ply on view, null for the last. loaded: number of moves that came from a file. source: its text, and which game in it.
let viewed = null, loaded = 0, source = null, isTurnedByHand = false, isChanging = false, isJudging = false, isPaused = false;

// Choosing a game voids the answers to all earlier requests. A pause follows the last search, which would else move in it.
class Superseded extends Error {}
let choice = new AbortController(), lastPost = Promise.resolve(), lastThink = Promise.resolve();

const board = new Board(byId("board"), { play: playMove, tell: (words) => { note(""); say(words); },
  refuse: (words) => { note(words); say(words); } });

async function newest(asked) {
  const mine = choice;
  const found = await asked;
  if (mine !== choice) throw new Superseded();
  return found;
}

// Run what a person requested. place: the id of the paragraph for an error.
function guarded(action, place = "error") {
  complain("", place);
  return quietly(() => known(action), place);
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

// Run an action; if the server has forgotten the game, send it again first and repeat the action.
async function known(action) {
  try {
    return await action();
  } catch (fault) {
    if (!state || fault.status !== 410) throw fault;
    await comeBack();
    return action();
  }
}

// The server has forgotten this game, after a restart or for newer ones: it is sent again.
async function comeBack() {
  const lost = state;
  // the clock has run on here since the server's last answer; a game that is over, as on time, stays so
  const least = lost.verdict ? 0 : 1;
  const clock = lost.clock && timeLeft()?.map((seconds, side) => ({ seconds: Math.min(86_400, Math.max(least, seconds)), increment: lost.clock.increments[side] }));
  accept(await newest(post("/api/new", { game: lost.game, fen: lost.startFen, moves: lost.moves, clock, source, scores: lost.scores })));
  if (isPaused) await act("halt", { is_dropped: true });
  if (viewed !== null) await refresh();
}

// Request a change of the game on the board, and show it.
async function act(name, message) {
  const found = await newest(post(`/api/${name}`, message));
  if (viewed === null) accept(found);
  else await refresh();
}

async function refresh() {
  const found = await newest(get(`/api/state${viewed === null ? "" : `?ply=${viewed}`}`));
  await setGame(found.game);
  accept(found);
}

const isThinking = () => Boolean(state.thinking && ["waiting", "thinking"].includes(state.thinking.status));
const isMoving = () => isThinking() && state.thinking.isMove;
const isAtEnd = () => state.ply === state.last;
const isUnderWay = () => Boolean(state && !state.verdict && state.last > loaded);

// Whether the game on the board may be abandoned; the person is asked if moves would be lost.
const isFree = async () => !isUnderWay() || mayLose(`The game of ${rules.name} on the board, ${counted(state.last, "move")}, is not over.`);

async function setGame(name) {
  if (rules && rules.name === name) return;
  rules = await newest(settings.rulesOf(name, choice.signal));
  board.setGame(rules);
  settings.fill(byId("lit-player"), rules.players.filter((offer) => offer.key === "depth" || offer.word === "given").map((offer) => [offer.word, offer.label]));
  byId("save").textContent = rules.format ? `Save as ${rules.format}` : "Save game";
}

// The side at the bottom: the person's, or the one that moves first if they play both or neither.
const bottomSide = () => (rules.sides[chosen.side] ? Number(chosen.side) : state.firstTurn);

function accept(found, isAnother = false) {
  const isNew = isAnother || !state || state.game !== found.game || found.last < state.last || state.moves.some((move, at) => found.moves[at] !== move);
  const before = state;
  state = found;
  if (viewed !== null && viewed >= state.last) viewed = null;
  if (before && !isNew && found.last > before.last) {
    announce(before.last);
    knock(state.moves.at(-1));
  }
  show();
}

function announce(from) {
  const played = state.moves.slice(from).map((move, at) => `${rules.sides[(state.firstTurn + from + at) % 2]} plays ${move}.`);
  const next = state.verdict ? state.verdict : isHuman(state.turn) ? "Your move." : "";
  say([...played, next].join(" "));
}

// The pass: the move that names no square, if it is the only one; in games like Go there may be several.
function passOf(state) {
  const [pass, ...others] = state.legal.filter((move) => !move.squares.length);
  return others.length ? undefined : pass;
}

function show() {
  if (isChanging) return;
  waited();
  note("");
  board.turn(rules.turned[bottomSide()] !== isTurnedByHand);
  board.show(state, closed());
  showClock(state, rules, bottomSide(), () => { if (!isChanging) quietly(refresh); });
  document.body.dataset.turn = state.verdict ? "over" : isHuman(state.turn) ? "yours" : "theirs";
  words();
  const shares = sharesOf(state, rules.light, resultShare(state, rules));
  showBar(state, rules, shares[state.ply]);
  showAnalysis(state, rules);
  advise();
  showMoves(state, rules, view);
  showGraph(state, rules, shares, view);
  showPosition(state);
  byId("game-words").textContent = settings.inWords(rules);
  byId("undo").disabled = undoTo() === null;
  byId("analyse").disabled = (Boolean(state.verdict) && isAtEnd()) || isMoving() || isJudging;
  byId("judge").disabled = isMoving() || isJudging || nextUnjudged() === null;
  byId("stop").disabled = !isThinking() && !isJudging;
  byId("stop").textContent = isMoving() ? "Move now" : "Stop";
  byId("pause").hidden = isHuman(0) || isHuman(1);
  byId("pause").disabled = Boolean(state.verdict);
  byId("pause").textContent = isPaused ? "Go on" : "Pause";
  byId("pass").hidden = !(passOf(state) && isHuman(state.turn));
  byId("viewing").hidden = isAtEnd();
  byId("from-here").disabled = false;
  byId("viewing-words").textContent = `After move ${state.ply} of ${state.last}`;
  light();
  goOn();
}

// Why the person may not move now.
function closed() {
  if (!isAtEnd()) return "This is an earlier position of the game: go to the end, or “Continue from here”.";
  if (state.verdict) return "The game is over.";
  if (isMoving()) return `${rules.sides[state.thinking.side]} is thinking.`;
  return isHuman(state.turn) ? "" : `${rules.sides[state.turn]} is to move.`;
}

function goOn() {
  clearTimeout(timer);
  const hasFailed = state.thinking && state.thinking.status === "failed";
  if (isThinking()) {
    timer = setTimeout(() => quietly(refresh), state.thinking.seconds < 1 ? SOON_MS : LATER_MS);
  } else if (isJudging) {
    judgeNext(hasFailed);
  } else if (viewed === null && isAtEnd() && !state.verdict && !isHuman(state.turn) && !isPaused && !(hasFailed && state.thinking.isMove)) {
    lastThink = quietly(() => act("think", { player: settings.player(rules, state.clock), ply: state.ply, is_move: true, ponders: ponders() }));
  }
}

// The next position of the game that has not been evaluated; null if none.
function nextUnjudged() {
  const ply = state.scores.findIndex((score, at) => score === null && !(at === state.last && state.verdict));
  return ply < 0 ? null : ply;
}

function judgeNext(hasFailed) {
  const ply = nextUnjudged(), before = state.thinking;
  // a player that gives no evaluation would be asked for ever; one without a level takes a minute each time
  isJudging = ply !== null && !hasFailed && !(before && !before.isMove && before.ply === ply);
  if (isJudging) quietly(() => act("think", { player: settings.player(rules), ply, is_move: false }));
  else show();
}

function words() {
  const analysis = state.thinking, turn = rules.sides[state.turn];
  let text = isHuman(state.turn) ? `${turn} to move: your turn` : `${turn} to move`;
  if (state.isPondering) text += "; the player is pondering";
  if (isPaused) text += "; paused";
  if (isMoving()) text = `${rules.sides[analysis.side]} is thinking …`;
  if (isThinking() && analysis.seconds > 4 && !analysis.pv) text += " (compiling, first time only)";
  byId("status").textContent = state.verdict || text;
  byId("clock").textContent = isThinking() ? `${analysis.seconds.toFixed(1)} s` : "";
  if (analysis && analysis.status === "failed") complain(analysis.error);
  document.title = state.verdict ? `${state.verdict} – neche` : `neche: ${rules.name}`;
  if (state.verdict && saidVerdict !== state.verdict) say(state.verdict);
  saidVerdict = state.verdict || "";
}

// Show advice that the person requested as arrows, with a frame once it is final.
function advise() {
  const analysis = state.thinking;
  const isAdvice = analysis && !analysis.isMove && analysis.pv && analysis.ply === state.ply;
  const isFinal = isAdvice && analysis.status === "done";
  board.hint(isFinal ? analysis.arrows[0] || [] : [], isAdvice ? analysis.arrows : []);
  const advice = isFinal ? `${analysis.player} would play ${analysis.pv[0]}.` : "";
  if (advice && advice !== saidAdvice) say(advice);
  saidAdvice = advice;
}

function view(ply) {
  if (isChanging) return undefined;
  viewed = Math.max(0, Math.min(state.last, ply));
  if (viewed === state.last) viewed = null;
  return guarded(refresh);
}

function playMove(move) {
  return guarded(() => act("move", { move, ply: state.ply }));
}

// The ply before the person's last move; null if there is none.
function undoTo() {
  for (let ply = state.last - 1; ply >= 0; ply--) if (isHuman((state.firstTurn + ply) % 2)) return ply;
  return null;
}

// Put another game on the board; one still being loaded is abandoned. ask: posts the request.
async function change(words, place, ask) {
  choice.abort();
  const mine = choice = new AbortController();
  clearTimeout(timer);
  complain("", place);
  waitFor(words);
  isChanging = true;
  board.close(words);
  document.body.dataset.turn = "wait";
  byId("pass").hidden = true;
  for (const id of ["undo", "analyse", "stop", "pause", "judge", "from-here"]) byId(id).disabled = true;
  // One request at a time, since the server keeps the game that was requested last.
  const asked = lastPost.then(() => (mine === choice ? ask() : Promise.reject(new Superseded())));
  lastPost = asked.catch(() => null);
  try {
    const found = await asked;
    if (!found.games) await setGame(found.game);
    isChanging = isTurnedByHand = isJudging = isPaused = false;
    viewed = null;
    return found;
  } catch (fault) {
    if (mine !== choice) return null;
    waited();
    isChanging = false;
    // the previous game is still there
    if (state) await quietly(refresh);
    complain(fault.message, place);
    return null;
  }
}

async function begin(game, fen = "", place = "error") {
  const title = settings.titleOf(game);
  const found = await change(`Compiling the rules of ${title}, once …`, place, async () => {
    await setGame(game);
    if (!fen) board.setOut();
    board.close(`The rules of ${title} are being compiled.`);
    await newest(get(`/api/prepare/${encodeURIComponent(game)}`, choice.signal));
    return newest(post("/api/new", { game, fen, clock: wishedClock() }));
  });
  if (!found) return;
  loaded = 0;
  source = null;
  settings.keepLoaded(false);
  settings.suit(rules, found.turn);
  accept(found, true);
  say(`A new game of ${rules.name}. ${isHuman(state.turn) ? "Your move." : ""}`);
}

// In a loaded game no opponent moves before the person chooses a side. number: which of several games.
async function load(text, number) {
  if (number === undefined && !(await isFree())) return;
  const found = await change("Reading the game …", "files-error", () => known(() => newest(post("/api/load", { text, ...(number === undefined ? {} : { number }) }))));
  if (!found) return;
  if (found.games) {
    await quietly(refresh);
    listGames(found.games, found.fault, (wanted) => load(text, wanted));
    return;
  }
  loaded = found.last;
  source = sourceOf(text, number);
  settings.keepLoaded(true);
  settings.suit(rules, found.firstTurn);
  accept(found, true);
  say(`Loaded from ${found.source}, ${counted(found.last, "move")}.`);
}

async function light() {
  const word = byId("lit-player").value;
  if (!byId("lit").open || !word) return;
  const asked = `${word} ${state.fen} ${board.turned}`;
  if (asked === litFor) return;
  litFor = asked;
  if (!byId("lit-picture").firstChild) byId("lit-words").textContent = "Reading the network …";
  try {
    const lit = await post("/api/light", { player: word === "given" ? word : `${word}:depth=1`, ply: state.ply });
    if (asked !== litFor) return;
    byId("lit-words").textContent = `${lit.words} for ${lit.view}, ${counted(lit.synapses, "live synapse")}${leftOut(lit)}`;
    byId("lit-picture").replaceChildren(networkPicture(lit, rules, board.turned));
  } catch (fault) {
    // a server that is down, or has forgotten the game, may answer next time
    if (asked === litFor && [0, 410].includes(fault.status)) litFor = "";
    byId("lit-words").textContent = fault.message;
    byId("lit-picture").replaceChildren();
  }
}

function wire() {
  settings.wireDialog({
    start: begin,
    shown: offerClock,
    isFree,
    apply: () => { isTurnedByHand = isPaused = false; show(); },
    fault: (fault) => complain(fault.message, "settings-error"),
  });
  const on = (id, action) => byId(id).addEventListener("click", action);
  on("new-game", () => guarded(() => settings.openDialog(isUnderWay() || loaded > 0)));
  on("undo", () => guarded(async () => {
    const ply = undoTo();
    if (ply === null) return;
    viewed = null;
    await act("back", { ply });
    say(`Taken back. ${rules.sides[state.turn]} to move.`);
  }));
  on("pass", () => playMove(passOf(state).text));
  on("analyse", () => guarded(() => act("think", { player: settings.player(rules, state.clock), ply: state.ply, is_move: false })));
  on("judge", () => { isJudging = true; goOn(); });
  on("stop", () => { isJudging = false; guarded(() => act("halt", {})); });
  on("pause", () => { isPaused = !isPaused; isPaused ? guarded(() => lastThink.then(() => act("halt", { is_dropped: true }))) : show(); });
  on("turn", () => { isTurnedByHand = !isTurnedByHand; show(); });
  on("from-here", () => guarded(() => act("back", { ply: state.ply })));
  on("set-up", async () => { if (await isFree()) begin(rules.name, byId("fen").value, "files-error"); });
  on("save", () => guarded(() => save(rules.sides.map((_, side) => (isHuman(side) ? "human" : settings.playerLabel(rules).slice(0, 60)))), "files-error"));
  byId("fen").addEventListener("keydown", (event) => { if (event.key === "Enter") byId("set-up").click(); });
  wireFiles(load);
  wireSounds();
  const numbers = byId("numbers");
  numbers.checked = localStorage.getItem("neche-numbers") !== "off";
  board.number(numbers.checked);
  numbers.addEventListener("change", () => {
    localStorage.setItem("neche-numbers", numbers.checked ? "on" : "off");
    board.number(numbers.checked);
  });
  wireKey("p", "pause");
  wireSteps((by) => { if (state) view(state.ply + by); });
  byId("lit").addEventListener("toggle", light);
  byId("lit-player").addEventListener("change", light);
}

async function start() {
  const hello = await get("/api/hello");
  let asked = askedPosition();
  byId("watch-link").hidden = hello.run === null;
  settings.begin(hello);
  wireClock(hello.mayPonder);
  let found = null;
  try {
    if (hasSession()) found = await get("/api/state");
  } catch (fault) {
    if (fault.status !== 410) throw fault;
  }
  // The address of a position may have been opened in a tab with a game in progress.
  const isLoss = asked && found && found.last > 0 && !found.verdict;
  if (isLoss && !(await mayLose(`The game of ${found.game} in this window, ${counted(found.last, "move")}, is not over.`))) asked = null;
  if (found && !asked) {
    await setGame(found.game);
    settings.suit(rules, found.firstTurn);
    accept(found);
  } else {
    await begin(asked?.game || hello.game, asked?.fen ?? "");
    if (!state) {
      // The game or position in the address does not exist.
      const fault = byId("error").textContent;
      await begin(hello.game);
      complain(fault);
    }
  }
  document.body.dataset.ready = "yes";
}

wire();
guarded(start);
