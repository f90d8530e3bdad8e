// What the page of the board decides without a browser: its modules run here as they are.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

// Copied next to a package.json that says what they are: modules.
const folder = mkdtempSync(join(tmpdir(), "chuhe-page-"));
after(() => rmSync(folder, { recursive: true }));
const source = fileURLToPath(new URL("../../src/board_page/page/", import.meta.url));
for (const name of readdirSync(source).filter((name) => name.endsWith(".js"))) copyFileSync(join(source, name), join(folder, name));
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
const module = (name) => import(pathToFileURL(join(folder, name)).href);

const { Library, MemoryShelf, newId } = await module("games.js");
const { Keeper, textOf } = await module("keeper.js");
const { Tree } = await module("tree.js");

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Lets everything that waits for promises happen. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await turn();
};

/** The locks of one browser, as navigator.locks has them for its pages. */
class Locks {
  constructor() {
    this.held = new Map();
    this.queue = [];
  }

  request(name, options, work) {
    return new Promise((resolve, reject) => {
      const entry = { name, work, resolve, reject };
      options.signal?.addEventListener("abort", () => {
        if (this.held.get(name) === entry) return;
        this.queue = this.queue.filter((other) => other !== entry);
        reject(Object.assign(new Error("aborted"), { name: "AbortError" }));
      });
      if (options.steal) this.held.get(name)?.reject(Object.assign(new Error("stolen"), { name: "AbortError" }));
      if (!this.held.has(name) || options.steal) return this.grant(entry);
      if (options.ifAvailable) return resolve(work(null));
      this.queue.push(entry);
    });
  }

  async grant(entry) {
    this.held.set(entry.name, entry);
    const value = await entry.work({ name: entry.name });
    if (this.held.get(entry.name) === entry) {
      this.held.delete(entry.name);
      const next = this.queue.find(({ name }) => name === entry.name);
      this.queue = this.queue.filter((other) => other !== next);
      if (next) this.grant(next);
    }
    entry.resolve(value);
  }
}

/** The channels of one browser: what one page says, the others hear. */
class Channels {
  all = [];
  open() {
    const channel = new EventTarget();
    channel.postMessage = (data) => this.all.filter((other) => other !== channel).forEach((other) => other.dispatchEvent(Object.assign(new Event("message"), { data })));
    this.all.push(channel);
    return channel;
  }
}

/** A page with a game of the given moves. */
function page(browser) {
  const own = { tree: new Tree(), events: [], loaded: 0 };
  own.keeper = new Keeper({
    locks: browser.locks,
    channel: browser.channels.open(),
    later: (work) => work(),
    snapshot: () => (own.tree.isEmpty() ? null : { head: { title: "", plies: own.tree.nodes().length, result: "*" }, record: { tree: own.tree.form() } }),
    onload: (record) => {
      own.tree = Tree.of(record.tree);
      own.loaded += 1;
    },
    onelsewhere: (is) => (own.isElsewhere = is),
    oncopy: () => own.events.push("copy"),
    onfail: (error) => own.events.push(error.message),
    onkept: (game) => (own.session = { ...game }),
  });
  own.keeper.take();
  own.play = (...moves) => {
    moves.reduce((node, move) => own.tree.add(node, move), own.tree.end(own.tree.root));
    return own.keeper.changed();
  };
  own.moves = () => own.tree.mainLine().map((node) => node.move);
  own.openGame = async (id) => {
    const kept = await own.keeper.library.read(id);
    own.keeper.take({ id, revision: kept.head.revision, text: textOf(kept.record) });
    own.tree = Tree.of(kept.record.tree);
    await settle();
  };
  return own;
}

const browser = ({ locks = new Locks() } = {}) => {
  const library = new Library(new MemoryShelf());
  return { locks, channels: new Channels(), library };
};
const stored = async (library, id) => (await library.read(id)).record.tree.nodes.map(({ move }) => move);

test("every change is written, and only changes", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  assert.equal((await all.library.list()).length, 0, "an empty board is no game");
  await one.play("h2e2");
  await one.play("h9g7");
  const { id, revision } = one.keeper.game;
  assert.deepEqual(await stored(all.library, id), ["h2e2", "h9g7"]);
  assert.equal(revision, 2);
  await one.keeper.changed();
  assert.equal(one.keeper.game.revision, 2, "nothing has changed");
  assert.equal(one.session.isDirty, false);
});

test("changes that come while one is written are not lost", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  const first = one.play("h2e2");
  one.play("h9g7");
  one.play("h0g2");
  // And another game comes onto the board before all is written.
  const { game } = one.keeper;
  one.keeper.take();
  one.tree = new Tree();
  await Promise.all([first, one.play("b2e2")]);
  assert.deepEqual(await stored(all.library, game.id), ["h2e2", "h9g7", "h0g2"]);
  assert.deepEqual(await stored(all.library, one.keeper.game.id), ["b2e2"]);
  assert.equal((await all.library.list()).length, 2);
});

test("a second page with the same game waits, follows, and makes a copy of what it changes", async () => {
  const all = browser();
  const [first, second] = [page(all), page(all)];
  await first.keeper.start(all.library);
  await second.keeper.start(all.library);
  await first.play("h2e2");
  const { id } = first.keeper.game;
  await second.openGame(id);
  assert.equal(second.isElsewhere, true);
  await first.play("h9g7");
  await settle();
  assert.deepEqual(second.moves(), ["h2e2", "h9g7"], "it follows");
  await second.play("h0g2");
  assert.deepEqual(second.events, ["copy"]);
  assert.notEqual(second.keeper.game.id, id);
  assert.equal(second.isElsewhere, false);
  assert.deepEqual(await stored(all.library, id), ["h2e2", "h9g7"]);
  assert.deepEqual(await stored(all.library, second.keeper.game.id), ["h2e2", "h9g7", "h0g2"]);
});

test("the second page takes the game over, or gets it when the first one goes", async () => {
  const all = browser();
  const [first, second] = [page(all), page(all)];
  for (const one of [first, second]) await one.keeper.start(all.library);
  await first.play("h2e2");
  const { id } = first.keeper.game;
  await second.openGame(id);
  second.keeper.takeOver();
  await settle();
  assert.deepEqual([first.isElsewhere, second.isElsewhere], [true, false]);
  await second.play("h9g7");
  await settle();
  assert.deepEqual(first.moves(), ["h2e2", "h9g7"]);
  // Another game comes onto the second page's board.
  second.keeper.take();
  await settle();
  assert.equal(first.isElsewhere, false);
  await first.play("h0g2");
  assert.deepEqual(await stored(all.library, id), ["h2e2", "h9g7", "h0g2"]);
  assert.equal((await all.library.list()).length, 1);
});

test("without locks two pages that write the same game have two games", async () => {
  const all = browser({ locks: null });
  const [first, second] = [page(all), page(all)];
  for (const one of [first, second]) await one.keeper.start(all.library);
  await first.play("h2e2");
  const { id } = first.keeper.game;
  await second.openGame(id);
  await Promise.all([first.play("h9g7"), second.play("b9c7")]);
  const lists = await Promise.all((await all.library.list()).map((head) => stored(all.library, head.id)));
  assert.deepEqual(lists.sort(), [["h2e2", "b9c7"], ["h2e2", "h9g7"]]);
  assert.deepEqual([first.events, second.events], [[], ["copy"]]);
});

test("a page that ended while it wrote goes on without a copy and without a loss", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  await one.play("h2e2");
  const before = { ...one.keeper.game };
  await one.play("h9g7");
  one.keeper.letGo();
  const again = async (session, moves) => {
    const next = page(all);
    moves.reduce((node, move) => next.tree.add(node, move), next.tree.root);
    next.keeper.take({ ...session, text: textOf(next.keeper.hooks.snapshot().record) });
    await next.keeper.start(all.library);
    next.keeper.letGo();
    return next;
  };
  // Written, but the tab has not noted it.
  const noted = await again({ ...before, isDirty: true }, ["h2e2", "h9g7"]);
  assert.equal(noted.keeper.game.revision, 2);
  // Noted in the tab, but not written.
  await again({ id: before.id, revision: 2, isDirty: true }, ["h2e2", "h9g7", "h0g2"]);
  assert.deepEqual(await stored(all.library, before.id), ["h2e2", "h9g7", "h0g2"]);
  // Another page has gone on with it.
  const older = await again({ id: before.id, revision: 1, isDirty: false }, ["h2e2"]);
  assert.deepEqual(older.moves(), ["h2e2", "h9g7", "h0g2"]);
  assert.equal((await all.library.list()).length, 1);
});

test("a write that fails is tried again", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  const { update } = MemoryShelf.prototype;
  all.library.shelf.update = () => Promise.reject(new Error("full"));
  await one.play("h2e2");
  assert.deepEqual(one.events, ["full"]);
  assert.equal(one.session.isDirty, true);
  all.library.shelf.update = update;
  await one.play("h9g7");
  assert.deepEqual(await stored(all.library, one.keeper.game.id), ["h2e2", "h9g7"]);
});

test("games are renamed, deleted, restored, and old ones go", async () => {
  let now = 1000;
  const library = new Library(new MemoryShelf(), { now: () => now });
  const write = async (head = {}) => (await library.write(newId(now), 0, { title: "A – B", plies: 1, ...head }, { tree: {} })).id;
  const id = await write();
  await library.rename(id, "The final");
  now += 10;
  await library.write(id, 1, { title: "A – B", plies: 2 }, { tree: {} });
  assert.deepEqual((await library.list()).map(({ name, plies, created, changed }) => [name, plies, created, changed]), [["The final", 2, 1000, 1010]], "the name outlives a change");
  await library.delete(id);
  assert.equal((await library.list()).length, 0);
  assert.deepEqual((await library.deleted()).map((head) => head.id), [id]);
  await library.tidy();
  await library.restore(id);
  assert.equal((await library.list()).length, 1);
  await library.delete(id);
  now += 31 * 24 * 3600_000;
  assert.equal(await library.tidy(), 1);
  assert.equal(await library.read(id), null);
  // Of unchanged games of files the latest stay, each once; others are never touched.
  const own = await write();
  const named = await write({ source: { name: "a.pgn", game: 1, print: 1 } });
  await library.rename(named, "Mine");
  const open = await write({ source: { name: "a.pgn", game: 2, print: 2 } });
  for (let game = 1; game <= 30; game++) {
    now += 1;
    await write({ source: { name: "b.pgn", game, print: game } });
    if (game > 25) await write({ source: { name: "b.pgn", game, print: game } });
  }
  assert.equal(await library.tidy((id) => id === open), 15);
  const left = await library.list();
  assert.equal(left.length, 23);
  assert.ok([own, named, open].every((id) => left.some((head) => head.id === id)));
});
