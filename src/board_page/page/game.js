// A game against the engine, or between two people at one board: turns, clocks, results.

import { Clocks } from "./clock.js";
import { confirm } from "./dialogs.js";
import { $, toast } from "./dom.js";
import { sound } from "./sounds.js";
import { preferences } from "./store.js";
import { other } from "./tree.js";
import { sideName, t } from "./words.js";

/** Plies after a declined draw offer before the next one is considered. */
const AGAIN = 10;

export class Game {
  constructor(app) {
    this.app = app;
    this.on = false;
    this.over = null;
    /** The engine's current search; null if it is not thinking. */
    this.thought = null;
    this.clocks = new Clocks({
      onflag: (side) => this.end(side === "red" ? "0-1" : "1-0", "flagged", side),
      onshow: () => this.showPlayers(),
      onlow: (side) => side !== this.engine && sound("low"),
    });
  }

  /** Starts a game from the position of the tree's root. `engine` is the engine's side, or null for two people. */
  start({ engine, level, book, minutes, increment }) {
    Object.assign(this, { on: true, engine, level, book, over: null, tip: this.app.tree.root, thought: null, refused: null });
    this.clocks.set(minutes, increment);
  }

  /** The state needed to resume after the page was closed. */
  kept() {
    if (!this.on) return null;
    return { engine: this.engine, level: this.level, book: this.book, over: this.over, tip: this.app.tree.path(this.tip), clock: this.clocks.kept(), ...(this.refused != null && { refused: this.refused }) };
  }

  restore(kept) {
    if (!kept) return;
    Object.assign(this, { on: true, engine: kept.engine, level: kept.level, book: kept.book, over: kept.over, tip: this.app.tree.at(kept.tip), thought: null, refused: kept.refused ?? null });
    this.clocks.restore(kept.clock);
  }

  leave() {
    this.suspend();
    Object.assign(this, { on: false, over: null, tip: null });
    this.clocks.left = null;
  }

  get isRunning() {
    return this.on && !this.over && !this.isElsewhere;
  }

  get isThinking() {
    return !!this.thought;
  }

  /** Whether something else uses the engine or the board, so that the clocks wait. */
  get isSuspended() {
    return this.app.isCovered || (!!this.engine && this.app.analysis.isReviewing);
  }

  /** Sets whether another page owns this game and continues it. */
  setElsewhere(isElsewhere) {
    if (isElsewhere) this.suspend();
    this.isElsewhere = isElsewhere;
    if (!isElsewhere) this.resume();
  }

  /** Sets whether the server can be reached. Until then the clocks wait, since the engine cannot move. */
  setConnected(isConnected) {
    if (isConnected) this.resume();
    else this.clocks.stop();
  }

  /** Whether the user may play a line from a node. In a running game known moves step through the record, others continue the game, and those
   * of the engine are its own. */
  mayPlay(node, moves) {
    const { tree } = this.app;
    let [at, tip, side] = [node, this.tip, tree.side(node)];
    return !this.isRunning || moves.every((move) => {
      const known = at && tree.child(at, move);
      const isPlayed = !known || at === tip;
      const isAllowed = !isPlayed || side !== this.engine;
      at = known;
      if (isPlayed) tip = at;
      side = other(side);
      return isAllowed;
    });
  }

  /** Called after a move of the game was played. The game is the main line, also before lines of the analysis that were added earlier. */
  moved(node) {
    if (node.parent === this.tip) this.clocks.press(other(this.app.tree.side(node)));
    else this.clocks.stop();
    this.tip = node;
    // Each call promotes one level of nested variations.
    while (!this.app.tree.isMain(node)) this.app.tree.promote(node);
  }

  /** Called when the position at a node is known: ends the game, or starts the engine. */
  arrived(node, position) {
    if (!this.isRunning || node !== this.tip) return this.showPlayers();
    if (position.ruling.verdict !== "undecided") {
      const result = { "red-loses": "0-1", "black-loses": "1-0", draw: "1/2-1/2" }[position.ruling.verdict];
      return this.end(result, position.ruling.cause);
    }
    if (this.isSuspended) return this.showPlayers();
    this.clocks.run(position.side);
    if (position.side === this.engine) this.think(node);
    this.showPlayers();
  }

  /** Searches the engine's move; a search of another position is replaced. */
  async think(node) {
    if (this.thought?.node === node) return;
    const thought = { node };
    this.thought = thought;
    this.showPlayers();
    const { app } = this;
    const begun = performance.now();
    const left = this.clocks.left && { remaining: Math.round(this.clocks.now(this.engine)), increment: this.clocks.increment };
    const ask = { line: app.tree.line(node), level: this.level, book: this.book, notation: preferences.notation, rules: preferences.rules, ...(left && { clock: left }) };
    let answer;
    try {
      answer = await app.link.request("move", ask);
    } catch (error) {
      if (this.thought !== thought) return;
      this.thought = null;
      // Its time does not run while it cannot think.
      this.clocks.stop();
      toast(error.message, "error");
      if (error.busy) setTimeout(() => this.tip === node && this.resume(), 3000);
      return this.showPlayers();
    }
    // An instant move would look like a glitch.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 350 - (performance.now() - begun))));
    // It was stopped, or the engine thinks about another position.
    if (this.thought !== thought) return;
    this.thought = null;
    const move = answer.kind === "move" && answer.body.move;
    if (!this.isRunning || this.tip !== node || !move) return this.showPlayers();
    const child = app.tree.add(node, move.move, move.text);
    const follows = app.node === node;
    this.moved(child);
    // The notation was changed while it was thinking.
    if (ask.notation !== preferences.notation) app.rename();
    app.treeChanged();
    app.announceMove(child);
    if (follows) return app.go(child);
    app.showPosition(child);
    // The analysis of the position on the board waits while the engine is to move.
    app.analysis.restart();
  }

  /** Resumes the game after something else has used the engine. */
  resume() {
    if (this.isRunning && !this.isThinking) this.app.showPosition(this.tip);
  }

  stopThinking() {
    if (this.thought) this.app.link.stop();
    this.thought = null;
  }

  /** Stops the engine and the clocks until `resume`. */
  suspend() {
    this.stopThinking();
    this.clocks.stop();
  }

  /** Ends the game for a reason: a key of `words.js`, of which `side` may be a part. */
  end(result, reason, side) {
    if (!this.isRunning) return;
    this.suspend();
    const { app } = this;
    this.over = { result, reason, side };
    app.tree.result = result;
    app.treeChanged();
    // The board does not show the end of the game while another position is on it.
    if (app.node === this.tip) app.showStatus(true);
    else toast(`${result} · ${this.overText()}`);
    // The endgame table is no longer hidden.
    if (app.position) app.showPosed(app.position);
    this.showPlayers();
    // It waits while the engine is to move.
    if (!app.analysis.running) app.analysis.restart();
    sound("end");
  }

  /** The reason why the game is over. */
  overText() {
    const { reason, side } = this.over;
    return t(reason, { side: side && sideName(side) });
  }

  async resign() {
    const { app } = this;
    if (!this.isRunning) return;
    const loser = this.engine ? other(this.engine) : app.tree.side(this.tip);
    const isSure = await confirm("resign-dialog", t("resignTitle", { side: sideName(loser) }), t("resign"), t("playOn"));
    if (isSure) this.end(loser === "red" ? "0-1" : "1-0", "resigned", loser);
  }

  /** Offers a draw on behalf of the side to move, to the other player or the engine. */
  async offerDraw() {
    const { app, tip } = this;
    if (!this.isRunning) return;
    const side = app.tree.side(tip);
    if (!this.engine) {
      const isAgreed = await confirm("draw-dialog", t("drawTitle", { side: sideName(side), other: sideName(other(side)) }), t("accept"), t("playOn"));
      if (isAgreed && this.tip === tip) this.end("1/2-1/2", "agreed");
      return;
    }
    if (app.analysis.isReviewing) return toast(t("busy", { reason: t("review") }));
    if (side === this.engine || this.isThinking || this.isAsked) return toast(t("drawOnTurn"));
    if (this.refused !== null && tip.ply < this.refused + AGAIN && tip.ply >= this.refused) return toast(t("drawAgain", { n: Math.ceil((this.refused + AGAIN - tip.ply) / 2) }));
    this.isAsked = true;
    app.analysis.pause();
    let reply;
    try {
      reply = await this.askForDraw(tip);
    } catch (error) {
      return toast(error.message, "error");
    } finally {
      this.isAsked = false;
      app.analysis.restart();
    }
    if (!reply || !this.isRunning || this.tip !== tip) return;
    const reason = t(`draw-${reply.reason}`);
    if (reply.accepts) {
      toast(t("drawAccepted", { reason }));
      return this.end("1/2-1/2", "agreed");
    }
    this.refused = tip.ply;
    toast(t("drawRefused", { reason }));
  }

  /** The engine's answer to a draw offer at a node: `{ accepts, reason }`, or null when its search was stopped. */
  async askForDraw(node) {
    const answer = await this.app.link.request("draw_offer", { line: this.app.tree.line(node), rules: preferences.rules });
    return answer.kind === "draw_reply" ? answer.body : null;
  }

  /** Shows the buttons for resigning and offering a draw only during a game. */
  showControls() {
    for (const name of ["offerDraw", "resign"]) $(`do-${name}`).hidden = !this.isRunning;
  }

  /** Takes back to the user's last turn; without an engine opponent, by one move. */
  async takeBack() {
    const { app } = this;
    const isGame = this.isRunning || this.over;
    const at = isGame ? this.tip : app.node;
    if (!at?.parent) return;
    // In a record the moves after it would be deleted too.
    if (!isGame && at.children.length && !(await confirm("delete-dialog", t("deleteTitle", { move: at.text }), t("delete"), t("cancel")))) return;
    this.stopThinking();
    app.remember();
    let target = at.parent;
    if (this.on && this.engine && app.tree.side(target) === this.engine && target.parent) target = target.parent;
    // The moves are deleted, as on a real board; undo restores them.
    let last = at;
    while (last.parent !== target) last = last.parent;
    app.tree.remove(last);
    if (this.on) {
      this.over = null;
      app.tree.result = "*";
      this.tip = target;
      this.clocks.stop();
    }
    app.treeChanged();
    app.go(target);
  }

  showPlayers() {
    const { app } = this;
    if ($("do-resign")?.hidden === this.isRunning) this.showControls();
    const near = app.board.flipped ? "black" : "red";
    for (const [place, side] of [["near", near], ["far", other(near)]]) {
      const isEngine = this.on && this.engine === side;
      const name = app.tree.tag(side === "red" ? "Red" : "Black");
      const shown = isEngine ? `${t("engine")} · ${t("level")} ${this.level}` : name || sideName(side);
      const box = $(place);
      if (!box.firstChild) {
        for (const part of ["dot", "who", "what", "time"]) {
          const span = document.createElement("span");
          span.className = part;
          box.append(span);
        }
      }
      const [dot, who, what, time] = box.children;
      const isTurn = app.tree.side(app.node) === side && !this.over;
      box.classList.toggle("turn", isTurn);
      dot.className = `dot ${side}`;
      if (who.textContent !== shown) who.textContent = shown;
      const doing = isEngine && this.isThinking ? t("thinking") : "";
      if (what.textContent !== doing) what.textContent = doing;
      const clock = this.on ? this.clocks.text(side) : "";
      if (time.textContent !== clock) time.textContent = clock;
      time.classList.toggle("low", !!this.clocks.left && this.clocks.now(side) < 20000);
    }
  }
}
