// Data loaded after the module, and the module for JavaScript engines without SIMD.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Book, Engine, Game, load } from "chuhe";
import { Connection } from "chuhe/connection";
import { endgames } from "chuhe-endgames";

test("the opening book and the endgame tables can be loaded later", async () => {
  assert.throws(() => new Game(), /nothing is loaded yet/);
  await assert.rejects(load({ module: new Uint8Array(8) }), /WebAssembly/);
  await load({ book: false });
  const game = new Game();
  game.move("h2e2");
  assert.deepEqual([game.book(), game.opening(), Book.builtin().size], [[], null, 0]);
  const engine = await Engine.start();
  assert.equal((await engine.move(game, { movetime: 20 })).book, false);
  engine.close();
  await assert.rejects(load({ book: new Uint8Array(1000) }), { name: "ChuheError", message: /mark of a chuhe book/ });
  // An engine waits for everything that is being loaded.
  const [, early] = await Promise.all([load({ book: readFileSync(new URL("../dist/data/opening.book", import.meta.url)) }), Engine.start()]);
  assert.equal((await early.move(game, { movetime: 20 })).book, true);
  early.close();
  assert.deepEqual([game.book()[0].move, game.opening().en], ["h9g7", "Central Cannon"]);
  assert.ok(Book.builtin().size > 5000);
  const won = new Game("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w");
  assert.throws(() => won.endgame(), /load\({ endgames }\)/);
  assert.equal(won.isGameOver(), false);
  await load({ endgames });
  assert.equal(won.endgame().plies, 17);
  // An engine uses the loaded data unless its options exclude them.
  for (const book of [true, false]) {
    const other = await Engine.start({ book });
    assert.equal((await other.move(game, { movetime: 20 })).book, book);
    other.close();
  }
});

test("a connection goes on if the endgame tables are damaged", async () => {
  const connection = await new Promise((resolve, reject) => {
    const onprogress = (part) => part === "endgames" && connection.send('{"id":1,"ask":{"setup":{"fen":"x"}}}');
    // A host may answer with a page instead of a missing file.
    const connection = new Connection({ endgames: new URL("data:text/html,<!doctype html>"), onprogress });
    connection.onmessage = ({ data }) => JSON.parse(data).id === 1 && resolve(connection);
    connection.onclose = ({ reason }) => reject(new Error(reason));
  });
  // The workers for searches were given the damaged tables too.
  const moved = new Promise((resolve) => (connection.onmessage = ({ data }) => resolve(JSON.parse(data).answer)));
  connection.send('{"id":2,"ask":{"move":{"line":{},"level":1}}}');
  assert.ok((await moved).move);
  connection.close();
});

test("contents are given as any kind of bytes, and locations are those of the page where a bundler has replaced the module's", async () => {
  const { bytesOf, urlOf } = await import("../dist/load.js");
  assert.deepEqual(await bytesOf(new Uint8Array([1, 2]).buffer), new Uint8Array([1, 2]));
  assert.equal(urlOf("./data/opening.book").href, new URL("../dist/data/opening.book", import.meta.url).href);
  // A page whose module has the address of a file.
  globalThis.location = { href: "https://example.org/board/" };
  try {
    assert.equal(urlOf("/static/opening.book").href, "https://example.org/static/opening.book");
  } finally {
    delete globalThis.location;
  }
});

test("the files of the package have URLs that bundlers recognize", () => {
  const script = (name) => readFileSync(new URL(`../dist/${name}.js`, import.meta.url), "utf8");
  for (const [name, file] of [["load", "./data/opening.book"], ["engine", "./data/network.nnue"], ["parts", "./wasm/chuhe-simd128.wasm"]]) {
    assert.ok(script(name).includes(`new URL("${file}", import.meta.url)`), file);
  }
  assert.ok(script("searches").includes('new Worker(new URL("./worker.js", import.meta.url), { type: "module" })'));
});

// V8 supports WebAssembly SIMD only if the processor has SSE4.1.
const onX64 = process.arch === "x64" ? {} : { skip: "SIMD can be disabled only on x86-64" };

test("without SIMD the module of chuhe-plain is loaded", onX64, () => {
  const script = `
    import { Engine, Game, hasVectors, load } from "chuhe";
    import { plain } from "chuhe-plain";
    const refused = await load().then(() => "loaded", (error) => error.message);
    await load({ plain });
    const engine = await Engine.start();
    const { result } = await engine.analyse(new Game(), { depth: 4 }).result;
    engine.close();
    console.log(JSON.stringify([hasVectors(), refused, result.depth, new Game().moves().length]));`;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const run = spawnSync(process.execPath, ["--no-enable-sse4-1", "--input-type=module", "--eval", script], { cwd, encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  const [vectors, refused, depth, moves] = JSON.parse(run.stdout);
  assert.deepEqual([vectors, depth, moves], [false, 4, 44]);
  assert.match(refused, /no vectors: expected the module of chuhe-plain/);
});
