// Saves the game on the board: writes every change, detects whether another page owns the same game, and follows that page's changes.

import { newId } from "./games.js";

/** Milliseconds before the user is informed about another page: a page being reloaded may still hold the lock for a moment. */
const NOTICE_DELAY = 500;

/** The part of a record in which a difference counts as a change. Clocks run constantly and are only written with the moves. */
export function textOf({ tree, drawings, review, game }) {
  return JSON.stringify([tree, drawings, review && [review.key, review.scores], game && { ...game, clock: null }]);
}

export class Keeper {
  /** `locks` and `channel` connect the pages of one browser: navigator.locks, which exists only in secure contexts, and a
   * BroadcastChannel. Without `locks` only the revisions prevent conflicts.
   *
   * `snapshot()` returns `{ head, record }` of the game on the board, or null if there is nothing to save. `onload(record)` shows another
   * page's changes on the board. `onelsewhere(is)` reports whether another page owns the game, `oncopy()` that this page continues with
   * a copy, `onfail(error)` that a game could not be written, `onkept(game)` that `id`, `revision` or `isDirty` have changed. */
  constructor({ locks, channel, later = (work) => setTimeout(work, NOTICE_DELAY), ...hooks }) {
    Object.assign(this, { locks, channel, later, hooks, library: null, isOwner: true, isUnsure: false, waiting: new Map() });
    this.game = { id: newId(), revision: 0, text: null, isDirty: false };
    channel?.addEventListener("message", ({ data }) => this.#receive(data));
  }

  /** Switches to another game: a stored one with its `id` and `revision`, or a new one. `text` is `textOf` the stored record. */
  take({ id = newId(), revision = 0, text = null, isDirty = false } = {}) {
    this.game = { id, revision, text, isDirty };
    this.#hold();
    this.hooks.onkept(this.game);
  }

  // ------------------------------------------------------------------------------------------------ ownership

  /** Requests the lock of the game on the board. */
  #hold() {
    this.letGo?.();
    this.letGo = null;
    this.isUnsure = false;
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
      // The previous owner may have written changes that this page has not yet seen.
      if (!this.isOwner) await this.#refresh();
      if (!isOver) this.#setOwner(true);
      await held;
      return true;
    };
    const queue = () => this.locks.request(name, { signal: stop.signal }, own).catch(lost);
    const lost = (error) => {
      // Another page has stolen the lock.
      if (isOver || error?.name !== "AbortError") return;
      this.#setOwner(false);
      queue();
    };
    this.steal = () => this.locks.request(name, { steal: true }, own).catch(lost);
    this.locks.request(name, { ifAvailable: true }, own).then((isHeld) => {
      if (isHeld || isOver) return;
      this.isOwner = false;
      this.isUnsure = true;
      this.later(() => {
        if (isOver) return;
        this.isUnsure = false;
        if (!this.isOwner) this.hooks.onelsewhere(true);
      });
      queue();
    }, lost);
  }

  #setOwner(isOwner) {
    this.isOwner = isOwner;
    this.hooks.onelsewhere(!isOwner);
  }

  /** Takes over the game from its owner. */
  takeOver() {
    if (!this.isOwner) this.steal();
  }

  #receive({ id, revision } = {}) {
    if (id === this.game.id && revision > this.game.revision) this.#refresh();
  }

  /** Loads another page's changes. */
  async #refresh() {
    const { game } = this;
    const kept = await this.library?.read(game.id).catch(() => null);
    if (!kept || this.game !== game || game.isDirty || kept.head.revision <= game.revision) return;
    Object.assign(game, { revision: kept.head.revision, text: textOf(kept.record) });
    this.hooks.onload(kept.record);
    this.hooks.onkept(game);
  }

  // ------------------------------------------------------------------------------------------------ writing

  /** Saves the game if it has changed, or with `hasRun` even if only its clocks have run. Resolves when it is written. */
  changed(hasRun = false) {
    const now = this.hooks.snapshot();
    const text = now && textOf(now.record);
    const isSame = !now || text === this.game.text;
    if (isSame && !(now && hasRun && this.isOwner)) return this.writing;
    // The owner may be this page before it was reloaded, with a change that is yet to be written. The revisions prevent conflicts also then.
    if (!this.isOwner && !this.isUnsure) {
      // The owner keeps the game; this page continues with a copy.
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

  /** Writes all pending games in turn; a newer change replaces a pending one of the same game. A game that cannot be written, for which there
   * may be no room, does not keep the others from being written. */
  async #writeAll() {
    const failed = new Map();
    while (this.waiting.size) {
      const [[game, now]] = this.waiting;
      this.waiting.delete(game);
      let written;
      try {
        written = await this.library.write(game.id, game.revision, now.head, now.record);
      } catch (error) {
        failed.set(game, now);
        this.hooks.onfail(error);
        continue;
      }
      failed.delete(game);
      this.channel?.postMessage({ id: written.id, revision: written.revision });
      const isCurrent = this.game === game;
      Object.assign(game, { id: written.id, revision: written.revision, isDirty: this.waiting.has(game) });
      if (isCurrent && written.isCopy) {
        this.#hold();
        this.hooks.oncopy();
      }
      if (isCurrent) this.hooks.onkept(game);
    }
    // Retry with the next change.
    for (const [game, now] of failed) this.waiting.set(game, now);
  }

  /** Called when the library is open: reconciles the game on the board, which was restored without it, with the stored game. */
  async start(library) {
    this.library = library;
    const { game } = this;
    const kept = await library.read(game.id).catch(() => null);
    if (this.game !== game) return this.#write();
    // The page may have been closed after writing but before recording that it had written.
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
