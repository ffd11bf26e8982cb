// The page of the board: setup, turns, analyses, files.

import { byId, element, get, hasSession, post } from "./api.js";
import { Board } from "./board.js";
import { networkPicture } from "./network.js";

const SOON_MS = 50, LATER_MS = 250;
let rules = null, state = null, saidVerdict = "", timer = 0, saidAdvice = "", litFor = "";

const board = new Board(byId("board"), { play: playMove, tell: say });

function say(words) {
  byId("say").textContent = words;
}

function complain(words) {
  byId("error").textContent = words;
}

async function guarded(action) {
  complain("");
  try {
    await action();
  } catch (fault) {
    if (fault.status === 410) return comeBack();
    if (fault.status === 409) return refresh();
    complain(fault.message);
  }
  return undefined;
}

// The server has forgotten this game, after a restart or for newer ones: it is sent again.
async function comeBack() {
  const lost = state;
  try {
    let found = await post("/api/new", { game: lost ? lost.game : byId("game").value, fen: lost ? lost.startFen : "" });
    for (const [ply, move] of (lost ? lost.moves : []).entries()) found = await post("/api/move", { move, ply });
    accept(found);
  } catch (fault) {
    complain(fault.message);
  }
}

async function refresh() {
  accept(await get("/api/state"));
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
  if (rules && rules.name === name) return;
  rules = await get(`/api/games/${name}`);
  board.setGame(rules);
  byId("game").value = name;
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

let isTurnedByHand = false;

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
  board.turn(rules.turned[bottomSide()] !== isTurnedByHand);
  board.show(state, isAtEnd() && !state.verdict && isHuman(state.turn) && !(isThinking() && state.thinking.isMove));
  document.body.dataset.turn = state.verdict ? "over" : isHuman(state.turn) ? "yours" : "theirs";
  words();
  meter();
  showAnalysis();
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

function goOn() {
  clearTimeout(timer);
  if (isThinking()) {
    timer = setTimeout(() => guarded(refresh), state.thinking.seconds < 1 ? SOON_MS : LATER_MS);
  } else if (isAtEnd() && !state.verdict && !isHuman(state.turn) && !(state.thinking && state.thinking.status === "failed" && state.thinking.isMove)) {
    guarded(async () => accept(await post("/api/think", { player: player(), ply: state.ply, is_move: true })));
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

function meter() {
  const analysis = state.thinking;
  const root = byId("meter");
  const isKnown = Boolean(analysis && analysis.chance !== undefined);
  root.classList.toggle("unknown", !isKnown);
  // the fill is the light side's share
  const light = rules.name && rules.sides.indexOf("White");
  let share = isKnown ? (analysis.side === light ? analysis.chance : 1 - analysis.chance) : 0.5;
  if (state.verdict && state.verdict.includes(" wins")) share = state.verdict.startsWith("White") ? 1 : 0;
  byId("meter-fill").style.width = `${(100 * share).toFixed(1)}%`;
  root.setAttribute("aria-label", isKnown ? `${analysis.player} gives White ${Math.round(100 * share)} of 100` : "The position has not been evaluated yet");
}

function showAnalysis() {
  const analysis = state.thinking;
  const head = byId("analysis-table").tHead, body = byId("analysis-table").tBodies[0];
  const list = (analysis && analysis.moves) || [];
  byId("analysis-scroll").hidden = list.length === 0;
  if (!analysis) {
    byId("analysis-words").textContent = "No analysis yet.";
    byId("analysis-line").textContent = "";
    return;
  }
  const facts = [`${analysis.player}, for ${rules.sides[analysis.side]}`];
  if (analysis.words) facts.push(analysis.playouts === undefined ? `value ${analysis.words}` : `expected score ${analysis.words}`);
  if (analysis.depth) facts.push(`depth ${analysis.depth}, ${analysis.nodes.toLocaleString("en")} positions`);
  if (analysis.playouts) facts.push(`${analysis.playouts.toLocaleString("en")} playouts, ${analysis.rate.toLocaleString("en")} a second`);
  facts.push(`${analysis.seconds.toFixed(1)} s`);
  byId("analysis-words").textContent = facts.join(" · ");
  byId("analysis-line").textContent = analysis.pv && analysis.pv.length ? `Best line: ${analysis.pv.join("  ")}` : "";
  const hasVisits = list.some((entry) => entry.visits !== undefined);
  const names = hasVisits ? ["Move", "Value", "Visits", ""] : ["Move", "Value"];
  head.replaceChildren(element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const most = Math.max(1, ...list.map((entry) => entry.visits || 0));
  body.replaceChildren(...list.map((entry) => {
    const row = element("tr", {}, element("td", {}, entry.move), element("td", {}, entry.words));
    if (hasVisits) {
      const bar = element("span", { className: "bar" });
      bar.style.width = `${(100 * entry.visits) / most}%`;
      row.append(element("td", {}, entry.visits.toLocaleString("en")), element("td", { className: "share" }, bar));
    }
    return row;
  }));
  const isAdvice = !analysis.isMove && analysis.status === "done" && analysis.pv && isAtEnd();
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
    const found = await get(`/api/state?ply=${ply}`);
    state = found;
    show();
  });
}

function playMove(move) {
  return guarded(async () => accept(await post("/api/move", { move, ply: state.ply })));
}

// The ply before the person's last move; null if there is none.
function undoTo() {
  for (let ply = state.last - 1; ply >= 0; ply--) if (isHuman((state.firstTurn + ply) % 2)) return ply;
  return null;
}

async function begin(fen) {
  clearTimeout(timer);
  byId("status").textContent = "The rules are being prepared …";
  const game = byId("game").value;
  await setGame(game);
  isTurnedByHand = false;
  const found = await post("/api/new", { game, fen });
  usualSide(found);
  accept(found, true);
  say(`A new game of ${rules.name}. ${isHuman(state.turn) ? "Your move." : ""}`);
}

// No opponent moves on in a loaded game before the person chooses a side.
function takeOver(found) {
  byId("side").value = "both";
  accept(found, true);
  say(`Loaded from ${found.source}, ${found.last} moves.`);
}

function load(text) {
  return guarded(async () => {
    const found = await post("/api/load", { text });
    clearTimeout(timer);
    await setGame(found.game);
    takeOver(found);
  });
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
    guarded(() => begin(""));
  });
  byId("game").addEventListener("change", () => guarded(() => begin("")));
  byId("side").addEventListener("change", () => { remember("side"); isTurnedByHand = false; show(); });
  byId("opponent").addEventListener("change", () => { remember("opponent"); levels(); });
  for (const key of ["level", "other"]) byId(key).addEventListener("change", () => remember(key));
  byId("undo").addEventListener("click", () => guarded(async () => {
    const ply = undoTo();
    if (ply === null) return;
    accept(await post("/api/back", { ply }));
    say(`Taken back. ${rules.sides[state.turn]} to move.`);
  }));
  byId("pass").addEventListener("click", () => playMove(state.legal[0].text));
  byId("analyse").addEventListener("click", () => guarded(async () =>
    accept(await post("/api/think", { player: player(), ply: state.ply, is_move: false }))));
  byId("stop").addEventListener("click", () => guarded(async () => accept(await post("/api/halt", {}))));
  byId("turn").addEventListener("click", () => { isTurnedByHand = !isTurnedByHand; show(); });
  byId("to-end").addEventListener("click", () => view(state.last));
  byId("from-here").addEventListener("click", () => guarded(async () => accept(await post("/api/back", { ply: state.ply }))));
  byId("set-up").addEventListener("click", () => guarded(() => begin(byId("fen").value)));
  byId("fen").addEventListener("keydown", (event) => { if (event.key === "Enter") byId("set-up").click(); });
  byId("save").addEventListener("click", () => guarded(save));
  byId("load").addEventListener("click", () => load(byId("paste").value));
  byId("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file && file.size > 250_000) complain("The file is too large: a game has at most 250 kB.");
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
  await setGame(found ? found.game : hello.game);
  found = found || (await post("/api/new", { game: hello.game }));
  usualSide({ turn: found.firstTurn });
  accept(found);
  document.body.dataset.ready = "yes";
}

// The side that begins, unless another was chosen before.
function usualSide(found) {
  if (localChoice("side") === undefined) byId("side").value = String(found.turn);
}

wire();
guarded(start);
