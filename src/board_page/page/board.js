// The board: a drawing, overlaid by ninety cells that support clicks, dragging and the arrow keys.

import { colorFor, colorOf, shapeOf, toggle } from "./drawings.js";
import { GLYPHS } from "./glyphs.js";
import { h, s } from "./dom.js";
import { nameOf, pointsOf, squareOf } from "./tree.js";
import { pieceName, t } from "./words.js";

const CELL = 100;
const MARGIN = 78;
const WIDTH = 8 * CELL + 2 * MARGIN;
const HEIGHT = 9 * CELL + 2 * MARGIN;
const EM = 500;
/** Milliseconds after which a resting finger starts drawing. */
const LONG_PRESS = 450;

const TRADITIONAL = { K: "帥", A: "仕", B: "相", N: "馬", R: "車", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
const SIMPLIFIED = { ...TRADITIONAL, K: "帅", N: "马", R: "车", k: "将", n: "马", r: "车", c: "炮" };
const LETTERS = { K: "K", A: "A", B: "E", N: "H", R: "R", C: "C", P: "P" };

const signOf = (piece, style) =>
  style === "letters" ? LETTERS[piece.toUpperCase()] : (style === "simplified" ? SIMPLIFIED : TRADITIONAL)[piece];

/** The outline of a character, centred on a point. */
function outline(sign, x, y, size, properties = {}) {
  const glyph = GLYPHS[sign];
  if (!glyph) return null;
  const scale = size / EM;
  const middle = sign.charCodeAt(0) < 128 ? 0.365 : 0.38;
  return s("path", { transform: `translate(${(x - (glyph[0] / 2) * scale).toFixed(1)} ${(y + middle * size).toFixed(1)}) scale(${scale.toFixed(4)})`, d: glyph[1], ...properties });
}

function gradient(id, from, to) {
  return s("radialGradient", { id, cx: "38%", cy: "30%", r: "80%" }, s("stop", { offset: "0", "stop-color": from }), s("stop", { offset: "1", "stop-color": to }));
}

/** Draws a piece. Red is light with a double rim and Black dark, so that they can be told apart without colour vision. */
export function drawPiece(piece, style) {
  const isRed = piece === piece.toUpperCase();
  const sign = isRed ? "#9d1717" : "#fff6e0";
  return [
    s("circle", { class: "shade", cx: "2", cy: "5", r: "43" }),
    s("circle", { r: "43", fill: isRed ? "url(#ivory)" : "url(#ebony)", stroke: isRed ? "#7d4a25" : "#0d141b", "stroke-width": "2" }),
    s("circle", { r: "36", fill: "none", stroke: sign, "stroke-width": isRed ? "3" : "2", "stroke-opacity": isRed ? "1" : ".8" }),
    outline(signOf(piece, style), 0, 0, style === "letters" ? 50 : 56, { fill: sign }),
  ];
}

export function definitions() {
  return s("svg", { class: "definitions", "aria-hidden": "true", width: "0", height: "0" }, s("defs", {},
    gradient("ivory", "#fffdf4", "#f0d9ac"), gradient("ebony", "#44566a", "#16202b"),
    s("linearGradient", { id: "wood", x1: "0", y1: "0", x2: "1", y2: "1" },
      s("stop", { offset: "0", "stop-color": "#f1d9a7" }), s("stop", { offset: ".5", "stop-color": "#ebcd93" }), s("stop", { offset: "1", "stop-color": "#e3bf80" }))));
}

function grid() {
  const [right, bottom] = [WIDTH - MARGIN, HEIGHT - MARGIN];
  let path = "";
  for (let rank = 0; rank < 10; rank++) path += `M${MARGIN} ${MARGIN + rank * CELL}H${right}`;
  for (let file = 0; file < 9; file++) {
    const x = MARGIN + file * CELL;
    path += file === 0 || file === 8 ? `M${x} ${MARGIN}V${bottom}` : `M${x} ${MARGIN}v${4 * CELL}M${x} ${bottom}v${-4 * CELL}`;
  }
  for (const top of [MARGIN, bottom - 2 * CELL]) {
    const left = MARGIN + 3 * CELL;
    path += `M${left} ${top}l${2 * CELL} ${2 * CELL}M${left + 2 * CELL} ${top}l${-2 * CELL} ${2 * CELL}`;
  }
  let marks = "";
  for (const [file, rank] of [[1, 2], [7, 2], [1, 7], [7, 7], ...[0, 2, 4, 6, 8].flatMap((file) => [[file, 3], [file, 6]])]) {
    for (const dx of [-1, 1]) {
      if (file + dx < 0 || file + dx > 8) continue;
      for (const dy of [-1, 1]) {
        const [x, y] = [MARGIN + file * CELL + 9 * dx, MARGIN + rank * CELL + 9 * dy];
        marks += `M${x} ${y + 16 * dy}V${y}H${x + 16 * dx}`;
      }
    }
  }
  const river = (sign, column) => outline(sign, WIDTH / 2 + column * CELL, HEIGHT / 2, 54, { fill: "#7a5a30", opacity: ".62" });
  return [
    s("rect", { width: WIDTH, height: HEIGHT, rx: "14", fill: "url(#wood)" }),
    s("rect", { x: MARGIN - 9, y: MARGIN - 9, width: right - MARGIN + 18, height: bottom - MARGIN + 18, fill: "none", stroke: "#6b4a22", "stroke-width": "4" }),
    s("path", { d: path, fill: "none", stroke: "#6b4a22", "stroke-width": "2" }),
    s("path", { d: marks, fill: "none", stroke: "#6b4a22", "stroke-width": "2" }),
    river("楚", -2.6), river("河", -1.5), river("漢", 1.5), river("界", 2.6),
  ];
}

export class Board {
  /** `onmove(from, to)` is called with the squares of a legal move; `onedit(point, isErasing)` during setup; `ondraw(shapes)` with all
   * shapes when the user has drawn or, with none, cleared the drawings. */
  constructor(root, { onmove, onedit, ondraw }) {
    Object.assign(this, { root, onmove, onedit, ondraw, shapes: [], flipped: false, style: "characters", edgeStyle: "files", chosen: null, focus: squareOf("e0"), legal: [], men: [], pieces: Array(90).fill(null) });
    this.edges = s("g", {});
    this.under = s("g", {});
    this.standing = s("g", {});
    this.over = s("g", {});
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
    this.svg = s("svg", { ...box, class: "drawing" }, grid(), this.edges, this.under, this.standing);
    // Arrows change many times a second; a separate layer avoids repainting the board below them.
    const above = s("svg", { ...box, class: "drawing above" }, this.over);
    this.cells = h("div", { class: "cells", role: "grid", "aria-label": t("board") });
    root.append(definitions(), this.svg, above, this.cells);
    this.makeCells();
    // Whether the focus is from a pointer; then the arrow keys are not for the board.
    this.cells.addEventListener("focusin", () => (this.isPointed = this.isPressed));
    addEventListener("pointerup", () => (this.isPressed = this.mayClear = false));
    this.cells.addEventListener("pointerdown", (event) => {
      this.isPressed = this.isPointed = true;
      this.press(event);
    });
    this.cells.addEventListener("pointermove", (event) => this.drag(event));
    this.cells.addEventListener("pointerup", (event) => this.release(event));
    this.cells.addEventListener("pointercancel", () => {
      this.isPressed = this.mayClear = false;
      this.endDrawing(null);
      this.dropBack();
    });
    // Prevent scrolling while a finger draws.
    this.cells.addEventListener("touchmove", (event) => this.drawing && event.preventDefault(), { passive: false });
    this.cells.addEventListener("keydown", (event) => this.key(event));
    this.cells.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Creates the cells. The one that has the keyboard focus keeps it, and with it the meaning of the arrow keys. */
  makeCells() {
    const { isPointed } = this;
    const isFocused = this.cells.contains(document.activeElement);
    this.cell = [];
    const rows = [];
    for (let row = 0; row < 10; row++) {
      const cells = [];
      for (let column = 0; column < 9; column++) {
        const point = this.flipped ? row * 9 + 8 - column : (9 - row) * 9 + column;
        const cell = h("div", { role: "gridcell", class: "cell", "data-point": nameOf(point), tabindex: point === this.focus ? "0" : "-1" });
        this.cell[point] = cell;
        cells.push(cell);
      }
      rows.push(h("div", { role: "row", class: "row" }, cells));
    }
    this.cells.replaceChildren(...rows);
    if (isFocused) this.cell[this.focus].focus({ preventScroll: true });
    this.isPointed = isPointed;
    this.cells.setAttribute("aria-label", t("board"));
    this.drawEdges();
  }

  center(point) {
    const [file, rank] = [point % 9, Math.floor(point / 9)];
    return this.flipped ? [MARGIN + (8 - file) * CELL, MARGIN + rank * CELL] : [MARGIN + file * CELL, MARGIN + (9 - rank) * CELL];
  }

  drawEdges() {
    const signs = [];
    const [top, bottom] = [17, HEIGHT - 17];
    const x = (column) => MARGIN + column * CELL;
    const put = (sign, x, y) => signs.push(outline(sign, x, y, 23, { fill: "#6b4a22" }));
    if (this.edgeStyle === "files") {
      [..."一二三四五六七八九"].forEach((sign, index) => {
        put(sign, x(this.flipped ? index : 8 - index), this.flipped ? top : bottom);
        put(String(index + 1), x(this.flipped ? 8 - index : index), this.flipped ? bottom : top);
      });
    } else if (this.edgeStyle === "points") {
      for (let file = 0; file < 9; file++) put("abcdefghi"[file], x(this.flipped ? 8 - file : file), bottom);
      for (let rank = 0; rank < 10; rank++) put(String(rank), 15, MARGIN + (this.flipped ? rank : 9 - rank) * CELL);
    }
    this.edges.replaceChildren(...signs);
  }

  setFlipped(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.makeCells();
    this.clearPieces();
    this.refresh();
  }

  setLook(style, edgeStyle) {
    this.style = style;
    this.edgeStyle = edgeStyle;
    this.makeCells();
    this.clearPieces();
    this.refresh();
  }

  clearPieces() {
    this.men = [];
    this.standing.replaceChildren();
  }

  /** Shows a position: `pieces`, `last` move, the square of a king in `check`, the `legal` moves as `{move, text}`. */
  show({ pieces, last, check, legal }) {
    const isSame = pieces.every((piece, point) => piece === this.pieces[point]);
    Object.assign(this, { pieces, last, check, legal: legal ?? [] });
    if (!isSame) this.chosen = null;
    this.refresh();
  }

  /** Arrows as `{move, kind, width}`. */
  showArrows(arrows) {
    const isSame = JSON.stringify(arrows) === JSON.stringify(this.arrows);
    this.arrows = arrows;
    if (!isSame) this.drawOver();
  }

  /** Shows the user's drawings; null disables drawing. */
  showShapes(shapes) {
    this.shapes = shapes;
    this.mayClear = false;
    this.endDrawing(null);
    this.drawOver();
  }

  refresh() {
    this.placePieces();
    this.drawUnder();
    this.drawOver();
    this.nameCells();
  }

  /** Animates pieces to their new squares; pieces that have moved are matched by kind. */
  placePieces() {
    const waiting = new Map();
    for (let point = 0; point < 90; point++) {
      const man = this.men[point];
      if (man && man.piece !== this.pieces[point]) {
        waiting.set(man.piece, [...(waiting.get(man.piece) ?? []), man]);
        this.men[point] = undefined;
      }
    }
    for (let point = 0; point < 90; point++) {
      const piece = this.pieces[point];
      if (!piece || this.men[point]) continue;
      let man = waiting.get(piece)?.pop();
      if (man) this.standing.append(man.element);
      else {
        man = { piece, element: s("g", { class: "man" }, drawPiece(piece, this.style)) };
        this.standing.append(man.element);
      }
      this.men[point] = man;
    }
    for (const men of waiting.values()) men.forEach((man) => man.element.remove());
    this.men.forEach((man, point) => man && this.moveTo(man, ...this.center(point)));
  }

  moveTo(man, x, y) {
    man.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  drawUnder() {
    const marks = [];
    if (this.last) {
      const [from, to] = pointsOf(this.last);
      let [x, y] = this.center(from);
      marks.push(s("circle", { cx: x, cy: y, r: "20", class: "from" }));
      [x, y] = this.center(to);
      let corners = "";
      for (const [dx, dy] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) corners += `M${x + 47 * dx} ${y + 24 * dy}v${23 * dy}h${-23 * dx}`;
      marks.push(s("path", { d: corners, class: "to" }));
    }
    if (this.check !== null && this.check !== undefined) {
      const [x, y] = this.center(this.check);
      marks.push(s("circle", { cx: x, cy: y, r: "56", class: "in-check" }));
    }
    this.under.replaceChildren(...marks);
  }

  drawOver() {
    const marks = [];
    if (this.chosen !== null) {
      const [x, y] = this.center(this.chosen);
      marks.push(s("circle", { cx: x, cy: y, r: "48", class: "chosen" }));
      for (const point of this.targets(this.chosen)) {
        const [x, y] = this.center(point);
        marks.push(this.pieces[point] ? s("circle", { cx: x, cy: y, r: "47", class: "capture" }) : s("circle", { cx: x, cy: y, r: "14", class: "target" }));
      }
    }
    for (const arrow of this.arrows ?? []) marks.push(this.arrow(arrow));
    const draft = this.drawing?.to != null ? [this.drawing.shape()] : [];
    for (const shape of [...(this.shapes ?? []), ...draft]) marks.push(this.shape(shape));
    this.over.replaceChildren(...marks);
  }

  arrow({ move, kind, width = 14 }) {
    const [[x1, y1], [x2, y2]] = pointsOf(move).map((point) => this.center(point));
    const length = Math.max(1, Math.hypot(x2 - x1, y2 - y1));
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const at = (along, aside) => `${(x1 + dx * along - dy * aside).toFixed(1)} ${(y1 + dy * along + dx * aside).toFixed(1)}`;
    const head = width * 1.7;
    const tip = length - 8;
    return s("g", { class: `arrow ${kind}` },
      s("path", { class: "shaft", d: `M${at(40, 0)}L${at(tip - head * 1.4, 0)}`, "stroke-width": width }),
      s("path", { class: "head", d: `M${at(tip, 0)}L${at(tip - head * 1.7, head)}L${at(tip - head * 1.3, 0)}L${at(tip - head * 1.7, -head)}Z` }));
  }

  shape(shape) {
    const kind = `own ${colorOf(shape)}`;
    if (shape.length > 3) return this.arrow({ move: shape.slice(1), kind, width: 13 });
    const [x, y] = this.center(squareOf(shape.slice(1)));
    return s("circle", { cx: x, cy: y, r: "46", class: `circle ${kind}` });
  }

  // ------------------------------------------------------------------------------------------------ drawing

  beginDrawing(event, point) {
    const color = colorFor(event);
    this.drawing = { pointer: event.pointerId, from: point, to: point, shape: () => shapeOf(color, nameOf(this.drawing.from), nameOf(this.drawing.to)) };
    this.cells.setPointerCapture(event.pointerId);
    this.drawOver();
  }

  /** Starts drawing when a finger rests on a square. */
  waitForDrawing(event, point) {
    clearTimeout(this.pressing);
    if (event.pointerType !== "touch" || !this.shapes) return;
    this.pressedAt = [event.clientX, event.clientY];
    this.pressing = setTimeout(() => {
      this.dropBack();
      this.choose(null);
      this.beginDrawing(event, point);
      navigator.vibrate?.(12);
    }, LONG_PRESS);
  }

  /** Ends drawing and adds the shape; null discards it. */
  endDrawing(event) {
    clearTimeout(this.pressing);
    const { drawing } = this;
    if (!drawing) return false;
    const shape = event && drawing.to !== null ? drawing.shape() : null;
    this.drawing = null;
    this.drawOver();
    if (shape) this.ondraw(toggle(this.shapes, shape));
    return true;
  }

  targets(point) {
    const from = nameOf(point);
    return this.legal.filter(({ move }) => move.startsWith(from)).map(({ move }) => squareOf(move.slice(2)));
  }

  nameCells() {
    const movable = new Set(this.legal.map(({ move }) => squareOf(move.slice(0, 2))));
    const targets = new Set(this.chosen === null ? [] : this.targets(this.chosen));
    this.cell.forEach((cell, point) => {
      const piece = this.pieces[point];
      let name = `${piece ? pieceName(piece) : t("empty")}, ${nameOf(point)}`;
      if (point === this.chosen) name += `, ${t("chosen")}`;
      else if (targets.has(point)) name += `, ${t("canGo")}`;
      // Most cells stay as they are.
      if (cell.getAttribute("aria-label") !== name) cell.setAttribute("aria-label", name);
      const isChosen = String(point === this.chosen);
      if (cell.getAttribute("aria-selected") !== isChosen) cell.setAttribute("aria-selected", isChosen);
      cell.classList.toggle("movable", movable.has(point) || targets.has(point) || !!this.edit);
      const index = point === this.focus ? 0 : -1;
      if (cell.tabIndex !== index) cell.tabIndex = index;
    });
  }

  choose(point) {
    this.chosen = point;
    this.drawOver();
    this.nameCells();
  }

  /** Handles a click on a square, or Enter. */
  act(point) {
    if (this.edit) return this.onedit(point);
    if (this.chosen !== null && this.targets(this.chosen).includes(point)) {
      const from = this.chosen;
      this.choose(null);
      return this.onmove(nameOf(from), nameOf(point));
    }
    this.choose(point !== this.chosen && this.targets(point).length ? point : null);
  }

  pointAt(event) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.round(((event.clientX - box.left) / box.width * WIDTH - MARGIN) / CELL);
    const row = Math.round(((event.clientY - box.top) / box.height * HEIGHT - MARGIN) / CELL);
    if (column < 0 || column > 8 || row < 0 || row > 9) return null;
    return this.flipped ? row * 9 + 8 - column : (9 - row) * 9 + column;
  }

  setFocus(point, isReal) {
    this.cell[this.focus].tabIndex = -1;
    this.focus = point;
    this.cell[point].tabIndex = 0;
    if (isReal) this.cell[point].focus();
  }

  press(event) {
    if (event.button > 0 && event.button !== 2) return;
    // A second finger takes another piece: that of the first one would stay between points.
    this.dropBack();
    const point = this.pointAt(event);
    if (point === null) return;
    if (event.button === 2 && !this.edit) {
      if (this.shapes && !this.held) this.beginDrawing(event, point);
      return;
    }
    this.setFocus(point, false);
    if (this.edit) {
      event.preventDefault();
      return this.onedit(point, event.button === 2);
    }
    // A click that hits no piece clears the drawings, but only when it ends: a finger may begin to scroll the page, or to draw another one.
    this.mayClear = !!this.shapes?.length && this.chosen === null && !this.pieces[point];
    this.waitForDrawing(event, point);
    this.wasChosen = this.chosen === point;
    if (this.chosen !== null && this.targets(this.chosen).includes(point)) return this.act(point);
    if (!this.targets(point).length) return this.choose(null);
    this.choose(point);
    this.held = { pointer: event.pointerId, point, man: this.men[point], x: event.clientX, y: event.clientY, isMoving: false };
    this.cells.setPointerCapture(event.pointerId);
  }

  /** Whether another finger than that of the event draws or holds a piece. */
  isOther(event) {
    const { pointer = event.pointerId } = this.drawing ?? this.held ?? {};
    return pointer !== event.pointerId;
  }

  drag(event) {
    if (this.isOther(event)) return;
    const { drawing } = this;
    if (drawing) {
      const to = this.pointAt(event);
      if (to !== drawing.to) {
        drawing.to = to;
        this.drawOver();
      }
      return;
    }
    if (this.pressedAt && Math.hypot(event.clientX - this.pressedAt[0], event.clientY - this.pressedAt[1]) > 8) {
      clearTimeout(this.pressing);
      if (event.pointerType === "touch") this.mayClear = false;
    }
    const held = this.held;
    if (!held?.man) return;
    if (!held.isMoving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
    held.isMoving = true;
    const box = this.svg.getBoundingClientRect();
    held.man.element.classList.add("held");
    this.standing.append(held.man.element);
    this.moveTo(held.man, ((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT);
  }

  release(event) {
    if (this.isOther(event)) return;
    if (this.endDrawing(event)) return;
    if (this.mayClear) this.ondraw([]);
    const held = this.held;
    if (!held) return;
    const point = this.pointAt(event);
    this.dropBack();
    if (held.isMoving && point !== held.point) {
      if (point !== null && this.targets(held.point).includes(point)) this.act(point);
    } else if (!held.isMoving && this.wasChosen) this.choose(null);
  }

  dropBack() {
    const held = this.held;
    this.held = null;
    if (!held?.man) return;
    held.man.element.classList.remove("held");
    if (held.isMoving) this.moveTo(held.man, ...this.center(held.point));
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this.act(this.focus);
    }
    if (event.key === "Escape" && this.chosen !== null) {
      event.stopPropagation();
      return this.choose(null);
    }
    // Without drawings the game is covered, and there is nothing to step through.
    if (!step || (this.isPointed && this.shapes) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const turn = this.flipped ? -1 : 1;
    const file = (this.focus % 9) + step[0] * turn;
    const rank = Math.floor(this.focus / 9) + step[1] * turn;
    if (file >= 0 && file < 9 && rank >= 0 && rank < 10) this.setFocus(rank * 9 + file, true);
  }
}
