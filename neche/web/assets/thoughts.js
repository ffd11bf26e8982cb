// What a player thinks of the position: the bar beside the board, its value, its line, its table of moves.

import { byId, element } from "./api.js";

// The light side's share of the bar: by the result of a game that is over, else by the newest analysis.
function lightShare(state, rules) {
  const light = rules.sides.indexOf("White");
  if (state.verdict) return state.verdict.startsWith("Draw") ? 0.5 : state.verdict.startsWith(rules.sides[light]) ? 1 : 0;
  const analysis = state.thinking;
  if (!analysis || analysis.chance === undefined) return null;
  return analysis.side === light ? analysis.chance : 1 - analysis.chance;
}

export function showBar(state, rules) {
  const share = lightShare(state, rules), root = byId("meter");
  root.classList.toggle("unknown", share === null);
  byId("meter-fill").style.width = `${100 * (share ?? 0.5)}%`;
  root.setAttribute("aria-label", state.verdict ? state.verdict : share === null ? "The position has not been evaluated yet"
    : `${state.thinking.player} gives White ${Math.round(100 * share)} of 100`);
}

export function showAnalysis(state, rules) {
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
}
