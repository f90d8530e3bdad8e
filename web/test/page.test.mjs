// The logic of the board page that does not need a browser: its modules run here unchanged.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

// Copied next to a package.json that declares them as modules.
const folder = mkdtempSync(join(tmpdir(), "chuhe-page-"));
after(() => rmSync(folder, { recursive: true }));
const source = fileURLToPath(new URL("../../src/board_page/page/", import.meta.url));
for (const name of readdirSync(source).filter((name) => name.endsWith(".js"))) copyFileSync(join(source, name), join(folder, name));
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
const module = (name) => import(pathToFileURL(join(folder, name)).href);

const { colorFor, inComment, isShape, ofComment, shapeOf, toggle } = await module("drawings.js");
const { gameAddress, pack, positionAddress, readAddress, unpack } = await module("share.js");
const { Wheel } = await module("wheel.js");
const { Clocks } = await module("clock.js");
const { Library, MemoryStore, newId } = await module("games.js");
const { Keeper, textOf } = await module("keeper.js");
const { numbersOf, Tree } = await module("tree.js");
const { headed, lossText, problemText, scripted, setLanguage, t, titled } = await module("words.js");

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Waits until all pending promises have settled. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await turn();
};

/** A model of navigator.locks, shared by the pages of one browser. */
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

/** A model of BroadcastChannel for the pages of one browser. */
class Channels {
  all = [];
  open() {
    const channel = new EventTarget();
    channel.postMessage = (data) => this.all.filter((other) => other !== channel).forEach((other) => other.dispatchEvent(Object.assign(new Event("message"), { data })));
    this.all.push(channel);
    return channel;
  }
}

/** A page with a keeper and its own game. */
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
  const library = new Library(new MemoryStore());
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
  await one.keeper.changed(true);
  assert.equal(one.keeper.game.revision, 3, "the clocks have run");
  assert.equal(one.session.isDirty, false);
});

test("changes during a write are not lost", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  const first = one.play("h2e2");
  one.play("h9g7");
  one.play("h0g2");
  // Another game replaces this one on the board before everything is written.
  const { game } = one.keeper;
  one.keeper.take();
  one.tree = new Tree();
  await Promise.all([first, one.play("b2e2")]);
  assert.deepEqual(await stored(all.library, game.id), ["h2e2", "h9g7", "h0g2"]);
  assert.deepEqual(await stored(all.library, one.keeper.game.id), ["b2e2"]);
  assert.equal((await all.library.list()).length, 2);
});

test("a second page with the same game follows it, and makes a copy when it changes it", async () => {
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
  await second.keeper.changed(true);
  assert.equal(second.keeper.game.revision, 2, "the clocks of the first page count");
  await second.play("h0g2");
  assert.deepEqual(second.events, ["copy"]);
  assert.notEqual(second.keeper.game.id, id);
  assert.equal(second.isElsewhere, false);
  assert.deepEqual(await stored(all.library, id), ["h2e2", "h9g7"]);
  assert.deepEqual(await stored(all.library, second.keeper.game.id), ["h2e2", "h9g7", "h0g2"]);
});

test("the second page can take over the game, or gets it when the first one releases it", async () => {
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
  // The second page switches to another game.
  second.keeper.take();
  await settle();
  assert.equal(first.isElsewhere, false);
  await first.play("h0g2");
  assert.deepEqual(await stored(all.library, id), ["h2e2", "h9g7", "h0g2"]);
  assert.equal((await all.library.list()).length, 1);
});

test("without locks, two pages that write the same game end up with two games", async () => {
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

test("a page closed during a write resumes without a copy and without loss", async () => {
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
    next.keeper.take({ ...session, text: session.isDirty ? null : textOf(next.keeper.hooks.snapshot().record) });
    await next.keeper.start(all.library);
    next.keeper.letGo();
    return next;
  };
  // Written, but not recorded in the session.
  const noted = await again({ ...before, isDirty: true }, ["h2e2", "h9g7"]);
  assert.equal(noted.keeper.game.revision, 2);
  // Recorded in the session, but not written.
  await again({ id: before.id, revision: 2, isDirty: true }, ["h2e2", "h9g7", "h0g2"]);
  assert.deepEqual(await stored(all.library, before.id), ["h2e2", "h9g7", "h0g2"]);
  // Another page has continued the game.
  const older = await again({ id: before.id, revision: 1, isDirty: false }, ["h2e2"]);
  assert.deepEqual(older.moves(), ["h2e2", "h9g7", "h0g2"]);
  assert.equal((await all.library.list()).length, 1);
});

test("a page that is reloaded while its lock is still held makes no copy", async () => {
  const all = browser();
  const before = page(all);
  await before.keeper.start(all.library);
  await before.play("h2e2");
  const { id, revision } = before.keeper.game;
  const again = page(all);
  again.keeper.later = () => {};
  again.tree = Tree.of(before.tree.form());
  again.keeper.take({ id, revision, isDirty: true });
  await settle();
  again.play("h9g7");
  await again.keeper.start(all.library);
  assert.deepEqual([again.events, again.keeper.game.id, await stored(all.library, id)], [[], id, ["h2e2", "h9g7"]]);
});

test("a failed write is retried", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  const { update } = MemoryStore.prototype;
  all.library.store.update = () => Promise.reject(new Error("full"));
  await one.play("h2e2");
  assert.deepEqual(one.events, ["full"]);
  assert.equal(one.session.isDirty, true);
  all.library.store.update = update;
  await one.play("h9g7");
  assert.deepEqual(await stored(all.library, one.keeper.game.id), ["h2e2", "h9g7"]);
});

test("a game that cannot be written does not keep the next one from being written", async () => {
  const all = browser();
  const one = page(all);
  await one.keeper.start(all.library);
  const large = one.keeper.game;
  const { update } = MemoryStore.prototype;
  all.library.store.update = (id, change) => (id === large.id ? Promise.reject(new Error("full")) : update.call(all.library.store, id, change));
  await one.play("h2e2");
  one.keeper.take();
  one.tree = new Tree();
  for (const move of ["b2e2", "b9c7", "b0c2"]) {
    await one.play(move);
    assert.deepEqual(await stored(all.library, one.keeper.game.id), one.moves());
  }
  // It is still tried with every change.
  all.library.store.update = update;
  await one.play("a9b9");
  assert.deepEqual(await stored(all.library, large.id), ["h2e2"]);
});

test("deleted games make room, the oldest first", async () => {
  let now = 1000;
  // Room for three records, and for nothing else when it is full.
  class Full extends MemoryStore {
    update(id, change) {
      const fits = (changed) => !changed?.head || this.games.size + !this.games.has(id) < 4;
      return super.update(id, (head) => {
        const changed = change(head);
        if (!fits(changed) || (this.isStrict && changed?.head)) throw Object.assign(new Error(), { name: "QuotaExceededError" });
        return changed;
      });
    }
  }
  const library = new Library(new Full(), { now: () => (now += 1) });
  const write = (id) => library.write(id, 0, { title: id }, { tree: {} });
  const ids = async () => [...library.store.games.keys()].sort().join("");
  for (const id of ["a", "b", "c"]) await write(id);
  await assert.rejects(write("d"), { name: "QuotaExceededError" }, "games that are not deleted stay");
  assert.deepEqual([await library.delete("b"), await library.delete("a")], [true, true]);
  await write("d");
  assert.equal(await ids(), "acd", "b was deleted first");
  await library.restore("a");
  await assert.rejects(write("e"), { name: "QuotaExceededError" });
  // Without room even for a note in the list, a deleted game is removed at once, but never one that is restored.
  assert.equal(await library.delete("c"), true);
  library.store.isStrict = true;
  await assert.rejects(library.restore("c"), { name: "QuotaExceededError" });
  assert.deepEqual([await library.delete("d"), await ids()], [false, "a"]);
  library.store.isStrict = false;
  await library.delete("a");
  await library.empty();
  assert.equal(await ids(), "");
});

test("games are renamed, deleted and restored, and old ones are removed", async () => {
  let now = 1000;
  const library = new Library(new MemoryStore(), { now: () => now });
  const write = async (head = {}) => (await library.write(newId(now), 0, { title: "A – B", plies: 1, ...head }, { tree: {} })).id;
  const id = await write();
  await library.rename(id, "The final");
  now += 10;
  await library.write(id, 1, { title: "A – B", plies: 2 }, { tree: {} });
  assert.deepEqual((await library.list()).map(({ name, plies, created, changed }) => [name, plies, created, changed]), [["The final", 2, 1000, 1010]], "the name survives a change");
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
  // Of unchanged games of files only the latest are kept, without duplicates; other games are never removed.
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

/** A tree with variations, comments, marks and drawings. */
function sample() {
  const tree = new Tree("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1");
  tree.result = "1-0";
  tree.setTag("Red", "甲");
  const [a] = ["a1a9", "d9d8", "a9a8"].reduce(([first, at], move) => {
    const next = tree.add(at, move);
    return [first ?? next, next];
  }, [null, tree.root]);
  const b = tree.add(a, "d9e9");
  tree.add(b, "a9b9");
  tree.add(tree.root, "e0e1").comment = "慢 – “slow”";
  tree.root.comment = "before";
  b.glyphs = [5, 14];
  b.shapes = ["Ge9", "Ra9a0"];
  return tree;
}

/** A model of localStorage or sessionStorage, with room for this number of characters of a value. */
function storage(room = Infinity) {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem(name, value) {
      if (value.length > room) throw new Error("full");
      kept.set(name, value);
    },
    removeItem: (name) => kept.delete(name),
  };
}

/** The module of the browser's storage as a page with these storages loads it. */
async function store(page, storages) {
  for (const [name, value] of Object.entries({ navigator: { language: "en" }, ...storages })) Object.defineProperty(globalThis, name, { value, configurable: true });
  return import(`${pathToFileURL(join(folder, "store.js")).href}?${page}`);
}

test("a game that has no room in the storage of its tab leaves no other game there", async () => {
  const { keepSession, session } = await store("full", { localStorage: storage(), sessionStorage: storage(40) });
  assert.equal(keepSession({ title: "small" }), true);
  assert.deepEqual(session(), { title: "small" });
  assert.equal(keepSession({ title: "large".repeat(20) }), false);
  assert.equal(session(), null);
});

test("two tabs keep each other's settings", async () => {
  const both = { localStorage: storage(), sessionStorage: storage() };
  const [first, second] = [await store("first", both), await store("second", both)];
  first.choosePreference("theme", "dark");
  first.choosePreference("notation", "wxf");
  second.choosePreference("pieces", "letters");
  Object.assign(second.preferences, { level: 9 });
  second.keepPreferences();
  const { preferences } = await store("third", both);
  assert.deepEqual([preferences.theme, preferences.notation, preferences.pieces, preferences.level], ["dark", "wxf", "letters", 9]);
  assert.deepEqual([...preferences.chosen].sort(), ["notation", "pieces"]);
  // A later change of the same setting counts.
  second.choosePreference("theme", "light");
  assert.equal((await store("fourth", both)).preferences.theme, "light");
});

test("a clock shows tenths of the last ten seconds, rounded down", () => {
  const clocks = new Clocks({ onshow() {} });
  clocks.set(1, 0);
  for (const [left, text] of [[60000, "1:00"], [10000, "0:10"], [9999, "0:09.9"], [9950, "0:09.9"], [9500, "0:09.5"], [40, "0:00.0"]]) {
    clocks.left.red = left;
    assert.equal(clocks.text("red"), text);
  }
});

test("a game survives the round trip through a URL", async () => {
  const tree = sample();
  const form = tree.form();
  const hash = await gameAddress(form, tree.drawings(), 4);
  assert.match(hash, /^game=z[\w-]+$/);
  const back = await readAddress(`#${hash}`);
  assert.deepEqual(Tree.of(back.tree).form(), form);
  assert.deepEqual([back.drawings, back.shown], [tree.drawings(), 4]);
  // Browsers without CompressionStream, or with one that does not support the format.
  const { CompressionStream } = globalThis;
  for (const other of [undefined, class { constructor() { throw new TypeError("format"); } }]) {
    globalThis.CompressionStream = other;
    const plain = await gameAddress(form, tree.drawings(), 4);
    globalThis.CompressionStream = CompressionStream;
    assert.match(plain, /^game=j/);
    assert.deepEqual(await readAddress(plain), back);
  }
  // The standard starting position is omitted.
  assert.equal(pack(new Tree().form()), "{}");
  assert.deepEqual(unpack("{}").tree, new Tree().form());
});

test("a game of 200 plies has a short URL", async () => {
  const tree = new Tree();
  let [node, seed] = [tree.root, 1];
  const point = () => {
    seed = (seed * 48271) % 2147483647;
    return "abcdefghi"[seed % 9] + (Math.floor(seed / 9) % 10);
  };
  for (let ply = 0; ply < 200; ply++) node = tree.add(node, point() + point());
  const hash = await gameAddress(tree.form(), [], 200);
  assert.ok(hash.length < 700, `${hash.length} characters`);
});

test("a position survives the round trip through a URL", async () => {
  const fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";
  assert.equal(positionAddress(fen), "fen=3k5/9/9/9/9/9/9/9/R8/4K4_w_-_-_0_1");
  for (const hash of [positionAddress(fen), "#fen=3k5%2F9/9/9/9/9/9/9/R8/4K4%20w_-_-_0_1"]) assert.deepEqual(await readAddress(hash), { fen });
  assert.equal(await readAddress("#elsewhere"), null);
  assert.equal(await readAddress(""), null);
});

test("an invalid URL is rejected with a reason", async () => {
  const good = await gameAddress(sample().form(), [], 0);
  for (const hash of [good.slice(0, -6), "game=", "game=x", "game=zAAAA", "game=j!!", "game=jbnVsbA", `${good}x`]) {
    await assert.rejects(readAddress(hash), /^Error: the address has no game: /, hash);
  }
  for (const [text, reason] of [['{"m":"h2"}', "moves"], ['{"m":"@5h2e2"}', "moves"], ['{"s":7}', "start"], ['{"r":"2-0"}', "result"], ['{"t":[["a"]]}', "tags"], ['{"m":"h2e2","c":{"2":"x"}}', "comment of move 2"], ['{"g":{"0":["!"]}}', "glyphs"], ['{"d":{"0":["e4"]}}', "drawings"], ['{"p":1}', "show"], ["[", "damaged"]]) {
    assert.throws(() => unpack(text), new RegExp(`no game: .*${reason}`), text);
  }
  // A small URL that decompresses to a large amount of data.
  const stream = new Blob([new Uint8Array(20 << 20)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bomb = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  await assert.rejects(readAddress(`game=z${bomb}`), /too large/);
});

test("a mouse wheel steps once per notch, and a touchpad by distance", () => {
  const turn = (events) => {
    const wheel = new Wheel();
    return events.map(([deltaY, timeStamp, more]) => wheel.take({ deltaY, timeStamp, ...more }));
  };
  assert.deepEqual(turn([[120, 0], [120, 40], [-120, 400]]), [1, 1, -1]);
  assert.deepEqual(turn([[3, 0, { deltaMode: 1 }]]), [1], "lines");
  assert.deepEqual(turn([[25, 0], [25, 16], [25, 32], [25, 48]]), [0, 0, 1, 0], "a touchpad");
  assert.deepEqual(turn([[40, 0], [-40, 16], [-40, 32]]), [0, 0, -1], "a change of direction resets the distance");
  assert.deepEqual(turn([[40, 0], [40, 1000]]), [0, 0], "so does a pause");
  assert.deepEqual(turn([[120, 0, { ctrlKey: true }], [10, 1, { deltaX: 40 }]]), [null, null], "zoom and sideways");
});

test("drawing an equal shape removes it, and another colour replaces it", () => {
  assert.deepEqual([{}, { shiftKey: true }, { ctrlKey: true }, { altKey: true }, { shiftKey: true, altKey: true }].map(colorFor), ["G", "R", "R", "B", "Y"]);
  assert.deepEqual([shapeOf("G", "e4", "e4"), shapeOf("R", "h2", "e2")], ["Ge4", "Rh2e2"]);
  let shapes = toggle([], "Ge4");
  shapes = toggle(shapes, "Gh2e2");
  assert.deepEqual(toggle(shapes, "Re4"), ["Gh2e2", "Re4"]);
  assert.deepEqual(toggle(shapes, "Ge4"), ["Gh2e2"]);
  assert.deepEqual(["Ge4", "Rh2e2", "e4", "Gj4", "Ge4e", 5].map(isShape), [true, true, false, false, false, false]);
  const tree = sample();
  const again = Tree.of(tree.form());
  again.setDrawings(tree.drawings());
  assert.deepEqual(again.drawings(), tree.drawings());
  // A game of drawings only is kept, too.
  const drawn = new Tree();
  assert.equal(drawn.isEmpty(), true);
  drawn.root.shapes = ["Ge4"];
  assert.equal(drawn.isEmpty(), false);
});

test("position hashes are equal for mirror images", () => {
  const [line, image] = [["h2e2", "h9g7", "h0g2"], ["b2e2", "b9c7", "b0c2"]].map((moves) => numbersOf({ moves }));
  assert.deepEqual(line, image);
  assert.equal(new Set(line).size, 4);
  // With a different order of moves, and after a capture.
  assert.equal(numbersOf({ moves: ["h0g2", "h9g7", "h2e2"] }).at(-1), line.at(-1));
  const start = "4k4/9/9/9/4p4/4R4/9/9/9/3K5 w";
  assert.equal(numbersOf({ start, moves: ["e4e5"] })[1], numbersOf({ start: "4k4/9/9/9/4R4/9/9/9/9/3K5 b", moves: [] })[0]);
  assert.notEqual(numbersOf({ start, moves: [] })[0], numbersOf({ start: start.replace("w", "b"), moves: [] })[0]);
});

test("the name of a game is the title of its file, unless it has one", () => {
  const tree = new Tree();
  tree.tags = [["Red", "A"], ["title", ""]];
  assert.deepEqual(tree.fileForm("").tags, tree.tags);
  assert.deepEqual(tree.fileForm("mine").tags, [["Red", "A"], ["Title", "mine"]]);
  tree.setTag("Title", "own");
  assert.deepEqual(tree.fileForm("mine").tags, [["Red", "A"], ["title", "own"]]);
});

test("drawings are stored in comments as in PGN", () => {
  for (const [text, comment, shapes, written = text] of [
    ["[%csl Ge4,Rh2] [%cal Gh2e2] good", "good", ["Ge4", "Rh2", "Gh2e2"]],
    ["good [%cal Yh2e2 , Ra0a9]", "good", ["Yh2e2", "Ra0a9"], "[%cal Yh2e2,Ra0a9] good"],
    ["[%eval 0.3] [%csl Ga0] x", "[%eval 0.3] x", ["Ga0"], "[%csl Ga0] [%eval 0.3] x"],
    ["[%csl Ba0]", "", ["Ba0"]],
    // Malformed commands are left unchanged.
    ["[%csl Gx9] bad", "[%csl Gx9] bad", []],
    ["[%cal Ge4,Gh2e2]", "[%cal Ge4,Gh2e2]", []],
    ["plain [x] ", "plain [x] ", []],
    ["", "", []],
  ]) {
    assert.deepEqual(ofComment(text), { comment, shapes }, text);
    assert.equal(inComment(comment, shapes), written, text);
  }
});

test("Chinese text of the program is shown in the chosen script", () => {
  globalThis.document = { documentElement: {} };
  setLanguage("zh-Hant");
  assert.equal(titled("rules", { id: "chinese", title: "" }), "中國象棋競賽規則：連續將、殺、捉須變著");
  assert.equal(scripted("XQF密钥的校验和有误，文件可能已损坏"), "XQF密鑰的校驗和有誤，文件可能已損壞");
  assert.equal(scripted("标签超过9个，从第3着开始的这一条线"), "標籤超過9個，從第3著開始的這一條線");
  assert.equal(lossText("blanks and signs in names of tags, left out 1"), "標籤名稱中的空格和符號（已略去） ×1");
  assert.equal(lossText("comments 2, tag Round 1, characters that GBK lacks, written as '?' 3"), "注釋 ×2、標籤 Round ×1、GBK 中沒有的字符（寫作?） ×3");
  assert.deepEqual([headed(t("ruling"), t("draw")), t("unnamed"), t("more")], ["裁定：和棋", "對局", "其餘著法"]);
  const problem = { message: "empty, expected a record, a FEN or moves", message_chinese: "内容为空，应为棋谱、FEN 或着法" };
  assert.equal(problemText(problem), "內容為空，應為棋譜、FEN 或著法。");
  assert.equal(problemText({ message: "not a message", message_chinese: null }), "未能完成（not a message）。");
  setLanguage("en");
  assert.equal(problemText(problem), problem.message);
  assert.equal(lossText("comments 2, drawings 1"), "comments 2, drawings 1");
  assert.deepEqual([1, 5].map((n) => t("drawAgain", { n }).split("after ")[1]), ["1 more move.", "5 more moves."]);
  delete globalThis.document;
});
