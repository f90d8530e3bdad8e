import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { catalogue, ChuheError, diagram, Game, load, START_FEN, validateFen } from "chuhe";
import { endgames } from "chuhe-endgames";

test("before loading, the error explains what to do", () => {
  assert.throws(() => new Game(), { name: "ChuheError", message: /await load\(\)/ });
});

test("positions", async (t) => {
  await load();
  await t.test("moves are read in any notation and taken back", () => {
    const game = new Game();
    assert.equal(game.fen(), START_FEN);
    assert.deepEqual(game.move("炮二平五"), { move: "h2e2", text: "C2=5" });
    assert.deepEqual(game.play("馬8進7 馬二進三").map((move) => move.move), ["h9g7", "h0g2"]);
    assert.deepEqual(game.history({ notation: "wxf" }), ["C2.5", "H8+7", "H2+3"]);
    assert.deepEqual([game.turn(), game.moves().length, game.isCheck(), game.isGameOver()], ["black", 42, false, false]);
    assert.equal(game.opening()?.en, "Central Cannon");
    assert.equal(game.undo(), "h0g2");
    assert.equal(game.turn(), "red");
    assert.deepEqual(game.history(), ["h2e2", "h9g7"]);
    game.reset();
    assert.equal(game.undo(), null);
    assert.equal(game.fen(), START_FEN);
  });

  await t.test("a line and a copy are independent games", () => {
    const game = Game.of({ moves: ["h2e2", "h9g7"] });
    assert.deepEqual([game.turn(), game.history(), game.get("e2")?.type], ["red", ["h2e2", "h9g7"], "C"]);
    const copy = game.clone();
    copy.move("h0g2");
    assert.deepEqual([copy.turn(), game.turn(), game.history().length], ["black", "red", 2]);
    assert.throws(() => Game.of({ moves: ["h2e2", "h2e2"] }), /move 2/);
  });

  await t.test("invalid moves, positions and points are rejected in one line, and change nothing", () => {
    const game = new Game();
    for (const wrong of ["xyz", "h2h3h4", "a0a9", "", "炮二平五 马8进7"]) {
      assert.throws(() => game.move(wrong), (error) => error instanceof ChuheError && !error.message.includes("\n"), wrong);
    }
    assert.throws(() => game.play("h2e2 h2e2"), /move 2/);
    assert.throws(() => game.load("9/9 w"), /FEN has 2 rows/);
    assert.throws(() => new Game("9/9/9/9/9/9/9/9/9/9 w"), /no red king/);
    assert.throws(() => game.get("j4"), /expected a0 to i9/);
    assert.throws(() => game.moves({ notation: "none" }), /unknown notation 'none'/);
    assert.equal(game.fen(), START_FEN);
    assert.deepEqual(validateFen("9/9/9/9/9/9/9/9/9/A3K3A w").faults.map((fault) => fault.kind), ["no_king", "misplaced", "misplaced"]);
    assert.deepEqual(validateFen(START_FEN).faults, []);
  });

  await t.test("the board as an array, by point and as text", () => {
    const game = new Game();
    assert.deepEqual(game.get("e0"), { type: "K", color: "red" });
    assert.deepEqual(game.get("b7"), { type: "C", color: "black" });
    assert.equal(game.get("e5"), null);
    assert.deepEqual([game.board().length, game.board()[0].length], [10, 9]);
    assert.match(game.ascii(), /^9 r n b a k a b n r\n(.*\n)*0 R N B A K A B N R\n/);
  });

  await t.test("every entry of the catalogue works", () => {
    const { program, notations, rules, formats } = catalogue();
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    assert.equal(program, `chuhe ${version}`);
    const game = Game.of({ moves: ["h2e2"] });
    for (const { id, example } of notations) assert.equal(game.history({ notation: id })[0], example, id);
    for (const { id } of rules) assert.equal(game.ruling({ rules: id }).cause, "ongoing");
    assert.deepEqual(formats.filter(({ written }) => written).map(({ id }) => id).sort(), ["cbf", "cbl", "cbr", "fen", "pgn", "txq", "ubb", "wxf", "xqf"]);
  });

  await t.test("rulings come with their reasons", () => {
    const game = new Game("5k3/7R1/9/9/9/9/9/9/9/4K4 w");
    for (let round = 0; round < 2; round++) game.play("h8h9 f9f8 h9h8 f8f9");
    const ruling = game.ruling();
    assert.deepEqual([ruling.verdict, ruling.cause, ruling.moves.length, game.result()], ["red-loses", "repetition", 8, "0-1"]);
    assert.match(ruling.lines.join(" "), /check/);
    assert.match(game.ruling({ language: "zh" }).lines.join(" "), /将/);
    const mated = new Game("3k1R3/9/9/9/9/9/9/9/3R5/4K4 b");
    assert.deepEqual([mated.isCheckmate(), mated.isStalemate(), mated.result()], [true, false, "1-0"]);
    assert.equal(new Game("3k5/9/9/9/9/9/9/9/9/4K4 w").isDraw(), true);
  });

  await t.test("book, endgame tables and drawings", async () => {
    const game = new Game();
    assert.equal(game.book()[0].move, "h2e2");
    assert.throws(() => game.endgame(), /load\({ endgames }\)/);
    await load({ endgames });
    assert.equal(game.endgame(), null);
    const won = new Game("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w").endgame();
    assert.deepEqual([won.result, won.plies, won.moves[0].move, won.moves[1].result], ["win", 17, "e1e7", "draw"]);
    assert.match(game.svg({ flipped: true }), /^<svg[\s\S]*<\/svg>\s*$/);
    assert.match(diagram("9/9/9/9/9/9/9/9/9/9 w"), /^<svg/);
  });
});
