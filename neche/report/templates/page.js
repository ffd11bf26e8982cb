"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  document.documentElement.classList.add("js");
  for (const part of document.querySelectorAll(".hint, .readout")) part.hidden = false;

  // A group of parts is a single Tab stop; arrow keys move from part to part.
  const rove = (parts, act) => {
    parts.forEach((part, at) => {
      part.setAttribute("tabindex", at ? "-1" : "0");
      part.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (step) {
          const next = parts[(at + step + parts.length) % parts.length];
          parts.forEach((other) => other.setAttribute("tabindex", other === next ? "0" : "-1"));
          next.focus();
          event.preventDefault();
        } else if (event.key === "Enter" || event.key === " ") {
          act(part);
          event.preventDefault();
        }
      });
    });
  };

  for (const figure of document.querySelectorAll("figure.network")) {
    const readout = figure.querySelector(".readout");
    const synapses = [...figure.querySelectorAll(".synapse")];
    const squares = [...figure.querySelectorAll(".square")];
    const neurons = [...figure.querySelectorAll(".neuron")];
    const picture = figure.querySelector("svg");
    let chosen = null;
    picture.setAttribute("role", "group");
    const say = (part) => { readout.textContent = part.dataset.said; };
    const follow = (neuron, way, found) => {
      for (const synapse of synapses) {
        const { source, sink } = synapse.dataset;
        const ends = way > 0 ? source.split(" ") : [sink];
        if (!ends.includes(neuron) || found.has(synapse)) continue;
        found.add(synapse);
        follow(way > 0 ? sink : source, way, found);
      }
      return found;
    };
    const choose = (part) => {
      chosen = chosen === part ? null : part;
      const lit = chosen ? follow(part.dataset.neuron, 1, new Set()) : new Set();
      if (chosen && part.classList.contains("neuron")) follow(part.dataset.neuron, -1, new Set()).forEach((one) => lit.add(one));
      figure.classList.toggle("chosen", chosen !== null);
      synapses.forEach((synapse) => synapse.classList.toggle("lit", lit.has(synapse)));
      [...squares, ...neurons].forEach((other) => other.classList.toggle("lit", other === chosen));
      say(part);
    };
    for (const part of [...synapses, ...squares, ...neurons]) {
      part.setAttribute("aria-label", part.dataset.said);
      part.setAttribute("role", part.classList.contains("synapse") ? "img" : "button");
      part.addEventListener("focus", () => say(part));
      part.addEventListener("pointerenter", () => { if (!chosen || part.classList.contains("lit")) say(part); });
    }
    for (const part of [...squares, ...neurons]) part.addEventListener("click", () => choose(part));
    for (const part of synapses) part.addEventListener("click", () => say(part));
    rove(squares, choose);
    rove(neurons, choose);
    rove(synapses, say);
  }

  for (const figure of document.querySelectorAll("figure.game")) {
    const game = JSON.parse(figure.querySelector("script").textContent);
    const last = game.moves.length;
    const board = figure.querySelector("svg");
    const pieces = board.querySelector(".pieces"), trace = board.querySelector(".last");
    const output = figure.querySelector("output");
    const final = board.getAttribute("aria-label");
    let ply = last, printed = last;
    const shape = (name, values) => {
      const made = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
      return made;
    };
    const buttons = [...figure.querySelectorAll("[data-ply]")].map((span) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.textContent = span.textContent;
      button.className = span.className;
      button.addEventListener("click", () => show(Number(span.dataset.ply)));
      span.replaceWith(button);
      return button;
    });
    const show = (to) => {
      ply = Math.max(0, Math.min(last, to));
      pieces.replaceChildren(...[...game.boards[ply]].flatMap((letter, at) =>
        letter === "." ? [] : [shape("use", { href: "#piece-" + letter, x: game.centres[at][0], y: game.centres[at][1] })]));
      trace.replaceChildren(...(ply ? game.squares[ply - 1] : []).map((at) => shape("rect", {
        x: game.centres[at][0] - game.cell / 2, y: game.centres[at][1] - game.cell / 2,
        width: game.cell, height: game.cell, fill: "#FFE066", "fill-opacity": 0.5 })));
      output.textContent = `ply ${ply} of ${last}` + (ply ? `: ${game.moves[ply - 1]}` : "");
      board.setAttribute("aria-label", ply === last ? final : output.textContent);
      buttons.forEach((button, at) => button.classList.toggle("now", at === ply - 1));
      const now = buttons[ply - 1];
      if (now) {
        const list = now.closest("ol"), offset = now.offsetTop - list.offsetTop;
        if (offset < list.scrollTop || offset > list.scrollTop + list.clientHeight - 30) list.scrollTop = offset - list.clientHeight / 2;
      }
    };
    const go = { first: () => show(0), back: () => show(ply - 1), forward: () => show(ply + 1), last: () => show(last) };
    for (const button of figure.querySelectorAll("[data-go]")) button.addEventListener("click", go[button.dataset.go]);
    figure.addEventListener("keydown", (event) => {
      const action = { ArrowLeft: go.back, ArrowRight: go.forward, Home: go.first, End: go.last }[event.key];
      if (action) { action(); event.preventDefault(); }
    });
    window.addEventListener("beforeprint", () => { printed = ply; show(last); });
    window.addEventListener("afterprint", () => show(printed));
    figure.querySelector(".buttons").hidden = false;
    show(last);
  }
})();
