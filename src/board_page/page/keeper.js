// Keeps the game on the board: writes every change, knows whether another page has the same game, and follows what that page does.

import { newId } from "./games.js";

/** Milliseconds before another page is mentioned: a page that is loaded again may still hold its game for a moment. */
const PATIENCE = 500;

/** What counts as a change of a record. Clocks run all the time: they are written with the moves. */
export function textOf({ tree, drawings, review, game }) {
  return JSON.stringify([tree, drawings, review && [review.key, review.scores], game && { ...game, clock: null }]);
}

export class Keeper {
  /** `locks` and `channel` connect the pages of one browser: navigator.locks, which only secure addresses have, and a BroadcastChannel.
   * Without `locks` the revisions alone keep pages apart.
   *
   * `snapshot()` gives `{ head, record }` of the game on the board, or null while there is nothing to keep. `onload(record)` puts what
   * another page has changed onto the board, `onelsewhere(is)` says whether another page has the game, `oncopy()` that this page goes
   * on with a copy, `onfail(error)` that a game could not be written, `onkept(game)` that `id`, `revision` or `isDirty` are others. */
  constructor({ locks, channel, later = (work) => setTimeout(work, PATIENCE), ...hooks }) {
    Object.assign(this, { locks, channel, later, hooks, library: null, isOwner: true, waiting: new Map() });
    this.game = { id: newId(), revision: 0, text: null, isDirty: false };
    channel?.addEventListener("message", ({ data }) => this.#hear(data));
  }

  /** Another game is on the board: a kept one with its `id` and `revision`, or a new one. `text` is what of it is written. */
  take({ id = newId(), revision = 0, text = null, isDirty = false } = {}) {
    this.game = { id, revision, text, isDirty };
    this.#hold();
    this.hooks.onkept(this.game);
  }

  // ------------------------------------------------------------------------------------------------ who has the game

  /** Asks for the lock of the game on the board. */
  #hold() {
    this.letGo?.();
    this.letGo = null;
    this.#setOwner(true);
    if (!this.locks) return;
    const name = `chuhe-game-${this.game.id}`;
    let [isOver, release] = [false, null];
    const held = new Promise((resolve) => (release = resolve));
    const stop = new AbortController();
    this.letGo = () => {
      isOver = true;
      stop.abort();
      release();
    };
    const own = async (lock) => {
      if (!lock || isOver) return false;
      // The page that had it may have written something that this one has not heard of.
      if (!this.isOwner) await this.#refresh();
      if (!isOver) this.#setOwner(true);
      await held;
      return true;
    };
    const queue = () => this.locks.request(name, { signal: stop.signal }, own).catch(lost);
    const lost = (error) => {
      // Another page has taken the game over.
      if (isOver || error?.name !== "AbortError") return;
      this.#setOwner(false);
      queue();
    };
    this.steal = () => this.locks.request(name, { steal: true }, own).catch(lost);
    this.locks.request(name, { ifAvailable: true }, own).then((isHeld) => {
      if (isHeld || isOver) return;
      this.isOwner = false;
      this.later(() => isOver || this.isOwner || this.hooks.onelsewhere(true));
      queue();
    }, lost);
  }

  #setOwner(isOwner) {
    this.isOwner = isOwner;
    this.hooks.onelsewhere(!isOwner);
  }

  /** This page goes on with the game that another one has. */
  takeOver() {
    if (!this.isOwner) this.steal();
  }

  #hear({ id, revision } = {}) {
    if (id === this.game.id && revision > this.game.revision) this.#refresh();
  }

  /** Loads what another page has written. */
  async #refresh() {
    const { game } = this;
    const kept = await this.library?.read(game.id).catch(() => null);
    if (!kept || this.game !== game || game.isDirty || kept.head.revision <= game.revision) return;
    Object.assign(game, { revision: kept.head.revision, text: textOf(kept.record) });
    this.hooks.onload(kept.record);
    this.hooks.onkept(game);
  }

  // ------------------------------------------------------------------------------------------------ writing

  /** The game on the board may have changed, or only its clocks (`hasRun`). Resolves when it is written. */
  changed(hasRun = false) {
    const now = this.hooks.snapshot();
    const text = now && textOf(now.record);
    const isSame = !now || text === this.game.text;
    if (isSame && !(now && hasRun && this.isOwner)) return this.writing;
    if (!this.isOwner) {
      // The other page goes on with its game, this one has another from here on.
      this.take();
      this.hooks.oncopy();
    }
    Object.assign(this.game, { text, isDirty: true });
    this.hooks.onkept(this.game);
    this.waiting.set(this.game, now);
    return this.#write();
  }

  #write() {
    if (!this.library) return undefined;
    this.writing ??= this.#writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  /** Writes what waits, one game after the other; a change that comes meanwhile takes the place of one that waits. */
  async #writeAll() {
    while (this.waiting.size) {
      const [[game, now]] = this.waiting;
      this.waiting.delete(game);
      let written;
      try {
        written = await this.library.write(game.id, game.revision, now.head, now.record);
      } catch (error) {
        // It is tried again with the next change.
        if (!this.waiting.has(game)) this.waiting.set(game, now);
        return this.hooks.onfail(error);
      }
      this.channel?.postMessage({ id: written.id, revision: written.revision });
      const isCurrent = this.game === game;
      Object.assign(game, { id: written.id, revision: written.revision, isDirty: this.waiting.has(game) });
      if (isCurrent && written.isCopy) {
        this.#hold();
        this.hooks.oncopy();
      }
      if (isCurrent) this.hooks.onkept(game);
    }
  }

  /** The library is open. The game on the board, which has come without it, is compared with what it has. */
  async start(library) {
    this.library = library;
    const { game } = this;
    const kept = await library.read(game.id).catch(() => null);
    if (this.game !== game) return this.#write();
    // A page that ended between writing and noting that it had written.
    const now = this.hooks.snapshot();
    const isSame = kept && now && kept.head.revision > game.revision && textOf(kept.record) === textOf(now.record);
    if (isSame) {
      Object.assign(game, { revision: kept.head.revision, text: textOf(now.record), isDirty: false });
      this.waiting.delete(game);
      this.hooks.onkept(game);
    } else if (game.isDirty || !kept) {
      game.text = null;
      this.changed();
    } else if (kept.head.revision > game.revision) await this.#refresh();
    return this.#write();
  }
}
