// The games stored by the browser. Every game has an id and a revision. A writer passes the revision it has seen, so that two pages
// with the same game cannot overwrite each other: the second one gets a copy.

const DATABASE = "chuhe";
const VERSION = 1;
const DAY = 24 * 3600_000;
/** Milliseconds for which a deleted game can be restored. */
const KEPT_DELETED = 30 * DAY;
/** Number of unchanged games of files that are kept: the latest ones. The others are still in their files. */
const MOST_UNTOUCHED = 20;

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The database of games, opened. */
async function connected(factory) {
  const request = factory.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("heads", { keyPath: "id" });
    request.result.createObjectStore("records");
  };
  const database = await result(request);
  // A later version of the page in another tab may change the schema.
  database.onversionchange = () => database.close();
  return database;
}

/** Games in IndexedDB: `heads` for the list, `records` with everything else, both keyed by id. */
export class DatabaseStore {
  /** Rejects if the browser provides no database, as some do in private windows. */
  static async open(factory = globalThis.indexedDB) {
    if (!factory) throw new Error("no IndexedDB");
    return new DatabaseStore(factory, await connected(factory));
  }

  constructor(factory, database) {
    Object.assign(this, { factory, database });
  }

  /** Begins a transaction. Browsers close the databases of pages in the background or whose data is cleared; they are opened again. */
  async #begin(...scope) {
    try {
      return this.database.transaction(...scope);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
      this.database = await connected(this.factory);
      return this.database.transaction(...scope);
    }
  }

  async heads() {
    const transaction = await this.#begin("heads");
    return result(transaction.objectStore("heads").getAll());
  }

  async read(id) {
    const transaction = await this.#begin(["heads", "records"]);
    const [head, record] = await Promise.all([result(transaction.objectStore("heads").get(id)), result(transaction.objectStore("records").get(id))]);
    return head && record ? { head, record } : null;
  }

  /** Atomically replaces a game with the result of `change(head)` for the stored head: null leaves the game unchanged, `{ head: null }`
   * removes it, and without `record` the stored record is kept. Resolves when the data is written. */
  async update(id, change) {
    const transaction = await this.#begin(["heads", "records"], "readwrite");
    await new Promise((resolve, reject) => {
      const [heads, records] = ["heads", "records"].map((name) => transaction.objectStore(name));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("the game could not be written"));
      const request = heads.get(id);
      request.onsuccess = () => {
        const changed = change(request.result ?? null);
        if (!changed) return;
        if (!changed.head) {
          heads.delete(id);
          records.delete(id);
          return;
        }
        heads.put(changed.head);
        if (changed.record) records.put(changed.record, id);
      };
    });
  }
}

/** Games in memory, for tests, and as a fallback without a database for as long as the page is open. */
export class MemoryStore {
  constructor() {
    this.games = new Map();
  }

  async heads() {
    return [...this.games.values()].map(({ head }) => structuredClone(head));
  }

  async read(id) {
    const game = this.games.get(id);
    return game ? structuredClone(game) : null;
  }

  async update(id, change) {
    const stored = this.games.get(id);
    const changed = change(stored ? structuredClone(stored.head) : null);
    if (!changed) return;
    if (!changed.head) this.games.delete(id);
    else this.games.set(id, structuredClone({ head: changed.head, record: changed.record ?? stored?.record }));
  }
}

/** A 53-bit hash of a text (cyrb53 by bryc, public domain). */
export function fingerprint(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** Whether a game was not written because the browser has no room for it. */
const isFull = ({ name }) => name === "QuotaExceededError";

/** A new id: the time, and a random number in case two pages create one at the same time. */
export function newId(now = Date.now()) {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return `${now.toString(36)}-${random.toString(36)}`;
}

/** The stored games. A head has `id`, `revision` (from 1), `created`, `changed` (ms since 1970), `name` (given by the user), `title`,
 * `plies`, `result`, `isPlaying`, `source` (of an unchanged game of a file: file name, number of the game, and fingerprint), `deleted`. */
export class Library {
  constructor(store, { now = Date.now } = {}) {
    this.store = store;
    this.now = now;
  }

  /** All games that are not deleted, most recent first. */
  async list() {
    const heads = await this.store.heads();
    return heads.filter((head) => !head.deleted).sort((a, b) => b.changed - a.changed);
  }

  /** Deleted games that can be restored, most recently deleted first. */
  async deleted() {
    const heads = await this.store.heads();
    return heads.filter((head) => head.deleted).sort((a, b) => b.deleted - a.deleted);
  }

  read(id) {
    return this.store.read(id);
  }

  /** Writes a game; `seen` is the revision known to the writer, 0 for a new game. If another page has written since, the game is stored as
   * a copy. Resolves to `{ id, revision, isCopy }`. */
  async write(id, seen, head, record) {
    let written = null;
    await this.#update(id, (stored) => {
      if (stored && stored.revision !== seen) return null;
      const now = this.now();
      written = { id, revision: seen + 1, isCopy: false };
      const { created, name } = stored ?? {};
      return { head: { ...head, id, revision: seen + 1, created: created ?? now, changed: now, ...(name && { name }) }, record };
    });
    if (written) return written;
    const copy = await this.write(newId(this.now()), 0, head, record);
    return { ...copy, isCopy: true };
  }

  /** Stores a game unchanged, including its timestamps. */
  async put(head, record) {
    await this.#update(head.id, () => ({ head, record }));
  }

  /** Changes a stored game. While the browser has no room for that, the game deleted longest ago makes room. */
  async #update(id, change) {
    for (;;) {
      try {
        return await this.store.update(id, change);
      } catch (error) {
        const oldest = isFull(error) && (await this.deleted()).filter((head) => head.id !== id).at(-1);
        if (!oldest) throw error;
        await this.remove(oldest.id);
      }
    }
  }

  #edit(id, change) {
    return this.#update(id, (head) => head && { head: change(head) });
  }

  /** Names a game; an empty name restores the title of the record. */
  rename(id, name) {
    return this.#edit(id, ({ name: _, ...head }) => (name ? { ...head, name } : head));
  }

  /** Deletes a game. Resolves to whether it can be restored: a full storage has no room even for the note that the game is deleted. */
  async delete(id) {
    try {
      await this.#edit(id, (head) => ({ ...head, deleted: this.now() }));
      return true;
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.remove(id);
      return false;
    }
  }

  restore(id) {
    return this.#edit(id, ({ deleted: _, ...head }) => head);
  }

  remove(id) {
    return this.store.update(id, () => ({ head: null }));
  }

  /** Permanently removes all deleted games. */
  async empty() {
    for (const { id } of await this.deleted()) await this.remove(id);
  }

  /** Permanently removes games deleted long ago, and unchanged games of files: duplicates, and all but the latest. Games for which
   * `isOpen(id)` is true are kept. */
  async tidy(isOpen = () => false) {
    const heads = await this.store.heads();
    const old = heads.filter((head) => head.deleted && head.deleted < this.now() - KEPT_DELETED);
    const untouched = heads.filter((head) => !head.deleted && !head.name && head.source && !isOpen(head.id)).sort((a, b) => b.changed - a.changed);
    const seen = new Set();
    const isAgain = ({ source }) => {
      const key = JSON.stringify([source.name, source.game, source.print]);
      return seen.has(key) || !seen.add(key);
    };
    const [twice, once] = [[], []];
    for (const head of untouched) (isAgain(head) ? twice : once).push(head);
    const gone = [...old, ...twice, ...once.slice(MOST_UNTOUCHED)];
    for (const { id } of gone) await this.remove(id);
    return gone.length;
  }
}
