// What comes later than the module.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Book, Engine, Game, load } from "chuhe";

test("the opening book and the endgame tables can come later", async () => {
  assert.throws(() => new Game(), /nothing is loaded yet/);
  await assert.rejects(load({ module: new Uint8Array(8) }), /WebAssembly/);
  await load({ book: false });
  const game = new Game();
  game.move("h2e2");
  assert.deepEqual([game.book(), game.opening(), Book.builtin().size], [[], null, 0]);
  const engine = await Engine.start({ book: false, endgames: false });
  assert.equal((await engine.move(game, { movetime: 20 })).book, false);
  engine.close();
  await assert.rejects(load({ book: new Uint8Array(1000) }), /mark of a chuhe book/);
  await load({ book: readFileSync(new URL("../dist/data/opening.book", import.meta.url)) });
  assert.deepEqual([game.book()[0].move, game.opening().en], ["h9g7", "Central Cannon"]);
  assert.ok(Book.builtin().size > 5000);
  const won = new Game("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w");
  assert.throws(() => won.endgame(), /load\({ endgames: true }\)/);
  assert.equal(won.isGameOver(), false);
  await load({ endgames: true });
  assert.equal(won.endgame().plies, 17);
});
