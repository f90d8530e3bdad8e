// The position editor: a palette of pieces, the side to move, and every reason why the position is not legal.

import { drawPiece } from "./board.js";
import { $, button, field, focusIfLost, h, s, select } from "./dom.js";
import { preferences } from "./store.js";
import { START, Tree, boardFen, placement, sideOf } from "./tree.js";
import { pieceName, problemText, sideName, t, tongue } from "./words.js";

/** The palette: Red's pieces, the eraser, Black's pieces. */
const BRUSHES = [..."KABNRCP", "", ..."kabnrcp"];

export class Setup {
  constructor(app) {
    this.app = app;
  }

  get isOpen() {
    return !!this.pieces;
  }

  /** Opens the editor with a position, by default that on the board. */
  open(fen) {
    const { app } = this;
    if (this.isOpen) return;
    const former = fen && new Tree(fen);
    const { tree, node } = former ? { tree: former, node: former.root } : (app.trainer.shown ?? app);
    app.uncover();
    app.cover();
    this.pieces = tree.placement(node);
    this.side = tree.side(node);
    this.brush = "R";
    app.board.edit = true;
    document.body.classList.add("editing");
    this.build();
    this.changed();
    this.panel.querySelector("input, select, button").focus();
  }

  /** The position on the board, as a game of its own; null if the editor is closed. */
  get shown() {
    if (!this.isOpen) return null;
    const tree = new Tree(this.good ?? this.edited());
    return { tree, node: tree.root };
  }

  edited() {
    return `${boardFen(this.pieces)} ${this.side === "red" ? "w" : "b"} - - 0 1`;
  }

  /** Builds the panel and the palette. */
  build() {
    const brush = (piece, name, content) => h("button", { type: "button", class: "brush", title: name, "aria-label": name, "aria-pressed": String(this.brush === piece), onclick: () => this.choose(piece) }, content);
    const man = (piece) => s("svg", { viewBox: "-50 -50 100 102", "aria-hidden": "true" }, drawPiece(piece, preferences.pieces));
    const cross = () => s("svg", { viewBox: "-50 -50 100 102", "aria-hidden": "true" }, s("path", { d: "M-25 -25L25 25M25 -25L-25 25", stroke: "currentColor", "stroke-width": "9", "stroke-linecap": "round" }));
    this.brushes = BRUSHES.map((piece) => (piece ? brush(piece, pieceName(piece), man(piece)) : brush("", t("eraser"), cross())));
    $("palette").replaceChildren(...this.brushes);
    $("palette").setAttribute("role", "group");
    $("palette").setAttribute("aria-label", t("pieces"));
    $("palette").hidden = false;
    this.fen = h("input", { id: "fen", type: "text", autocomplete: "off", spellcheck: "false", oninput: () => this.changed(this.fen.value) });
    this.faults = h("div", { class: "faults", role: "status" });
    this.use = button("", t("done"), () => this.finish(), { class: "primary", id: "use-setup" });
    this.panel = h("section", { class: "panel setup", "aria-label": t("setupTitle") }, h("h2", {}, t("setupTitle")),
      field("setup-side", t("side"), select("setup-side", [["red", sideName("red")], ["black", sideName("black")]], this.side, (side) => {
        this.side = side;
        this.changed();
      })),
      field("fen", t("fen"), this.fen),
      h("div", { class: "row-of-buttons" }, button("", t("clear"), () => this.put(Array(90).fill(null)), { id: "clear" }), button("", t("standard"), () => this.put(placement(START)), {})),
      this.faults, h("div", { class: "row-of-buttons" }, this.use, button("", t("cancel"), () => this.app.leaveCover(), { id: "leave-setup" })));
    this.app.showPanels([this.panel]);
  }

  /** Builds it again in another language, with the position as it is. */
  rebuild() {
    const { value } = this.fen;
    this.build();
    this.show(value);
    this.changed(value);
  }

  choose(piece) {
    this.brush = piece;
    BRUSHES.forEach((own, index) => this.brushes[index].setAttribute("aria-pressed", String(own === piece)));
  }

  put(pieces) {
    this.pieces = pieces;
    this.changed();
  }

  edit(point, isErasing) {
    const is = this.pieces[point];
    this.pieces[point] = isErasing || this.brush === "" || is === this.brush ? null : this.brush;
    this.changed();
  }

  /** Validates the position, or a typed one, and shows it. */
  async changed(text) {
    const fen = text ?? this.edited();
    this.good = null;
    this.app.keep();
    if (text === undefined) this.show(fen);
    const asked = (this.asked = this.app.link.ask("setup", { fen }));
    const checked = await asked;
    if (this.asked !== asked || !this.isOpen) return;
    // What was typed is shown as it was understood.
    if (text !== undefined && checked.fen) {
      this.pieces = placement(checked.fen);
      this.side = sideOf(checked.fen);
      $("setup-side").value = this.side;
      this.show(text);
    }
    this.good = checked.playable ? checked.fen : null;
    this.use.disabled = !checked.playable;
    const faults = checked.faults.map((fault) => h("li", {}, this.faultText(fault)));
    const head = checked.playable ? (checked.searchable ? t("legal") : t("onlyDiagram")) : t("notPlayable");
    this.faults.className = `faults ${checked.playable ? "good" : "bad"}`;
    this.faults.replaceChildren(h("p", {}, head), ...(faults.length ? [h("ul", {}, faults)] : []));
  }

  show(fen) {
    this.fen.value = fen;
    this.app.board.show({ pieces: [...this.pieces], last: null, check: null, legal: [] });
  }

  /** Why no game can be played from a position, in one text. */
  whyNot(faults) {
    return [t("notPlayable"), ...faults.map((fault) => this.faultText(fault))].join(tongue() === "zh" ? "" : " ");
  }

  faultText(fault) {
    const piece = fault.piece ? pieceName(fault.piece) : "";
    const side = fault.piece ? sideName(fault.piece === fault.piece.toUpperCase() ? "red" : "black") : "";
    return fault.kind === "text" ? problemText(fault) : t(fault.kind, { piece, side, at: fault.at ?? "" });
  }

  async finish() {
    // Use what was typed just before the click, not the previous position.
    await this.asked.catch(() => null);
    if (!this.isOpen || !this.good) return;
    const fen = this.good;
    this.leave();
    this.app.replaceTree(new Tree(fen), { keepsFile: false });
  }

  close() {
    this.leave();
    this.app.go(this.app.node);
    this.app.game.resume();
  }

  leave() {
    this.pieces = null;
    this.app.board.edit = false;
    document.body.classList.remove("editing");
    $("palette").hidden = true;
    this.app.showPanels();
    focusIfLost("menu-setup");
  }
}
