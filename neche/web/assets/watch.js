// The page of a run: asks every two seconds for what is new.

import { byId, element, get } from "./api.js";
import { chart } from "./charts.js";
import { networkPicture } from "./network.js";

const EVERY_MS = 2000;
let lines = [], champion = null, rules = null, run = null;

const curve = (key) => lines.filter((line) => typeof line[key] === "number").map((line) => [line.generation, line[key]]);

function ladderCurves() {
  const rungs = [...new Set(lines.flatMap((line) => Object.keys(line.ladder || {})))];
  return rungs.map((rung) => [rung, lines.filter((line) => line.ladder && rung in line.ladder)
    .map((line) => [line.generation, line.ladder[rung]])]);
}

function tiles(news) {
  const ago = news.idle === null ? "" : news.idle < 90 ? `${Math.round(news.idle)} s ago` : `${Math.round(news.idle / 60)} min ago`;
  const facts = [
    ["Generation", news.generation === null ? "none yet" : `${news.generation} of ${news.of}`],
    ["Champion", news.champion || "none yet"],
    ["Depth of search", news.depth ?? "–"],
    ["Generations a minute", news.perMinute ?? "–"],
    ["Last one finished", ago || "–"],
  ];
  byId("tiles").replaceChildren(...facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));
}

function charts() {
  const errors = curve("prediction_error");
  byId("charts").replaceChildren(
    chart("Champion’s score against fixed players", ladderCurves(), { span: [0, 1], half: true }),
    ...(errors.length ? [chart("Error of prediction", [["centre", errors], ["best member", curve("best_prediction_error")]])] : []),
    chart("Diversity: distance between members", [["genomes", curve("distance")], ["live parts", curve("wired_distance")]]),
    chart("What the networks use, on average", [["live synapses", curve("live_synapses")], ["squares seen", curve("squares_seen")], ["hidden neurons", curve("hidden_neurons")]]),
    chart("Games", [["drawn", curve("draws")], ["best score", curve("best_score")]], { span: [0, 1], half: true }),
  );
}

async function drawChampion(news) {
  if (!news.champion || news.champion === champion) return;
  const lit = await get("/api/champion");
  rules = rules || (await get(`/api/games/${news.game}`));
  champion = news.champion;
  byId("champion-words").textContent = `${lit.id}: ${lit.synapses} live synapses; activations at the start of a game, seen by ${lit.view}.`;
  byId("champion-picture").replaceChildren(networkPicture(lit, rules, rules.turned[rules.sides.indexOf(lit.view)]));
}

async function look() {
  try {
    const news = await get(`/api/run?after=${lines.length ? lines.at(-1).generation : ""}`);
    byId("error").textContent = news.warnings.length ? `Warning: ${news.warnings.join("; ")}` : "";
    if (run === null || news.lines.length) {
      lines.push(...news.lines);
      charts();
      if (run !== null) byId("say").textContent = `Generation ${news.generation} is finished, champion ${news.champion}.`;
      await drawChampion(news);
    }
    run = news.run;
    byId("title").textContent = `Run ${news.run}`;
    byId("summary").textContent = `${news.game}, ${news.members} members, seed ${news.seed}. The page looks again every ${EVERY_MS / 1000} seconds.`;
    tiles(news);
  } catch (fault) {
    byId("error").textContent = fault.message;
  }
  setTimeout(look, EVERY_MS);
}

look();
