// The games that the browser keeps. Every game has an id and a revision; a writer names the revision that it has seen, so that two
// pages with the same game cannot overwrite each other: the second one gets a copy.

const DATABASE = "chuhe";
const VERSION = 1;
const DAY = 24 * 3600_000;
/** How long a deleted game can be brought back. */
const KEPT_DELETED = 30 * DAY;
/** Games of files that nobody has changed: the file still has them, so only the latest are listed. */
const MOST_UNTOUCHED = 20;

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Games in IndexedDB: `heads` for the list, `records` with everything else, both by id. */
export class DatabaseShelf {
  /** Rejects where the browser has no database, as some do in private windows. */
  static async open(factory = globalThis.indexedDB) {
    if (!factory) throw new Error("no IndexedDB");
    const request = factory.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("heads", { keyPath: "id" });
      request.result.createObjectStore("records");
    };
    return new DatabaseShelf(await result(request));
  }

  constructor(database) {
    this.database = database;
    // A later version of the page in another tab may change the form of the database.
    database.onversionchange = () => database.close();
  }

  heads() {
    return result(this.database.transaction("heads").objectStore("heads").getAll());
  }

  async read(id) {
    const transaction = this.database.transaction(["heads", "records"]);
    const [head, record] = await Promise.all([result(transaction.objectStore("heads").get(id)), result(transaction.objectStore("records").get(id))]);
    return head && record ? { head, record } : null;
  }

  /** Writes what `change(head)` returns for the head that is stored, with no other writer in between: null leaves the game as it is,
   * `{ head: null }` removes it, a missing `record` stays. Resolves when the data is written. */
  update(id, change) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(["heads", "records"], "readwrite");
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

/** Games in memory, where there is no database: for tests, and for as long as the page is open. */
export class MemoryShelf {
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

/** A number that differs for different texts, as good as always (cyrb53 of bryc, public domain). */
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

/** A new id: the time, and a random number against two pages that ask at the same time. */
export function newId(now = Date.now()) {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return `${now.toString(36)}-${random.toString(36)}`;
}

/** The kept games. A head has `id`, `revision` (from 1), `created`, `changed` (ms since 1970), `name` (given by the user), `title`,
 * `plies`, `result`, `isPlaying`, `source` (of a file that is unchanged: its name, the game in it, and a fingerprint), `deleted`. */
export class Library {
  constructor(shelf, { now = Date.now } = {}) {
    this.shelf = shelf;
    this.now = now;
  }

  /** All games that are not deleted, the latest first. */
  async list() {
    const heads = await this.shelf.heads();
    return heads.filter((head) => !head.deleted).sort((a, b) => b.changed - a.changed);
  }

  /** Games that can be brought back, the last deleted first. */
  async deleted() {
    const heads = await this.shelf.heads();
    return heads.filter((head) => head.deleted).sort((a, b) => b.deleted - a.deleted);
  }

  read(id) {
    return this.shelf.read(id);
  }

  /** Writes a game; `seen` is the revision that the writer knows, 0 for a new one. When another page has written since, the game
   * becomes a copy. Resolves to `{ id, revision, isCopy }`. */
  async write(id, seen, head, record) {
    let written = null;
    await this.shelf.update(id, (stored) => {
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

  /** Puts in a game as it is, with its own times. */
  async put(head, record) {
    await this.shelf.update(head.id, () => ({ head, record }));
  }

  #edit(id, change) {
    return this.shelf.update(id, (head) => head && { head: change(head) });
  }

  /** Gives a game a name; an empty one gives back the title of the record. */
  rename(id, name) {
    return this.#edit(id, ({ name: _, ...head }) => (name ? { ...head, name } : head));
  }

  delete(id) {
    return this.#edit(id, (head) => ({ ...head, deleted: this.now() }));
  }

  restore(id) {
    return this.#edit(id, ({ deleted: _, ...head }) => head);
  }

  remove(id) {
    return this.shelf.update(id, () => ({ head: null }));
  }

  /** Removes what was deleted long ago, and games of files that nobody has changed: those there twice, and all but the latest.
   * `isOpen(id)` keeps a game. */
  async tidy(isOpen = () => false) {
    const heads = await this.shelf.heads();
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
