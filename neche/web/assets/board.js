// The board: squares to click, drag between and navigate by keyboard. It knows legal moves, not the rules.

import { element, isPlain } from "./api.js";
import { arrows } from "./arrows.js";

const DRAG_PIXELS = 6;

export class Board {
  // play: called with the text of a chosen move. tell: called with a message about the selection.
  // refuse: called with the reason why a click does nothing. setGame takes rules as the server describes them.
  constructor(root, { play, tell, refuse }) {
    Object.assign(this, { root, play, tell, refuse, numbered: true });
    this.chosen = [];
    this.drag = null;
    root.addEventListener("pointermove", (event) => this.#dragOn(event));
    root.addEventListener("pointerup", (event) => this.#drop(event));
    root.addEventListener("pointercancel", () => this.#endDrag());
    root.addEventListener("keydown", (event) => this.#walk(event));
  }

  setGame(rules) {
    this.rules = rules;
    this.closed = "";
    this.turned = false;
    this.state = null;
    this.men = new Map();
    this.#lay();
  }

  turn(turned) {
    if (this.turned === turned) return;
    this.turned = turned;
    this.#lay();
    if (this.state) this.show(this.state, this.closed);
  }

  // Show or hide the numbers of the squares.
  number(numbered) {
    this.numbered = numbered;
    if (this.rules) this.root.querySelector("img").src = this.#ground();
  }

  #ground() {
    return `/board/${this.rules.name}/${this.turned ? "turned" : "straight"}${this.numbered ? "" : "-plain"}.svg`;
  }

  // closed: why the person may not move now; empty if they may
  show(state, closed) {
    const before = this.state;
    this.state = state;
    this.closed = closed;
    this.root.setAttribute("aria-busy", "false");
    this.chosen = [];
    this.#place(before, state);
    this.#mark();
  }

  // Show the pieces of the start position, before its legal moves are known.
  setOut() {
    this.#place(null, { game: this.rules.name, pieces: this.rules.start });
  }

  // Allow no moves until the next `show`.
  close(words) {
    this.closed = words;
    this.chosen = [];
    this.#endDrag();
    this.root.setAttribute("aria-busy", "true");
    if (this.state) this.#mark();
  }

  get isOpen() {
    return this.closed === "" && this.state !== null;
  }

  // Frame squares, and draw moves as arrows: the squares of each, in the order of the best line.
  hint(squares, moves) {
    for (const [name, square] of this.squares) square.classList.toggle("hinted", squares.includes(name));
    const drawable = moves.filter((names) => names.length > 0);
    this.pointers.replaceChildren(arrows(drawable, (name) => this.#corner(name), [this.rules.columns, this.rules.rows]));
  }

  #place(before, state) {
    const layer = this.layer;
    const glide = before && before.game === state.game && Math.abs(before.ply - state.ply) === 1;
    const from = glide && state.ply > before.ply && state.lastSquares.length > 1 ? state.lastSquares[0] : null;
    const to = from ? state.lastSquares[state.lastSquares.length - 1] : null;
    const men = new Map();
    const images = [];
    for (const [square, [side, isKing]] of Object.entries(state.pieces)) {
      const man = element("img", { className: "man", alt: "", draggable: "false",
        src: `/piece/${state.game}/${side}${isKing ? "k" : "m"}.svg` });
      this.#put(man, square);
      men.set(square, man);
      images.push(man);
    }
    layer.replaceChildren(...images);
    this.men = men;
    if (to && men.has(to) && !this.wasDragged && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const [x0, y0] = this.#corner(from), [x1, y1] = this.#corner(to);
      men.get(to).animate(
        [{ transform: `translate(${(x0 - x1) * 100}%, ${(y0 - y1) * 100}%)` }, { transform: "none" }],
        { duration: 220, easing: "ease-in-out" });
    }
    this.wasDragged = false;
  }

  #corner(name) {
    const [column, row] = this.places.get(name);
    return this.turned ? [this.rules.columns - 1 - column, this.rules.rows - 1 - row] : [column, row];
  }

  #put(man, name) {
    const [column, row] = this.#corner(name);
    man.style.left = `${(100 * column) / this.rules.columns}%`;
    man.style.top = `${(100 * row) / this.rules.rows}%`;
    man.style.width = `${100 / this.rules.columns}%`;
    man.style.height = `${100 / this.rules.rows}%`;
  }

  #lay() {
    const { columns, rows, frame, cell, name } = this.rules;
    this.places = new Map(this.rules.squares.map(([square, column, row]) => [square, [column, row]]));
    this.coordinates = new Map(this.rules.squares.map(([square, , , coordinates]) => [square, coordinates]));
    const at = new Map(this.rules.squares.map(([square, column, row]) => [`${column} ${row}`, square]));
    const ground = element("img", { src: this.#ground(), alt: "", draggable: "false" });
    const [width, height] = [columns * cell + 2 * frame, rows * cell + 2 * frame];
    ground.style.aspectRatio = `${width} / ${height}`;
    const inset = { left: frame / width, right: frame / width, top: frame / height, bottom: frame / height };
    const grid = element("div", { className: "squares", role: "grid", "aria-label": `Board of ${name}`,
      "aria-rowcount": rows, "aria-colcount": columns });
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    grid.style.gridTemplateRows = `repeat(${rows}, minmax(0, 1fr))`;
    this.layer = element("div", { className: "men", "aria-hidden": "true" });
    this.pointers = element("div", { className: "pointers", "aria-hidden": "true" });
    for (const [side, share] of Object.entries(inset)) {
      for (const part of [grid, this.layer, this.pointers]) part.style[side] = `${100 * share}%`;
    }
    this.squares = new Map();
    for (let y = 0; y < rows; y++) {
      const row = element("div", { className: "row", role: "row" });
      for (let x = 0; x < columns; x++) {
        const square = at.get(this.turned ? `${columns - 1 - x} ${rows - 1 - y}` : `${x} ${y}`);
        row.append(square === undefined ? element("div", { role: "gridcell" }) : this.#square(square));
      }
      grid.append(row);
    }
    this.root.replaceChildren(ground, grid, this.layer, this.pointers);
    this.#setStop(this.stop && this.squares.has(this.stop) ? this.stop : this.squares.keys().next().value);
  }

  #square(name) {
    const square = element("button", { type: "button", className: "square", role: "gridcell", tabindex: "-1", "data-square": name });
    square.addEventListener("click", () => this.#click(name));
    square.addEventListener("focus", () => this.#setStop(name));
    square.addEventListener("pointerdown", (event) => this.#take(name, event));
    this.squares.set(name, square);
    return square;
  }

  #setStop(name) {
    if (this.stop && this.squares.has(this.stop)) this.squares.get(this.stop).tabIndex = -1;
    this.stop = name;
    if (this.squares.has(name)) this.squares.get(name).tabIndex = 0;
  }

  // Legal moves that begin with the chosen squares.
  #open() {
    return this.state.legal.filter((move) => this.chosen.every((square, at) => move.squares[at] === square));
  }

  #click(name) {
    if (this.hasDropped) {
      this.hasDropped = false;
      return;
    }
    if (!this.isOpen) return this.refuse(this.closed);
    const legal = this.state.legal;
    const single = legal.find((move) => move.squares.length === 1 && move.squares[0] === name);
    if (single) return this.play(single.text);
    if (this.chosen.length) {
      const open = this.#open();
      const ends = open.filter((move) => move.squares.at(-1) === name && move.squares.length > this.chosen.length);
      const ways = open.filter((move) => move.squares[this.chosen.length] === name);
      const found = ends.length === 1 ? ends : ways.length === 1 ? ways : [];
      if (found.length) return this.play(found[0].text);
      if (ways.length) {
        this.chosen.push(name);
        this.tell(`${name}: several captures continue from here; choose the next square.`);
        return this.#mark();
      }
      if (ends.length) {
        return this.refuse(`Several captures end on ${name}: choose a square on the way first.`);
      }
      if (this.chosen.length === 1 && this.chosen[0] === name) {
        this.chosen = [];
        this.tell(`${name} is no longer chosen.`);
        return this.#mark();
      }
    }
    if (legal.some((move) => move.squares[0] === name)) {
      this.chosen = [name];
      const ends = new Set(legal.filter((move) => move.squares[0] === name).map((move) => move.squares.at(-1)));
      this.tell(`${name} is chosen. It can go to ${[...ends].join(", ")}.`);
    } else {
      const isCapture = legal.some((move) => move.text.includes("x"));
      this.chosen = [];
      this.refuse(legal.every((move) => move.squares.length < 2) ? `No disc can be placed on ${name}.`
        : isCapture ? `Nothing can move from ${name}: captures are compulsory.`
        : this.state.pieces[name]?.[0] === 1 - this.state.turn ? `${this.rules.sides[this.state.turn]} is to move.`
        : `Nothing can move from ${name}.`);
    }
    return this.#mark();
  }

  #mark() {
    const open = this.isOpen ? this.#open() : [];
    const at = this.chosen.length;
    const targets = new Set(open.filter((move) => at || move.squares.length === 1).map((move) => move.squares.at(-1)));
    const ends = open.map((move) => move.squares.at(-1));
    const isVague = at && new Set(ends).size < ends.length;
    const ways = new Set(isVague ? open.map((move) => move.squares[at]).filter((name) => !targets.has(name)) : []);
    const movable = new Set(this.isOpen ? this.state.legal.filter((move) => move.squares.length > 1).map((move) => move.squares[0]) : []);
    this.root.classList.toggle("asking", at > 0);
    for (const [name, square] of this.squares) {
      const list = square.classList;
      list.toggle("can", movable.has(name));
      list.toggle("chosen", this.chosen.includes(name));
      list.toggle("target", targets.has(name));
      list.toggle("way", ways.has(name));
      list.toggle("last", this.state.lastSquares.includes(name));
      square.setAttribute("aria-label", this.#words(name, targets.has(name) || ways.has(name)));
      square.setAttribute("aria-selected", this.chosen.includes(name) ? "true" : "false");
    }
  }

  #words(name, isTarget) {
    const piece = this.state.pieces[name];
    const coordinates = this.coordinates.get(name);
    const kind = this.rules.hasKings ? (piece && piece[1] ? " king" : " man") : " disc";
    const words = [coordinates === name ? name : `${name}, ${coordinates}`];
    words.push(piece ? `${this.rules.sides[piece[0]]}${kind}` : "empty");
    if (isTarget) words.push("you can move here");
    return words.join(", ");
  }

  #walk(event) {
    if (event.key === "Escape" && this.state && this.chosen.length) {
      this.chosen = [];
      this.tell("Nothing is chosen.");
      return this.#mark();
    }
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const step = steps[event.key];
    const square = event.target.closest && event.target.closest("[data-square]");
    if (!step || !square || !isPlain(event)) return undefined;
    event.preventDefault();
    const [x, y] = this.#corner(square.dataset.square);
    const next = this.#beside(x, y, step);
    if (next) this.squares.get(next).focus();
    return undefined;
  }

  // The nearest square in a direction; on a board of dark squares the path up and down zigzags.
  #beside(x, y, [dx, dy]) {
    let best = null, least = Infinity;
    for (const name of this.squares.keys()) {
      const [column, row] = this.#corner(name);
      const ahead = dx ? (column - x) * dx : (row - y) * dy;
      const aside = dx ? row - y : column - x;
      if (ahead <= 0 || (dx && aside !== 0) || (dy && ahead !== 1)) continue;
      const wanted = y % 2 ? 0.1 : -0.1;
      const cost = ahead * 10 + Math.abs(aside + wanted);
      if (cost < least) [best, least] = [name, cost];
    }
    return best;
  }

  #take(name, event) {
    this.hasDropped = false;
    if (!this.isOpen || event.button !== 0 || !this.squares.get(name).classList.contains("can")) return;
    if (this.chosen.length && this.#open().some((move) => move.squares.at(-1) === name)) return;
    this.drag = { name, x: event.clientX, y: event.clientY, isMoving: false, pointer: event.pointerId };
  }

  #dragOn(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoving) {
      if (Math.hypot(dx, dy) < DRAG_PIXELS) return;
      drag.isMoving = true;
      this.root.setPointerCapture(event.pointerId);
      this.chosen = [drag.name];
      this.#mark();
      this.men.get(drag.name)?.classList.add("dragged");
    }
    const man = this.men.get(drag.name);
    if (man) man.style.transform = `translate(${dx}px, ${dy}px)`;
  }

  #drop(event) {
    const drag = this.drag;
    this.#endDrag();
    if (!drag || !drag.isMoving) return;
    const under = document.elementsFromPoint(event.clientX, event.clientY)
      .map((found) => found.closest("[data-square]")).find(Boolean);
    const name = under && under.dataset.square;
    if (name && name !== drag.name) {
      this.wasDragged = true;
      this.#click(name);
      setTimeout(() => { this.wasDragged = false; }, 400);
    }
    // the browser sends a click after a drop, which must be ignored
    this.hasDropped = true;
    setTimeout(() => { this.hasDropped = false; }, 0);
  }

  #endDrag() {
    const man = this.drag && this.men.get(this.drag.name);
    if (man) {
      man.style.transform = "";
      man.classList.remove("dragged");
    }
    this.drag = null;
  }
}
