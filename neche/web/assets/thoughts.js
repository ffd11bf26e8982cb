// A player's evaluation of a position: the bar over the board, the value, the best line, the table of moves.

import { byId, element } from "./api.js";

// The light side's score by the result of a finished game; null while it is in progress.
export function resultShare(state, rules) {
  if (!state.verdict) return null;
  const winner = rules.sides.findIndex((side) => state.verdict.startsWith(`${side} wins`));
  return winner < 0 ? 0.5 : winner === rules.light ? 1 : 0;
}

// share: the light side's expected score, null if the position shown has not been evaluated
export function showBar(state, rules, share) {
  const root = byId("meter"), analysis = state.thinking;
  const isOver = state.verdict && state.ply === state.last;
  root.classList.toggle("unknown", share === null);
  byId("meter-fill").style.width = `${100 * (share ?? 0.5)}%`;
  const isOfThis = analysis && analysis.ply === state.ply && analysis.ahead;
  const score = { 0: "0–1", 0.5: "½–½", 1: "1–0" }[share], light = rules.sides[rules.light];
  byId("number").textContent = isOver ? `${light} ${score}` : isOfThis ? analysis.ahead : share === null ? "" : `${light} ${Math.round(100 * share)} %`;
  root.title = isOver ? state.verdict : share === null ? "The position has not been evaluated yet"
    : `${light}'s expected score: ${Math.round(100 * share)} of 100`;
  root.setAttribute("aria-label", root.title);
}

export function showAnalysis(state, rules) {
  const analysis = state.thinking;
  const list = (analysis && analysis.moves) || [];
  byId("analysis-scroll").hidden = list.length === 0;
  byId("analysis-value").textContent = (analysis && analysis.ahead) || "";
  byId("analysis-words").textContent = analysis ? facts(analysis, state, rules) : "No analysis yet. “Analyse” uses the player that you chose.";
  byId("analysis-line").textContent = analysis && analysis.pv && analysis.pv.length ? `Best line: ${analysis.pv.join("  ")}` : "";
  if (list.length) showTable(list, analysis.unit);
}

function facts(analysis, state, rules) {
  const isRunning = ["waiting", "thinking"].includes(analysis.status);
  const found = [analysis.player];
  found.push(`for ${rules.sides[analysis.side]}${analysis.ply === state.ply ? "" : ` after move ${analysis.ply}`}`);
  if (analysis.nodes) {
    if (!analysis.player.endsWith(`depth ${analysis.depth}`) && !analysis.player.endsWith(`depth=${analysis.depth}`)) found.push(`${analysis.depth} plies deep`);
    found.push(`${analysis.nodes.toLocaleString("en")} positions`);
  }
  if (analysis.playouts) found.push(`${analysis.playouts.toLocaleString("en")} playouts, ${analysis.rate.toLocaleString("en")} a second`);
  if (isRunning && !analysis.pv) found.push(analysis.status === "waiting" ? "waiting for its turn" : analysis.seconds > 3 ? "compiling, first time only" : "thinking");
  found.push(`${analysis.seconds.toFixed(1)} s`);
  return found.join(" · ");
}

// unit: what the values are, in words
function showTable(list, unit) {
  const table = byId("analysis-table");
  const hasVisits = list.some((entry) => entry.visits !== undefined);
  const names = hasVisits ? ["Move", unit, "Visits", ""] : ["Move", unit];
  table.tHead.replaceChildren(element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const most = Math.max(1, ...list.map((entry) => entry.visits || 0));
  table.tBodies[0].replaceChildren(...list.map((entry) => {
    const row = element("tr", {}, element("td", {}, entry.move), element("td", {}, entry.words));
    if (hasVisits) {
      const bar = element("span", { className: "bar" });
      bar.style.width = `${(100 * (entry.visits || 0)) / most}%`;
      row.append(element("td", {}, (entry.visits || 0).toLocaleString("en")), element("td", { className: "share" }, bar));
    }
    return row;
  }));
}
