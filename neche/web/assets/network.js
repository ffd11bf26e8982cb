// A network as a picture: the board its sensors see, its neurons in columns, and the activations between them.

import { counted, drawn } from "./api.js";

const CELL = 24, TOP = 32, WIDTH = 920;

const shown = (number) => (Math.abs(number) >= 100 ? number.toFixed(0) : number.toFixed(2)).replace("-", "−");

// The words beside a picture that does not show every hidden neuron.
export function leftOut(lit) {
  const count = lit.neurons.filter((neuron) => neuron.kind.startsWith("layer")).length;
  return lit.leftOut
    ? `, ${count} of ${count + lit.leftOut} hidden neurons drawn: the others pass on less or nothing` : "";
}

// lit: activations as the server sends them. rules: of the game, for its board. turned: as the board beside it.
export function networkPicture(lit, rules, turned) {
  const places = new Map(rules.squares.map(([name, column, row]) =>
    [name, turned ? [rules.columns - 1 - column, rules.rows - 1 - row] : [column, row]]));
  const size = CELL * rules.columns;
  const columns = { bias: [], layer1: [], layer2: [], output: [] };
  for (const neuron of lit.neurons) if (neuron.kind !== "sensor") columns[neuron.kind].push(neuron);
  const tallest = Math.max(...Object.values(columns).map((list) => list.length));
  const height = Math.max(CELL * rules.rows, Math.min(tallest * 17, 560)) + TOP + 30;
  const middle = TOP + (height - TOP - 30) / 2;
  const board = [10, middle - (CELL * rules.rows) / 2];
  const at = new Map();
  for (const neuron of lit.neurons) {
    // a sensor of a pattern lies in the middle of its squares
    const seen = neuron.kind === "sensor" ? neuron.square.split(" ").filter((name) => places.has(name)) : [];
    if (seen.length) {
      const [column, row] = [0, 1].map((axis) =>
        seen.reduce((sum, name) => sum + places.get(name)[axis], 0) / seen.length);
      at.set(neuron.id, [board[0] + CELL * (column + 0.5), board[1] + CELL * (row + 0.5)]);
    }
  }
  const used = Object.entries(columns).filter(([, list]) => list.length);
  const left = board[0] + size + 90;
  used.forEach(([, list], index) => {
    const x = used.length === 1 ? WIDTH - 90 : left + ((WIDTH - 90 - left) * index) / (used.length - 1);
    const gap = Math.min(40, (height - TOP - 30) / Math.max(1, list.length));
    list.forEach((neuron, place) => at.set(neuron.id, [x, middle + gap * (place - (list.length - 1) / 2), gap]));
  });
  const picture = drawn("svg", { class: "net", viewBox: `0 0 ${WIDTH} ${height}`, role: "img",
    "aria-label": `Network with ${counted(lit.synapses, "live synapse")}. Value ${lit.words} for ${lit.view}.` });
  picture.append(ground(rules, places, board), synapses(lit, at), neurons(lit, at));
  const titles = { bias: "bias", layer1: "layer 1", layer2: "layer 2", output: "value" };
  for (const [kind, list] of used) picture.append(label(titles[kind], at.get(list[0].id)[0], 22));
  // the words may be wider than a small board
  picture.append(label(`what ${lit.view} sees`, board[0], 22, { "text-anchor": "start" }));
  // a finger cannot hover: a tap shows the words of a tooltip below the picture
  const said = label("", WIDTH / 2, height - 8, { class: "on" });
  picture.append(said);
  picture.addEventListener("click", (event) => { said.textContent = event.target.querySelector(":scope > title")?.textContent ?? ""; });
  return picture;
}

const label = (words, x, y, look = {}) => drawn("text", { x, y, "text-anchor": "middle", ...look }, words);

function titled(shape, words) {
  shape.append(drawn("title", {}, words));
  return shape;
}

function ground(rules, places, [left, top]) {
  const group = drawn("g");
  group.append(drawn("rect", { x: left, y: top, width: CELL * rules.columns, height: CELL * rules.rows,
    fill: "none", stroke: "var(--line)" }));
  for (const [column, row] of places.values()) {
    group.append(drawn("rect", { class: "cell", x: left + CELL * column, y: top + CELL * row, width: CELL, height: CELL }));
  }
  return group;
}

function synapses(lit, at) {
  const group = drawn("g", { fill: "none" });
  const most = Math.max(1e-9, ...lit.links.map((link) => Math.abs(link[3])));
  const byId = new Map(lit.neurons.map((neuron) => [neuron.id, neuron]));
  for (const [source, sink, weight, carried] of lit.links) {
    if (!at.has(source) || !at.has(sink)) continue;
    const [x0, y0] = at.get(source), [x1, y1] = at.get(sink);
    const share = Math.sqrt(Math.abs(carried) / most);
    const bend = (x1 - x0) / 2;
    const line = drawn("path", { d: `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`,
      stroke: carried === 0 ? "var(--line)" : carried > 0 ? "var(--plus)" : "var(--minus)",
      "stroke-width": (0.5 + 3.2 * share).toFixed(2), "stroke-opacity": (carried === 0 ? 0.5 : 0.2 + 0.65 * share).toFixed(2) });
    group.append(titled(line, `${name(byId.get(source))} → ${name(byId.get(sink))}: weight ${shown(weight)}, carries ${shown(carried)}`));
  }
  return group;
}

function name(neuron) {
  if (neuron.kind === "sensor") return neuron.piece ? `${neuron.piece.replace(/^(own|enemy)$/, "$1 disc")} on ${neuron.square}` : `square ${neuron.square}`;
  return neuron.kind === "output" ? "value" : `${neuron.kind.replace("layer", "layer ")} neuron ${neuron.id}`;
}

function neurons(lit, at) {
  const group = drawn("g");
  const most = Math.max(1e-9, ...lit.neurons.filter((neuron) => neuron.kind.startsWith("layer")).map((neuron) => Math.abs(neuron.value)));
  for (const found of lit.neurons) {
    if (!at.has(found.id)) continue;
    // the final value may be a difference of two views
    const neuron = found.kind === "output" ? { ...found, value: lit.value } : found;
    const [x, y, gap] = at.get(neuron.id);
    const isSensor = neuron.kind === "sensor";
    const radius = isSensor ? (neuron.value ? 7.5 : 2) : neuron.kind === "output" ? 15 : Math.max(2.5, Math.min(9, (gap || 20) / 2 - 1));
    const share = isSensor ? Math.abs(neuron.value) / 2 + 0.3 : neuron.kind === "bias" ? 0.25
      : neuron.kind === "output" ? 0.9 : Math.sqrt(Math.abs(neuron.value) / most);
    const isEnemy = isSensor && /^enemy( man| king)?$/.test(neuron.piece);
    const fill = isEnemy && neuron.value ? "var(--minus)" : neuron.value > 0 ? "var(--plus)" : neuron.value < 0 ? "var(--minus)" : "var(--card)";
    const back = drawn("circle", { cx: x, cy: y, r: radius, fill: "var(--card)" });
    const spot = drawn("circle", { class: "neuron", cx: x, cy: y, r: radius, fill, "fill-opacity": Math.min(1, share).toFixed(2) });
    group.append(back, titled(spot, `${name(neuron)}: ${shown(neuron.value)}`));
    if (neuron.kind === "output") group.append(label(lit.words, x, y + radius + 22, { class: "on" }));
  }
  return group;
}
