// Curves over generations: a few lines, two axes, and the newest value of each line as text.

import { drawn, element } from "./api.js";

const WIDTH = 520, HEIGHT = 250, LEFT = 46, RIGHT = 12, TOP = 12, BOTTOM = 40;
const COLOURS = ["#3a8fd0", "#d9731a", "#3d9a6b", "#b0569b", "#8a7a1f", "#5f7382", "#c14b4b", "#3aa7a3"];

// At least two significant digits: prediction errors are as small as 0.009, and dense networks have 100 000 synapses.
const written = (value) => (value === null ? "" : Math.abs(value) >= 10_000 ? `${(value / 1000).toFixed(1)}k`
  : Math.abs(value) >= 20 ? value.toFixed(0) : Math.abs(value) >= 2 ? value.toFixed(1)
  : Math.abs(value) >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2));
// Ticks show all their digits, which are few, so that no two look alike.
const tick = (value) => (Math.abs(value) >= 10_000 ? `${value / 1000}k` : String(value));

const word = (text, x, y, anchor) => drawn("text", { x, y, "text-anchor": anchor }, text);

function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

// The powers of ten that enclose all values; none unless the values are positive and far apart.
function decades(values) {
  const least = values.reduce((low, value) => Math.min(low, value), Infinity);
  const most = values.reduce((high, value) => Math.max(high, value), 0);
  if (!(least > 0) || most < 30 * least) return [];
  const low = Math.floor(Math.log10(least) + 1e-9), high = Math.ceil(Math.log10(most) - 1e-9);
  return Array.from({ length: high - low + 1 }, (_, at) => Number(`1e${low + at}`));
}

// lines: [name, [[generation, value], …]] each. span: [low, high] or null. half: draw a line at 0.5.
// mayBeLog: use a logarithmic scale if values are far apart.
// marks: [generation, words], where something changed. bands: [index of a line, [[generation, low, high], …]].
export function chart(title, lines, { span = null, half = false, marks = [], bands = [], mayBeLog = false } = {}) {
  const ranges = bands.flatMap(([, list]) => list.map(([at, , high]) => [at, high]));
  const points = [...lines.flatMap(([, list]) => list), ...ranges];
  // not Math.max(...): long runs have more points than a call may have arguments
  const first = points.reduce((least, [x]) => Math.min(least, x), 0);
  const last = points.reduce((most, [x]) => Math.max(most, x), 1);
  const powers = mayBeLog ? decades(points.map(([, y]) => y)) : [];
  const [low, high] = span || (powers.length ? [powers[0], powers.at(-1)] : null) || [0, points.reduce((most, [, y]) => Math.max(most, y), 1e-9) * 1.08];
  const x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - first)) / (last - first);
  const scaled = powers.length ? Math.log : (value) => value;
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (scaled(value) - scaled(low)) / (scaled(high) - scaled(low) || 1));
  const words = lines.filter(([, list]) => list.length).map(([name, list]) => `${name} ${written(list.at(-1)[1])}`).join(", ");
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}, newest: ${words || "nothing yet"}${marks.map(([at, said]) => `; ${said} from generation ${at}`).join("")}` });
  for (const value of powers.length ? powers : ticks(low, high, 5)) {
    picture.append(drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }), word(tick(value), LEFT - 7, y(value) + 4, "end"));
  }
  for (const value of ticks(first, last, 6).filter(Number.isInteger)) picture.append(word(String(value), x(value), HEIGHT - BOTTOM + 18, "middle"));
  picture.append(word("generation", WIDTH - RIGHT, HEIGHT - 5, "end"));
  if (powers.length) picture.append(word("logarithmic scale", LEFT, HEIGHT - 5, "start"));
  if (half) picture.append(drawn("line", { class: "half", x1: LEFT, x2: WIDTH - RIGHT, y1: y(0.5), y2: y(0.5) }));
  for (const [index, list] of bands) {
    const path = [...list.map(([at, , high]) => [at, high]), ...list.map(([at, low]) => [at, low]).reverse()];
    picture.append(drawn("polygon", { class: "band", points: path.map(([gx, gy]) => `${x(gx).toFixed(1)},${y(gy).toFixed(1)}`).join(" "), fill: COLOURS[index % COLOURS.length] }));
  }
  lines.forEach(([, list], index) => {
    if (!list.length) return;
    const colour = COLOURS[index % COLOURS.length];
    const path = list.map(([gx, gy], at) => `${at ? "L" : "M"}${x(gx).toFixed(1)} ${y(gy).toFixed(1)}`).join("");
    picture.append(drawn("path", { d: path, fill: "none", stroke: colour, "stroke-width": 2.2, "stroke-linejoin": "round" }));
    picture.append(drawn("circle", { cx: x(list.at(-1)[0]), cy: y(list.at(-1)[1]), r: 3.5, fill: colour }));
  });
  for (const [generation, words] of marks) {
    picture.append(drawn("line", { class: "mark", x1: x(generation), x2: x(generation), y1: TOP, y2: HEIGHT - BOTTOM }));
    // the label goes on the side that has room
    const isLate = x(generation) > WIDTH * 0.75;
    const noted = word(words, x(generation) + (isLate ? -5 : 5), HEIGHT - BOTTOM - 6, isLate ? "end" : "start");
    noted.setAttribute("class", "said");
    picture.append(noted);
  }
  const said = lines.map(() => element("span"));
  const legend = element("ul", { className: "legend" }, ...said.map((words, index) => {
    const mark = element("i");
    mark.style.color = COLOURS[index % COLOURS.length];
    return element("li", {}, mark, words);
  }));
  const pointer = drawn("line", { class: "pointer", y1: TOP, y2: HEIGHT - BOTTOM, visibility: "hidden" });
  picture.append(pointer);

  // Show each line's last value up to a generation; its newest value if generation is null.
  function tell(generation) {
    lines.forEach(([name, list], index) => {
      const at = generation === null ? list.at(-1) : list.findLast(([known]) => known <= generation);
      said[index].textContent = at ? `${name} ${written(at[1])}` : name;
    });
    const isShown = generation !== null;
    pointer.setAttribute("visibility", isShown ? "visible" : "hidden");
    if (isShown) for (const end of ["x1", "x2"]) pointer.setAttribute(end, x(generation));
    heading.textContent = isShown ? `${title}: generation ${generation}` : title;
  }
  const heading = element("h2");
  tell(null);
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * WIDTH;
    const generation = Math.round(first + ((across - LEFT) / (WIDTH - LEFT - RIGHT)) * (last - first));
    tell(Math.max(first, Math.min(last, generation)));
  });
  picture.addEventListener("pointerleave", () => tell(null));
  return element("section", { className: "card chart" }, heading, picture, legend);
}
