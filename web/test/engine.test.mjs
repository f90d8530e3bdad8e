import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ChuheError, Engine, Game, GameRecord, levels, load } from "chuhe";
import { bench } from "./support.mjs";

const MATE = "2bakab2/1R7/9/2C6/9/4C4/7c1/4B4/4A1r2/2BAK3c w";

await load();

for (const shared of [true, false]) {
  test(`the engine, stopped ${shared ? "by a flag" : "by terminating its worker"}`, async (t) => {
    const engine = await Engine.start({ shared });
    t.after(() => engine.close());

    await t.test("lines are delivered as they are found", async () => {
      const search = engine.analyse(new Game(), { lines: 3, depth: 8, notation: "chinese" });
      const depths = [];
      for await (const { result, texts } of search) {
        depths.push(result.depth);
        assert.equal(texts.length, result.lines.length);
      }
      assert.deepEqual(depths, [...depths].sort((a, b) => a - b));
      const { result, texts } = await search.result;
      assert.deepEqual([result.depth, result.lines.length], [8, 3]);
      assert.equal(result.bestmove, result.lines[0].pv[0]);
      assert.match(texts[0][0], /[一二三四五六七八九]/);
    });

    await t.test("an endless search is stopped and keeps its best line", async () => {
      for (let round = 0; round < 3; round++) {
        const search = engine.analyse(new Game());
        let seen = 0;
        search.onitem = ({ result }) => {
          seen = result.depth;
          if (seen >= 5) search.stop();
        };
        const last = await search.result;
        assert.ok(last.result.depth >= 5 && last.result.depth >= seen);
        search.stop();
      }
    });

    await t.test("leaving the loop stops the search, and a new search replaces the previous one", async () => {
      for await (const { result } of engine.analyse(new Game())) if (result.depth >= 3) break;
      const old = engine.analyse(new Game());
      const between = engine.analyse(new Game());
      const mate = engine.analyse(new Game(MATE), { depth: 6 });
      const { result } = await mate.result;
      assert.deepEqual([result.bestmove, result.lines[0].score], ["c6e6", { mate: 1 }]);
      await old.result;
      assert.equal(await between.result, null);
      // `stop` means the newest search, even while the one before it has not ended yet.
      const before = engine.analyse(new Game());
      await new Promise((resolve) => (before.onitem = resolve));
      const newest = engine.analyse(new Game());
      engine.stop();
      await before.result;
      await newest.result;
    });

    await t.test("moves at every level are legal", async () => {
      const game = new Game();
      for (const { level } of levels()) {
        const { move, book } = await engine.move(game, { level, movetime: 30 });
        assert.ok(game.moves().includes(move), move);
        assert.ok(!book || level * 2 > levels().length);
        game.move(move, { notation: "uci" });
      }
      assert.equal((await engine.move(new Game(MATE), { movetime: 2000 })).move, "c6e6");
      assert.equal(await engine.move(new Game("3k1R3/9/9/9/9/9/9/9/3R5/4K4 b")), null);
      await assert.rejects(engine.move(game, { level: 13 }), { name: "ChuheError", message: /level 13/ });
    });

    await t.test("a game is reviewed with deterministic results", async () => {
      const record = GameRecord.of(Game.of({ moves: ["h2e2", "a6a5", "e2e6"] }));
      const review = async () => {
        const search = engine.review(record, { nodes: 3000 });
        const plies = [];
        for await (const { ply } of search) plies.push(ply);
        assert.deepEqual(plies, [0, 1, 2, 3]);
        return search.result;
      };
      await engine.clear();
      const first = await review();
      await engine.clear();
      assert.deepEqual(await review(), first);
      assert.equal(first.moves.length, 3);
    });

    await t.test("the engine stays usable after an error", async () => {
      await assert.rejects(engine.analyse({ moves: ["a0a9"] }).result, { name: "ChuheError", message: /not legal/ });
      assert.throws(() => engine.analyse(new Game(), { depth: Number("x") }), { name: "ChuheError", message: /depth NaN/ });
      await assert.rejects(engine.move(new Game(), { movetime: NaN }), { name: "ChuheError", message: /movetime NaN/ });
      const pawns = engine.analyse({ start: "3k5/9/9/9/9/9/9/9/9/P3K4 w" });
      await assert.rejects(async () => { for await (const _ of pawns); }, /does not search/);
      assert.ok((await engine.analyse(new Game(), { depth: 2 }).result).result.depth === 2);
    });
  });
}

test("a closed engine, and one that cannot start, report an error", async () => {
  const engine = await Engine.start();
  const search = engine.analyse(new Game());
  engine.close();
  await search.result;
  assert.throws(() => engine.analyse(new Game()), ChuheError);
  // Closed while its new worker starts, after a stop that terminated the former one.
  const restarted = await Engine.start({ shared: false });
  const first = restarted.analyse(new Game());
  await new Promise((resolve) => (first.onitem = resolve));
  first.stop();
  restarted.analyse(new Game());
  const cleared = restarted.clear();
  restarted.close();
  await cleared;
  await assert.rejects(Engine.start({ network: new Uint8Array(100) }), /chuhenet/);
  await assert.rejects(Engine.start({ network: "./missing.nnue" }), { name: "ChuheError", message: /missing\.nnue/ });
  for (const hash of [0, 1025, 1.5]) await assert.rejects(Engine.start({ hash }), { name: "ChuheError", message: /expected 1 to 1024 MiB/ });
});

test("levels are those of the native program, weakest first", () => {
  const elos = levels().map((level) => level.elo);
  assert.equal(elos.length, 12);
  assert.equal(elos.at(-1), null);
  assert.deepEqual(elos.slice(0, -1), [...elos.slice(0, -1)].sort((a, b) => a - b));
});

// Both builds, in the same JavaScript engine.
for (const build of ["dist/wasm/chuhe-simd128", "plain/chuhe"]) {
  test(`${build}.wasm counts the nodes of the native program`, async () => {
    const file = (path) => readFileSync(new URL(`../${path}`, import.meta.url));
    // The query string creates another instance of the module.
    const wasm = await import(`../dist/wasm/module.js?${build}`);
    wasm.initSync({ module: new WebAssembly.Module(file(`${build}.wasm`)) });
    assert.equal(wasm.provide_network(file("dist/data/network.nnue")), true);
    assert.equal(wasm.provide_endgames(file("endgames/endgames.egts")), true);
    const { nodes, instructions } = JSON.parse(wasm.run_bench());
    assert.equal(instructions, build === "plain/chuhe" ? "Scalar" : "Simd128");
    assert.equal(nodes, bench());
  });
}
