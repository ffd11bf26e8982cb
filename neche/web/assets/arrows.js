// Arrows over the board: the best line, its first move strongest.

import { drawn } from "./api.js";

const HEAD = 0.3;

// moves: the squares of each, in playing order. corner: returns column and row of a square.
export function arrows(moves, corner, [columns, rows]) {
  const shapes = moves.map((squares, at) => {
    const points = squares.map((name) => corner(name).map((place) => place + 0.5));
    return points.length === 1 ? placed(points[0], at) : arrow(points, at);
  });
  return drawn("svg", { class: "arrows", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" }, ...shapes.reverse());
}

function arrow(points, at) {
  const [[x0, y0], [x1, y1]] = points.slice(-2);
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  // the line ends where the head begins
  const [nx, ny] = [x1 - dx * HEAD, y1 - dy * HEAD];
  const path = [...points.slice(0, -1), [nx, ny]].map(([x, y], number) => `${number ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("");
  const tip = `M${x1.toFixed(3)} ${y1.toFixed(3)}L${(nx - dy * HEAD * 0.75).toFixed(3)} ${(ny + dx * HEAD * 0.75).toFixed(3)}L${(nx + dy * HEAD * 0.75).toFixed(3)} ${(ny - dx * HEAD * 0.75).toFixed(3)}Z`;
  return drawn("g", { class: `arrow arrow-${at}` }, drawn("path", { class: "shaft", d: path }), drawn("path", { class: "tip", d: tip }));
}

function placed([x, y], at) {
  return drawn("g", { class: `arrow arrow-${at}` }, drawn("circle", { class: "shaft", cx: x, cy: y, r: 0.34 }));
}
