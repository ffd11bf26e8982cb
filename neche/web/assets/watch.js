// The page of a run: polls for news every two seconds.

import { byId, counted, element, get } from "./api.js";
import { chart } from "./charts.js";
import { leftOut, networkPicture } from "./network.js";
import { lasting, pace } from "./pace.js";

const EVERY_MS = 2000, NONE = "No champion yet.";
const name = encodeURIComponent(new URLSearchParams(location.search).get("run") || "");
let lines = [], champion = null, drawn = "", rules = null, begun = null;

const curve = (key) => lines.filter((line) => typeof line[key] === "number").map((line) => [line.generation, line[key]]);

function ladderCurves() {
  const rungs = [...new Set(lines.flatMap((line) => Object.keys(line.ladder || {})))];
  return rungs.map((rung) => [rung, lines.filter((line) => line.ladder && rung in line.ladder)
    .map((line) => [line.generation, line.ladder[rung]])]);
}

// The chart of a plugged-in fitness, around its values, since zero may be far from all of them; none without.
function fitnessChart(marks) {
  const known = lines.filter((line) => line.fitness && Math.max(Math.abs(line.fitness.best), Math.abs(line.fitness.mean)) <= 1e15);
  if (!known.length) return [];
  const curves = ["best", "mean"].map((name) => [name, known.map((line) => [line.generation, line.fitness[name]])]);
  const [low, high] = curves.flatMap(([, points]) => points).reduce(([least, most], [, y]) => [Math.min(least, y), Math.max(most, y)], [Infinity, -Infinity]);
  // wide enough that no two ticks look alike
  const margin = Math.max(0.05 * (high - low), 1e-4 * Math.max(-low, high), 1e-8);
  return [chart("Fitness, as the plug-in returns it", curves, { span: [low - margin, high + margin], marks })];
}

// Where the champions' search depth changed; the first depth is no change.
function depthMarks() {
  const marks = [];
  let before = null;
  for (const { generation, depth } of lines) {
    if (before !== null && depth !== undefined && depth !== before) marks.push([generation, `depth ${depth}`]);
    before = depth ?? before;
  }
  return marks;
}

function tiles(news) {
  const ago = news.idle === null ? "" : `${lasting(news.idle)} ago`;
  const facts = [
    ["Generation", news.generation === null ? "none yet" : `${news.generation} of ${news.of}`],
    ["Champion", crown(news) === champion ? drawn : news.champion || "none yet"],
    ["Search depth", news.depth ?? "–"],
    pace(news),
    ["Generations a minute", news.perMinute],
    ["Last generation finished", ago],
  ];
  byId("tiles").replaceChildren(...facts.filter(([, value]) => value).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));
}

function charts() {
  const errors = curve("prediction_error"), marks = depthMarks();
  byId("charts").replaceChildren(
    chart("Champion’s score against fixed players", ladderCurves(), { span: [0, 1], half: true, marks }),
    ...fitnessChart(marks),
    ...(errors.length ? [chart("Prediction error", [["centre", errors], ["best member", curve("best_prediction_error")]], { marks, mayBeLog: true })] : []),
    chart("Diversity: distance between members", [["genomes", curve("distance")], ["wired genes", curve("wired_distance")], ["evaluations", curve("evaluation_distance")]], { marks }),
    chart("What the networks use, on average", [["live synapses", curve("live_synapses")], ["squares seen", curve("squares_seen")], ["hidden neurons", curve("hidden_neurons")]], { marks, mayBeLog: true }),
    chart("Games of the population", [["share drawn", curve("draws")], ["score of the best member", curve("best_score")]], { span: [0, 1], half: true, marks }),
  );
}

// At the end of a run, the crowned champion may differ from that of the last generation.
const crown = (news) => `${news.champion} ${news.crowned}`;

async function drawChampion(news) {
  if (!news.champion || crown(news) === champion) return;
  // The first answer takes longer, while its code is compiled.
  if (byId("champion-words").textContent === NONE) byId("champion-words").textContent = `Reading the network of ${news.champion} …`;
  try {
    const lit = await get(`/api/champion?name=${name}`);
    rules = rules || (await get(`/api/games/${news.game}`));
    champion = crown(news);
    drawn = lit.id;
    const after = lit.moves.length ? `after ${lit.moves.join(" ")}, the moves it likes best` : "at the start of a game";
    byId("champion-words").textContent = `${lit.id}: ${counted(lit.synapses, "live synapse")}${leftOut(lit)}; activations ${after}; ${lit.view} to move, ${lit.words}.`;
    byId("champion-picture").replaceChildren(networkPicture(lit, rules, rules.turned[rules.sides.indexOf(lit.view)]));
  } catch (fault) {
    // The error is shown here; the next poll tries again, and the rest of the run is shown meanwhile.
    byId("champion-words").textContent = fault.message;
    byId("champion-picture").replaceChildren();
  }
}

async function newest() {
  const ask = (after) => get(`/api/run?name=${name}&after=${after}`);
  const news = await ask(lines.length ? lines.at(-1).generation : "");
  if (begun === null || begun === news.begun) return news;
  // Another run has its name now: what is known belongs to the previous one.
  lines = [];
  champion = rules = begun = null;
  byId("champion-words").textContent = NONE;
  byId("champion-picture").replaceChildren();
  return ask("");
}

async function look() {
  try {
    const news = await newest();
    const warned = news.warnings.length ? [`Warning: ${news.warnings.join("; ")}`] : [];
    byId("error").textContent = [...news.notices, ...warned].join("; ");
    if (begun === null || news.lines.length) {
      lines.push(...news.lines);
      charts();
      if (begun !== null) byId("say").textContent = `Generation ${news.generation} is finished, champion ${news.champion}.`;
    }
    begun = news.begun;
    byId("title").textContent = `Run ${news.run}`;
    byId("summary").textContent = `${news.game.charAt(0).toUpperCase()}${news.game.slice(1)}, ${news.members} members, seed ${news.seed}. ${news.isFinished ? "The run is finished." : `The page refreshes every ${EVERY_MS / 1000} seconds.`}`;
    tiles(news);
    await drawChampion(news);
    tiles(news);
  } catch (fault) {
    byId("error").textContent = fault.message;
    if (begun === null) byId("summary").textContent = "";
  }
  setTimeout(look, EVERY_MS);
}

// A page of one of several runs links back to the list of all.
async function begin() {
  let runs = [];
  try {
    runs = (await get("/api/runs")).runs;
  } catch {
    // reported by the requests that follow
  }
  if (runs.length > 1 && !name) return (await import("./runs.js")).watchRuns();
  byId("all-runs").hidden = runs.length < 2;
  return look();
}

begin();
