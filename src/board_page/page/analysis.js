// Engine analysis: lines of the current position, the bar of win, draw and loss chances, the opening book, endgame tables, and the
// analysis of the entire game with its graph.

import { addMove, editMove } from "./book.js";
import { $, afterFrame, button, h, refill, select, toast } from "./dom.js";
import { Graph } from "./graph.js";
import { keepPreferences, preferences } from "./store.js";
import { Tree } from "./tree.js";
import { headed, named, scripted, t, tongue } from "./words.js";

/** Number of moves shown of a line; later ones are unreliable. */
const SHOWN = 14;
/** Delay in milliseconds before a position is searched if another one was on the board just before: most positions are only passed when stepping through a game. */
const REST = 150;
/** Milliseconds after which a search is requested again that was rejected because the server was busy. */
const RETRY = 3000;

/** A score from Red's point of view. */
export function scoreText(score, side) {
  const sign = side === "red" ? 1 : -1;
  if (score.mate !== undefined) return `${score.mate === 0 ? (side === "red" ? "−" : "+") : score.mate * sign > 0 ? "+" : "−"}M${Math.abs(score.mate)}`;
  const value = (score.cp * sign) / 100;
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** Red's win, draw and loss chances in percent. */
export function chances(wdl, side) {
  const [win, draw, loss] = wdl.map((share) => share / 10);
  return side === "red" ? [win, draw, loss] : [loss, draw, win];
}

/** Identifies the subject of a review: the start position and the main line. */
export const keyOf = (tree) => [tree.start, ...tree.mainLine().map((node) => node.move)].join(" ");

export class Analysis {
  constructor(app) {
    this.app = app;
    this.isOn = false;
    /** When the last position was shown. */
    this.shown = -Infinity;
    this.review = null;
    this.graph = new Graph({ ongo: (ply) => app.go([app.tree.root, ...app.tree.mainLine()][ply] ?? app.node) });
  }

  /** Builds the panels in the current language. */
  build() {
    this.switch = h("button", { type: "button", role: "switch", id: "analyse", class: "switch", "aria-checked": String(this.isOn), onclick: () => this.toggle() },
      h("span", { class: "knob", "aria-hidden": "true" }), h("span", {}, t("analysis")));
    this.facts = h("span", { class: "facts soft" });
    this.list = h("ol", { class: "lines", "aria-label": t("analysis") });
    const count = select("lines", ["1", "2", "3", "5", "8"].map((n) => [n, n]), String(preferences.lines), (value) => {
      preferences.lines = Number(value);
      keepPreferences();
      this.restart();
    });
    this.engine = h("section", { class: "panel engine", "aria-label": t("analysis") },
      h("div", { class: "panel-head" }, this.switch, this.facts, h("label", { for: "lines", class: "soft" }, t("lines")), count), this.list);
    this.bookList = h("ul", { class: "book" });
    this.book = h("details", { class: "panel", open: true }, h("summary", {}, t("book")), this.bookList);
    this.endgameResult = h("span", { class: "soft" });
    this.endgameList = h("ul", { class: "book endgame" });
    this.endgame = h("details", { class: "panel", open: true, hidden: true }, h("summary", {}, t("endgame"), " ", this.endgameResult), this.endgameList);
    this.progress = h("progress", { hidden: true, "aria-label": t("review"), max: "1", value: 0 });
    this.summary = h("div", { class: "summary" });
    const times = [["200", "0.2"], ["500", "0.5"], ["1000", "1"], ["3000", "3"]].map(([value, n]) => [value, t("seconds", { n })]);
    this.reviewButton = button("chart", t("reviewStart"), () => (this.isReviewing ? this.stopReview() : this.startReview()), { id: "review", class: "wide" });
    this.graph = new Graph({ ongo: (ply) => this.app.go([this.app.tree.root, ...this.app.tree.mainLine()][ply] ?? this.app.node) });
    this.graph.element.hidden = true;
    this.reviewPanel = h("section", { class: "panel", "aria-label": t("review") },
      h("div", { class: "panel-head" }, this.reviewButton, h("label", { for: "review-time", class: "soft" }, t("reviewTime")),
        select("review-time", times, String(preferences.review), (value) => {
          preferences.review = Number(value);
          keepPreferences();
        })), this.progress, this.graph.element, this.summary);
    this.showReview();
  }

  toggle() {
    this.isOn = !this.isOn;
    this.switch.setAttribute("aria-checked", String(this.isOn));
    if (this.isOn) this.restart();
    else {
      if (this.running) this.app.link.stop();
      this.clear();
    }
    this.app.keep();
  }

  clear() {
    this.running = null;
    this.list.replaceChildren();
    this.facts.textContent = "";
    $("bar").className = "idle";
    $("bar").removeAttribute("role");
    $("bar").removeAttribute("aria-label");
    this.app.setArrows("engine", []);
  }

  /** Shows a text in place of lines. */
  say(text) {
    this.clear();
    this.list.replaceChildren(h("li", { class: "soft" }, text));
  }

  /** Stops the search of a position that is about to be replaced, so that the frame with the next one is not delayed. */
  pause() {
    if (!this.running) return;
    this.running = null;
    this.app.link.stop();
  }

  /** Restarts the analysis for the current position. */
  restart() {
    const { app } = this;
    if (!this.isOn || this.isReviewing || app.isCovered) return;
    const { node, position } = app;
    if (!position) return;
    if (app.game.isRunning && app.game.engine && app.tree.side(app.game.tip) === app.game.engine) return;
    if (!position.searchable) return this.say(t(position.diagram ? "diagram" : "noSearch"));
    if (!position.legal.length) return this.say(t("gameOver"));
    const asked = {};
    this.running = asked;
    const now = performance.now();
    const isPassing = now - this.shown < 2 * REST;
    this.shown = now;
    this.search(asked, node, position.side, isPassing).catch((error) => {
      if (this.running !== asked) return;
      this.say(error.message);
      if (error.busy) setTimeout(() => app.node === node && !this.running && this.restart(), RETRY);
    });
  }

  /** Searches the position after the frame that shows it. */
  async search(asked, node, side, isPassing) {
    const { app } = this;
    await (isPassing ? new Promise((resolve) => setTimeout(resolve, REST)) : afterFrame());
    if (this.running !== asked) return;
    const ask = { line: app.tree.line(node), lines: preferences.lines, notation: preferences.notation, rules: preferences.rules };
    await app.link.ask("analyse", ask, (part) => this.running === asked && this.take(part, side));
  }

  /** Receives new lines. Only the newest are drawn, with the next frame. */
  take(part, side) {
    this.latest = { part, side, running: this.running };
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      // The next position can be searched before this frame: lines of the previous one must not be played there.
      if (this.running && this.running === this.latest.running) this.draw(this.latest.part, this.latest.side);
    });
  }

  draw({ result, texts }, side) {
    // The rules have ended the game, although moves are legal: bar and arrows of the previous position would remain.
    if (!result.lines.length) return this.say(t("gameOver"));
    const rate = result.time_ms > 100 ? Math.round(result.nodes / result.time_ms) : 0;
    this.facts.textContent = [t("depth", { n: result.depth }), rate && t("nps", { n: rate > 9999 ? `${(rate / 1000).toFixed(1)} M` : `${rate} k` })].filter(Boolean).join(" · ");
    const { running } = this;
    // Lines of the previous position stay visible until those of the next one arrive, and must not be played there.
    const play = (...parts) => this.running === running && this.app.playLine(...parts);
    refill(this.list, result.lines.map((line, index) => {
      const score = scoreText(line.score, side);
      const leader = score.startsWith("−") ? "for-black" : "for-red";
      return h("li", {}, h("button", { type: "button", class: "line", onclick: () => play(line.pv.slice(0, 1), texts[index]) },
        h("b", { class: `score ${leader}` }, score), h("span", { class: "pv" }, texts[index].slice(0, SHOWN).join(" "))),
      h("button", { type: "button", class: "keep", title: t("addLine"), "aria-label": t("addLine"), onclick: () => play(line.pv.slice(0, SHOWN), texts[index], true) }, "+"));
    }));
    this.showBar(result.lines[0], side);
    const arrows = preferences.arrows ? result.lines.map((line, index) => ({ move: line.pv[0], kind: index ? "other" : "best", width: index ? 9 : 14 })) : [];
    this.app.setArrows("engine", arrows.reverse());
  }

  showBar(line, side) {
    const [win, draw, loss] = chances(line.wdl, side);
    const bar = $("bar");
    bar.className = this.app.board.flipped ? "flipped" : "";
    bar.setAttribute("role", "img");
    if (!bar.firstChild) bar.append(...["lost", "drawn", "won"].map((name) => h("span", { class: name })));
    const [lost, drawn, won] = bar.children;
    lost.style.flexGrow = loss;
    drawn.style.flexGrow = draw;
    won.style.flexGrow = win;
    bar.setAttribute("aria-label", t("chances", { w: Math.round(win), d: Math.round(draw), l: Math.round(loss) }));
    bar.title = bar.getAttribute("aria-label");
  }

  /** Shows the best move of a second's search. */
  async hint() {
    const { app } = this;
    if (app.isCovered || !app.position?.legal.length || !app.position.searchable || app.game.isThinking || this.isReviewing) return;
    const { node } = app;
    let best;
    this.pause();
    try {
      await app.link.ask("analyse", { line: app.tree.line(node), movetime: 1000, notation: preferences.notation, rules: preferences.rules }, (part) => (best = part));
    } catch (error) {
      toast(error.message, "error");
    }
    if (best && app.node === node && !app.isCovered) {
      const move = best.result.bestmove;
      // The rules may have ended the game, although moves are legal.
      if (move) app.setArrows("hint", [{ move, kind: "hint", width: 16 }]);
      toast(move ? headed(t("hint"), best.texts[0]?.[0]) : t("gameOver"));
    }
    this.restart();
  }

  /** Plays a move of a panel, unless another position is on the board by now. */
  play(position, { move, text }) {
    if (this.app.position === position) this.app.playLine([move], [text]);
  }

  /** Shows the exact result of the position and of each move, if an endgame table contains it; hidden during a game. */
  showEndgame(position) {
    const { endgame } = position;
    this.endgame.hidden = !endgame || (this.app.game.on && !this.app.game.over);
    if (this.endgame.hidden) return this.endgameList.replaceChildren();
    const words = (exact) => (exact.result ? (exact.plies == null ? t("exact-draw") : t(`exact-${exact.result}`, { n: exact.plies })) + (exact.by_repetition ? ` ${t("byRepetition")}` : "") : t("exact-unknown"));
    this.endgameResult.textContent = words(endgame);
    refill(this.endgameList, endgame.moves.map((move) => h("li", {}, h("button", { type: "button", class: "endgame-move", onclick: () => this.play(position, move) },
      h("b", {}, move.text), h("span", { class: `exact ${move.result ?? "unknown"}` }, words(move))))));
  }

  showBook(position) {
    const total = position.book.reduce((sum, move) => sum + move.weight, 0) || 1;
    const isOwn = !!this.app.link.hello?.book;
    const rows = position.book.map((move) => h("li", { class: isOwn ? "own-move" : null }, h("button", { type: "button", class: "book-move", onclick: () => this.play(position, move) },
      h("b", {}, move.text), h("span", { class: "share" }, h("progress", { max: total, value: move.weight, "aria-label": t("weight", { n: move.weight }) })),
      h("span", { class: "soft percent" }, `${Math.round((100 * move.weight) / total)}%`), h("span", { class: "opening soft" }, [move.unplayed ? t(`unplayed-${move.unplayed}`) : "", named(move.opening)].filter(Boolean).join(" · "))), isOwn && editMove(this.app, move)));
    refill(this.bookList, [rows.length ? rows : h("li", { class: "soft" }, t("noBook")), isOwn && position.legal.length > 0 && h("li", {}, addMove(this.app))]);
    this.book.classList.toggle("bare", !rows.length);
  }

  // ------------------------------------------------------------------------------------------------------- game analysis

  get isReviewing() {
    return !!this.asked;
  }

  key() {
    return keyOf(this.app.tree);
  }

  /** Judgements of the main line's moves by ply, if the game has not changed since it was analysed. */
  judged() {
    return this.review && this.review.key === this.key() ? this.review.judged : new Map();
  }

  async startReview() {
    const { app } = this;
    const plies = app.tree.mainLine().length;
    if (app.isCovered) return;
    if (!plies) return toast(t("noMoves"));
    if (app.game.engine) app.game.suspend();
    this.clear();
    const asked = {};
    this.asked = asked;
    this.former = this.review?.form ? this.review : null;
    this.review = { key: this.key(), rules: preferences.rules, scores: [], results: [], judged: new Map(), form: null };
    this.showReview();
    const ask = { tree: app.tree.form(), movetime: preferences.review, notation: preferences.notation, rules: preferences.rules };
    try {
      const answer = await app.link.request("review", ask, (part) => {
        if (this.asked !== asked) return;
        this.review.scores[part.ply] = part.red_expectation;
        this.review.results[part.ply] = part.result;
        this.progress.max = part.of + 1;
        this.progress.value = part.ply + 1;
        this.graph.show(this.review.scores, part.of, []);
        this.summary.textContent = t("reviewAt", { n: part.ply, of: part.of });
      });
      if (this.asked !== asked) return;
      if (answer.kind === "review") this.takeReview(answer.body);
      else this.review = this.former;
    } catch (error) {
      toast(error.message, "error");
      if (this.asked !== asked) return;
      this.review = this.former;
    }
    this.asked = null;
    this.showReview();
    app.treeChanged();
    app.showStatus();
    this.restart();
    app.game.resume();
  }

  /** Stops the analysis of the game. `keeps`: an earlier one of the same game is shown again; otherwise another game follows. */
  stopReview(keeps = true) {
    const wasBusy = this.isReviewing;
    this.asked = null;
    this.review = keeps ? this.former : null;
    if (wasBusy) this.app.link.stop();
    this.showReview();
    // A search of the position that is left would begin after the next frame, and end that of the engine's first move in the next game.
    if (!keeps) return this.pause();
    this.restart();
    this.app.game.resume();
  }

  takeReview(form) {
    this.review.form = form;
    this.review.judged = new Map(form.moves.map((move) => [move.ply, move]));
    toast(t("reviewDone"));
  }

  /** Converts the better lines of a review to a notation. */
  async rename(notation) {
    const { review } = this;
    if (!review?.form || review.key !== this.key()) return;
    const tree = new Tree(this.app.tree.start);
    const lines = [];
    let node = tree.root;
    this.app.tree.mainLine().forEach(({ move, ply }) => {
      const known = review.judged.get(ply);
      if (known?.better?.length) {
        let at = node;
        lines.push([known, review.results[ply - 1].lines[0].pv.slice(0, known.better.length).map((move) => (at = tree.add(at, move)))]);
      }
      node = tree.add(node, move);
    });
    const names = await this.app.link.ask("names", { tree: tree.form(), notation });
    tree.nodes().forEach((node, index) => (node.text = names[index]));
    for (const [known, nodes] of lines) known.better = nodes.map(({ text }) => text);
  }

  restore(kept) {
    if (!kept?.form) return;
    this.review = { ...kept, judged: new Map(kept.form.moves.map((move) => [move.ply, move])) };
  }

  kept() {
    const review = this.isReviewing ? this.former : this.review;
    if (!review?.form) return null;
    const { key, rules, scores, results, form } = review;
    return { key, rules, scores, results, form };
  }

  showReview() {
    const busy = this.isReviewing;
    const known = this.review && this.review.key === this.key();
    this.reviewButton.querySelector(".name").textContent = busy ? t("reviewStop") : t("reviewStart");
    this.reviewButton.title = busy ? t("reviewStop") : t("reviewStart");
    this.progress.hidden = !busy;
    this.graph.element.hidden = !known;
    if (busy) return;
    this.summary.replaceChildren();
    if (!known || !this.review.form) return;
    const { form, scores, judged } = this.review;
    this.graph.show(scores, form.plies, judged);
    this.markGraph();
    const count = (side, judgement) => form.moves.filter((move) => move.side === side && move.judgement === judgement).length;
    const card = (side) => h("p", {}, h("span", { class: `dot ${side}`, "aria-hidden": "true" }), h("b", {}, t(side)), ` ${t("accuracy", { n: form.accuracy[side] == null ? "–" : `${form.accuracy[side]}%` })}`,
      h("span", { class: "soft" }, ["blunder", "mistake", "inaccuracy"].map((kind) => ` · ${t({ blunder: "blunders", mistake: "mistakes", inaccuracy: "inaccuracies" }[kind], { n: count(side, kind) })}`).join("")));
    this.summary.append(card("red"), card("black"), button("next", t("nextMistake"), () => this.nextMistake(), { class: "small", id: "next-mistake" }));
  }

  nextMistake() {
    const { app } = this;
    const line = app.tree.mainLine();
    const bad = (move) => move && (move.judgement === "blunder" || move.judgement === "mistake");
    const here = app.tree.isMain(app.node) ? app.node.ply : 0;
    const node = line.find((node) => node.ply > here && bad(this.review.judged.get(node.ply))) ?? line.find((node) => bad(this.review.judged.get(node.ply)));
    if (node) app.go(node);
  }

  /** The remark of the game analysis on the current move. */
  remark(node) {
    const move = this.app.tree.isMain(node) ? this.judged().get(node.ply) : null;
    if (!move || ["good", "book", "unjudged"].includes(move.judgement)) return null;
    return `${t(move.judgement)}${tongue() === "zh" ? "。" : ". "}${scripted(t("better", { line: (move.better ?? []).slice(0, 9).join(" ") }))}`;
  }

  markGraph() {
    const { app } = this;
    this.graph.mark(app.tree.isMain(app.node) ? app.node.ply : null);
  }
}
