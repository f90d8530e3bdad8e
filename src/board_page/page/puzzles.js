// The puzzle trainer, with spaced repetition of failed puzzles. Everything happens in the page; the server only provides the legal moves.

import { $, announce, base64Of, button, field, focusIfLost, h, refill, select, toast } from "./dom.js";
import { sound } from "./sounds.js";
import { preferences } from "./store.js";
import { Tree, pointsOf, sideOf } from "./tree.js";
import { headed, joined, pieceName, sideName, t, tongue } from "./words.js";

const STORE = "chuhe-puzzles";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Intervals until a failed puzzle is repeated. Each consecutive success moves on to the next one; after the last the puzzle is learnt. */
const INTERVALS = [10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY];
/** The rating ranges to choose from: inclusive lower and exclusive upper bound. */
const RATINGS = { all: [0, Infinity], easy: [0, 900], medium: [900, 1300], hard: [1300, 1700], hardest: [1700, Infinity] };
/** Milliseconds before the defending side replies. */
const ANSWER = 350;

/** Parses puzzles from JSON Lines, and counts the invalid lines. */
export function parse(text) {
  const puzzles = [];
  let faults = 0;
  for (const line of text.split("\n").filter((line) => line.trim())) {
    try {
      const { fen, goal, solution, variations = [], rating = 0, tags = [], source = {} } = JSON.parse(line);
      const isLine = (moves) => Array.isArray(moves) && moves.length % 2 === 1 && moves.length < 400 && moves.every((move) => /^([a-i]\d){2}$/.test(move));
      if (typeof fen !== "string" || !/^(\w+\/){9}\w+ [wb]/.test(fen) || !["mate", "win", "draw"].includes(goal) || ![solution, ...variations].every(isLine)) throw new Error();
      puzzles.push({ fen, goal, lines: [solution, ...variations], rating: Number(rating) || 0, tags: tags.map(String), source });
    } catch {
      faults += 1;
    }
  }
  return { puzzles, faults };
}

/** The user's progress: `{ok, stage, due}` of every puzzle by its FEN; `stage` and `due` only while the puzzle is to be repeated. */
export class Progress {
  constructor(kept) {
    this.known = kept?.known ?? {};
    this.solved = kept?.solved ?? 0;
    this.failed = kept?.failed ?? 0;
  }

  of(puzzle) {
    return this.known[puzzle.fen];
  }

  /** Records the outcome of a puzzle. */
  note(puzzle, isClean, now) {
    const before = this.of(puzzle);
    if (isClean) this.solved += 1;
    else this.failed += 1;
    if (!isClean) this.known[puzzle.fen] = { ok: false, stage: 0, due: now + INTERVALS[0] };
    else if (before?.due && before.stage + 1 < INTERVALS.length) this.known[puzzle.fen] = { ok: true, stage: before.stage + 1, due: now + INTERVALS[before.stage + 1] };
    else this.known[puzzle.fen] = { ok: true };
  }

  /** The next puzzle: the one most overdue for repetition, otherwise the first new one. */
  next(puzzles, now) {
    const due = puzzles.filter((puzzle) => this.of(puzzle)?.due <= now).sort((a, b) => this.of(a).due - this.of(b).due);
    return due[0] ?? puzzles.find((puzzle) => !this.of(puzzle));
  }

  /** The number of puzzles to be repeated, and the time of the first repetition. */
  waiting(puzzles) {
    const dues = puzzles.map((puzzle) => this.of(puzzle)?.due).filter(Boolean);
    return { count: dues.length, first: dues.length ? Math.min(...dues) : null };
  }
}

/** Length in plies of the longest line below a node. */
const depth = (node) => node.children.reduce((most, child) => Math.max(most, 1 + depth(child)), 0);

/** The stored progress, which another tab may have changed; null if there is none. */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORE));
  } catch {
    // Unreadable progress is discarded.
    return null;
  }
}

export class Trainer {
  constructor(app) {
    this.app = app;
    this.choice = { theme: "all", rating: "all" };
    this.progress = new Progress(stored());
  }

  get isOpen() {
    return !!this.panel;
  }

  /** The position on the board; null without a puzzle. */
  get shown() {
    return this.isOpen && this.puzzle ? { tree: this.tree, node: this.node } : null;
  }

  async open() {
    const { app } = this;
    if (this.isOpen) return;
    app.uncover();
    if (!this.puzzles) {
      try {
        const answer = await fetch("puzzles.jsonl");
        if (!answer.ok) throw new Error(answer.statusText);
        this.puzzles = parse(await answer.text()).puzzles;
      } catch (error) {
        return toast(headed(t("puzzles"), error.message), "error");
      }
      // A second click, or the position editor, was faster.
      if (app.isCovered) return;
    }
    app.cover();
    this.wasFlipped = app.board.flipped;
    document.body.classList.add("training");
    this.build();
    this.next();
  }

  /** Builds the panel. */
  build() {
    const themes = [...new Set(this.puzzles.flatMap((puzzle) => puzzle.tags))].sort((a, b) => this.themeName(a).localeCompare(this.themeName(b)));
    const choose = (name) => (value) => {
      this.choice[name] = value;
      this.next();
    };
    this.task = h("p", { class: "head", role: "status" });
    this.facts = h("p", { class: "soft" });
    this.totals = h("p", { class: "soft", id: "puzzle-totals" });
    this.buttons = h("div", { class: "row-of-buttons" });
    const own = h("input", { type: "file", id: "puzzle-file", accept: ".jsonl,.json,.pgn", onchange: () => {
      const [file] = own.files;
      // Browsers report only another choice; the same file can be chosen again when it is corrected.
      own.value = "";
      if (file) this.take(file);
    } });
    this.panel = h("section", { class: "panel trainer", "aria-label": t("puzzles") }, h("h2", {}, t("puzzles")), this.task, this.facts, this.buttons, this.totals,
      field("puzzle-theme", t("theme-of"), select("puzzle-theme", [["all", t("all")], ...themes.map((theme) => [theme, this.themeName(theme)])], this.choice.theme, choose("theme"))),
      field("puzzle-rating", t("rating"), select("puzzle-rating", Object.entries(RATINGS).map(([id, [from, below]]) => [id, id === "all" ? t("all") : `${from || ""}–${below === Infinity ? "" : below}`]), this.choice.rating, choose("rating"))),
      field("puzzle-file", t("ownPuzzles"), own),
      h("div", { class: "row-of-buttons" }, button("", t("close"), () => this.app.leaveCover(), { id: "leave-puzzles" })));
    this.app.showPanels([this.panel]);
  }

  themeName(id) {
    const key = `theme-${id}`;
    const name = t(key);
    return name === key ? id : name;
  }

  /** Opens a file of the user's own puzzles, in JSON Lines or PGN. */
  async take(file) {
    let read;
    try {
      const bytes = base64Of(new Uint8Array(await file.arrayBuffer()));
      read = await this.app.link.ask("puzzles", { source: { file: { name: file.name, bytes } } });
    } catch (error) {
      return toast(`${file.name}: ${error.message}`, "error");
    }
    // The trainer was left in the meantime.
    if (!this.isOpen) return;
    const { puzzles } = parse(read.puzzles.join("\n"));
    if (!puzzles.length) return toast(t("noPuzzles", { name: file.name }), "error");
    if (read.faults.length) toast(headed(t("warnings"), t("noPuzzle", { message: joined(read.faults) })), "warning");
    this.puzzles = puzzles;
    this.choice = { theme: "all", rating: "all" };
    this.build();
    this.next();
  }

  chosen() {
    const [from, below] = RATINGS[this.choice.rating];
    return this.puzzles.filter(({ rating, tags }) => rating >= from && rating < below && (this.choice.theme === "all" || tags.includes(this.choice.theme)));
  }

  /** Shows the next puzzle of the selection. */
  next() {
    const { app } = this;
    const list = this.chosen();
    const puzzle = this.progress.next(list, Date.now());
    app.setArrows("hint", []);
    this.puzzle = puzzle ?? null;
    if (!puzzle) {
      const { count, first } = this.progress.waiting(list);
      this.task.replaceChildren(h("b", {}, t(count ? "puzzlesWait" : "puzzlesDone", { n: count, at: first && new Date(first).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }) })));
      this.facts.textContent = "";
      this.buttons.replaceChildren();
      return this.showTotals();
    }
    this.tree = new Tree(puzzle.fen);
    for (const line of puzzle.lines) line.reduce((node, move) => this.tree.add(node, move), this.tree.root);
    this.node = this.tree.root;
    Object.assign(this, { hints: 0, isClean: true, isDone: false });
    app.setFlipped(sideOf(puzzle.fen) === "black");
    this.showButtons();
    this.show();
    this.say(headed(sideName(sideOf(puzzle.fen)), this.goal()));
  }

  goal() {
    const { goal, lines } = this.puzzle;
    return t(`goal-${goal}`, { n: (lines[0].length + 1) / 2 });
  }

  /** Shows a text in the panel, and announces it to screen readers. */
  say(text, kind = "") {
    const side = sideOf(this.puzzle.fen);
    this.task.replaceChildren(h("span", { class: `dot ${side}`, "aria-hidden": "true" }), h("b", { class: kind }, text));
    announce(text);
    const repeated = this.progress.of(this.puzzle)?.due ? ` · ${t("repetition-of")}` : "";
    this.facts.textContent = `${t("rating")} ${this.puzzle.rating}${repeated}${this.isDone ? ` · ${this.puzzle.tags.map((tag) => this.themeName(tag)).join(", ")}` : ""}`;
    this.showTotals();
  }

  showTotals() {
    const { count } = this.progress.waiting(this.puzzles);
    this.totals.textContent = t("puzzleTotals", { solved: this.progress.solved, failed: this.progress.failed, waiting: count });
  }

  showButtons() {
    const buttons = this.isDone
      ? [button("", t("nextPuzzle"), () => this.next(), { class: "primary", id: "next-puzzle" }), button("", t("analyse-it"), () => this.analyse(), { id: "analyse-puzzle" })]
      : [button("hint", t("hint"), () => this.hint(), { id: "puzzle-hint" }), button("", t("solution"), () => this.reveal(), { id: "puzzle-solution" })];
    refill(this.buttons, buttons);
  }

  /** Shows the position, with its legal moves if it is the user's turn. Resolves to the answer about it, if there is one. */
  async show() {
    const { app, node, tree } = this;
    const pieces = tree.placement(node);
    const board = { pieces, last: node.move, check: null, legal: [] };
    app.board.show(board);
    let position;
    try {
      position = await app.link.ask("position", { line: tree.line(node), notation: preferences.notation, language: tongue(), rules: preferences.rules });
    } catch (error) {
      return toast(error.message, "error");
    }
    if (this.node !== node || !this.isOpen) return position;
    const isOwn = node.ply % 2 === 0 && !this.isDone;
    app.board.show({ ...board, check: position.check ? pieces.indexOf(position.side === "red" ? "K" : "k") : null, legal: isOwn ? position.legal : [] });
    return position;
  }

  /** Handles a move made on the board. */
  play(from, to) {
    const { node } = this;
    if (!this.puzzle || this.isDone || node.ply % 2) return;
    const move = from + to;
    const child = node.children.find((child) => child.move === move);
    this.app.setArrows("hint", []);
    if (!child) {
      this.isClean = false;
      this.say(t("wrongMove"), "wrong");
      // Put the piece back.
      return this.app.board.refresh();
    }
    this.hints = 0;
    this.advance(child);
  }

  /** Continues after a correct move. */
  advance(child) {
    this.node = child;
    sound("move");
    if (!child.children.length) return this.finish();
    const shown = this.show();
    this.say(t("rightMove"));
    // Play the longest defence, so that the solution takes the announced number of moves.
    const longest = Math.max(...child.children.map(depth));
    const defence = child.children.find((reply) => depth(reply) === longest);
    this.timer = setTimeout(async () => {
      const position = await shown;
      if (this.node !== child || !this.isOpen) return;
      this.node = defence;
      sound("move");
      this.show();
      // Screen readers need the name of the reply.
      const reply = position?.legal.find(({ move }) => move === defence.move);
      announce(headed(sideName(this.tree.side(child)), reply?.text ?? defence.move));
    }, ANSWER);
  }

  finish() {
    this.isDone = true;
    this.progress = new Progress(stored() ?? this.progress);
    this.progress.note(this.puzzle, this.isClean, Date.now());
    try {
      localStorage.setItem(STORE, JSON.stringify(this.progress));
    } catch {
      toast(t("notStored"), "warning");
    }
    this.show();
    this.showButtons();
    this.say(t(this.isClean ? "puzzleSolved" : "puzzleAgain"), this.isClean ? "right" : "");
    $("next-puzzle").focus();
  }

  /** Gives a hint: first the piece, then the move. */
  hint() {
    const { app, node } = this;
    const move = node.children[0]?.move;
    if (!move || this.isDone || node.ply % 2) return;
    this.isClean = false;
    this.hints += 1;
    const [from] = pointsOf(move);
    const piece = pieceName(this.tree.placement(node)[from]);
    if (this.hints === 1) {
      app.board.choose(from);
      this.say(t("hintPiece", { piece, at: move.slice(0, 2) }));
    } else {
      app.board.choose(null);
      app.setArrows("hint", [{ move, kind: "hint", width: 16 }]);
      this.say(t("hintMove", { piece, from: move.slice(0, 2), to: move.slice(2) }));
    }
  }

  /** Shows the solution, which counts as a failure. */
  reveal() {
    clearTimeout(this.timer);
    this.isClean = false;
    this.app.setArrows("hint", []);
    this.node = this.tree.end(this.node);
    this.finish();
  }

  /** Opens the puzzle with its solution as a game. */
  analyse() {
    const { app, tree } = this;
    const { flipped } = app.board;
    this.leave();
    app.replaceTree(tree, { keepsFile: false });
    app.setFlipped(flipped);
    app.rename();
  }

  close() {
    this.leave();
    this.app.go(this.app.node);
    this.app.game.resume();
  }

  leave() {
    clearTimeout(this.timer);
    this.panel = null;
    this.app.setArrows("hint", []);
    document.body.classList.remove("training");
    this.app.showPanels();
    this.app.setFlipped(this.wasFlipped);
    focusIfLost("menu-puzzle");
  }
}
