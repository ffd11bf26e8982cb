// The page of several runs: a list of them, and the curves of the ticked ones.

import { byId, element, get } from "./api.js";
import { chart } from "./charts.js";
import { lasting, pace } from "./pace.js";

const EVERY_MS = 5000, MOST_AT_FIRST = 8, FEWEST_FOR_A_BAND = 3;
const lines = new Map(), begun = new Map(), ticked = new Set();
let runs = [], isFirst = true;

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const players = () => [...new Set(runs.flatMap((run) => Object.keys(run.ladder || {})))].filter((key) => key !== "generation");
const points = (run, value) => (lines.get(run.name) || []).map((line) => [line.generation, value(line)]).filter(([, found]) => typeof found === "number");

// Mean and range over runs, for the generations that at least two of them have reached.
function band(curves) {
  const found = new Map();
  for (const [generation, value] of curves.flat()) found.set(generation, [...(found.get(generation) || []), value]);
  return [...found].filter(([, values]) => values.length > 1).sort(([one], [other]) => one - other)
    .map(([generation, values]) => [generation, mean(values), Math.min(...values), Math.max(...values)]);
}

// Runs with equal settings form one band if there are enough of them; the others get a line each. There is no
// chart of a figure that no run has.
function curves(title, value, options = {}) {
  const shown = runs.filter((run) => ticked.has(run.name)), groups = new Map(), drawn = [], bands = [];
  for (const run of shown) groups.set(kind(run), [...(groups.get(kind(run)) || []), run]);
  for (const [label, members] of groups) {
    if (members.length < FEWEST_FOR_A_BAND) {
      for (const run of members) drawn.push([run.name, points(run, value)]);
      continue;
    }
    const found = band(members.map((run) => points(run, value)));
    bands.push([drawn.length, found.map(([at, , low, high]) => [at, low, high])]);
    drawn.push([`${label || "all"}, mean of ${members.length} seeds`, found.map(([at, middle]) => [at, middle])]);
  }
  return drawn.some(([, list]) => list.length) ? [chart(title, drawn, { ...options, bands })] : [];
}

const games = () => new Set(runs.filter(({ fault }) => !fault).map(({ game }) => game));
const kind = (run) => [games().size > 1 ? run.game : "", run.settings].filter(Boolean).join(", ");

function charts() {
  const player = byId("against").value;
  byId("charts").replaceChildren(
    ...curves(`Champion’s score against ${player || "fixed players"}`, (line) => (line.ladder || {})[player], { span: [0, 1], half: true }),
    ...curves("Diversity: distance between wired genes", (line) => line.wired_distance),
    ...curves("Hidden neurons in use, on average", (line) => line.hidden_neurons),
    ...curves("Squares seen, on average", (line) => line.squares_seen),
  );
}

function row(run) {
  const tick = element("input", { type: "checkbox", "aria-label": `Show the curves of ${run.name}` });
  tick.checked = ticked.has(run.name);
  tick.addEventListener("change", () => {
    if (tick.checked) ticked.add(run.name); else ticked.delete(run.name);
    show(true).catch(complain);
  });
  const name = element("a", { href: `/watch?run=${encodeURIComponent(run.name)}` }, run.name);
  if (run.fault) return element("tr", {}, element("td"), element("td", {}, name), element("td", { colspan: 5, className: "error" }, run.fault));
  const scores = Object.entries(run.ladder || {}).filter(([key]) => key !== "generation").map(([, score]) => score);
  const cells = [kind(run), run.seed, run.generation === null ? "none yet" : `${run.generation} of ${run.of}`,
    scores.length ? mean(scores).toFixed(2) : "", pace(run)[1] + (run.isFinished || run.idle === null ? "" : `, last ${lasting(run.idle)} ago`)];
  return element("tr", {}, element("td", {}, tick), element("td", {}, name), ...cells.map((cell) => element("td", {}, String(cell))));
}

function table() {
  const heads = ["", "Run", "Settings", "Seed", "Generation", "Mean score", "Time left"];
  const focused = document.activeElement.closest("#runs *");
  byId("runs").replaceChildren(element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...runs.map(row)));
  [...byId("runs").querySelectorAll("input, a")].find((one) => one.outerHTML === focused?.outerHTML)?.focus();
  const names = players(), chosen = byId("against").value;
  if (names.join() !== [...byId("against").options].map((option) => option.value).join()) {
    byId("against").replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(chosen)) byId("against").value = chosen;
  }
}

// Fetch what is new in the ticked runs, and redraw only if there is anything, lest charts move under the pointer.
async function show(isNew) {
  for (const run of runs.filter(({ name, fault }) => ticked.has(name) && !fault)) {
    if (begun.get(run.name) !== run.begun) lines.delete(run.name);
    begun.set(run.name, run.begun);
    const known = lines.get(run.name) || [];
    if (known.length && known.at(-1).generation === run.generation) continue;
    const after = known.length ? known.at(-1).generation : "";
    const news = await get(`/api/run?name=${encodeURIComponent(run.name)}&after=${after}`);
    lines.set(run.name, [...known, ...news.lines]);
    isNew = true;
  }
  if (isNew) charts();
}

const complain = (fault) => { byId("error").textContent = fault.message; };

async function look() {
  try {
    runs = (await get("/api/runs")).runs;
    const wasFirst = isFirst;
    if (isFirst) for (const run of runs.slice(0, MOST_AT_FIRST)) ticked.add(run.name);
    isFirst = false;
    byId("error").textContent = "";
    byId("summary").textContent = `${runs.filter((run) => run.isFinished).length} of ${runs.length} are finished. Tick runs to show their curves; the page refreshes every ${EVERY_MS / 1000} seconds.`;
    byId("title").textContent = `${runs.length} runs`;
    table();
    await show(wasFirst);
  } catch (fault) {
    complain(fault);
  }
  setTimeout(look, EVERY_MS);
}

export function watchRuns() {
  byId("overview").hidden = false;
  byId("champion").hidden = true;
  byId("against").addEventListener("change", charts);
  look();
}
