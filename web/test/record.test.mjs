import assert from "node:assert/strict";
import test from "node:test";
import { Book, ChuheError, Game, GameRecord, load, openRecords } from "chuhe";

const TWO = '[Red "A"]\n\n1. H2-E2 (1. B2-E2) H9-G7 {good} *\n\n[Red "B"]\n\n1. H2-E2 H9-G7 1-0\n';

test("records", async (t) => {
  await load();
  await t.test("are opened, walked and saved", () => {
    const file = openRecords(TWO);
    assert.deepEqual([file.format, file.length, file.games[1].title], ["pgn", 2, "B – ?"]);
    const record = file.record();
    assert.deepEqual(record.mainline().map((node) => node.move), ["h2e2", "h9g7"]);
    assert.deepEqual([...record.root.walk()].map((node) => node.move), [null, "h2e2", "h9g7", "b2e2"]);
    assert.equal(record.mainline()[1].comment, "good");
    assert.deepEqual([...record.names("chinese-simplified").values()], ["炮二平五", "马８进７", "炮八平五"]);
    assert.deepEqual([file.record(2).tag("Red"), file.record(2).result], ["B", "1-0"]);
    assert.throws(() => file.record(3), /no game 3/);
    assert.equal(openRecords(new TextEncoder().encode(TWO).buffer).length, 2);
  });

  await t.test("are edited", () => {
    const record = openRecords(TWO).record();
    const [first, reply] = record.mainline();
    const variation = first.add("马2进3");
    assert.equal(first.add("b9c7"), variation);
    variation.add("h0g2").glyphs = [3];
    variation.promote();
    assert.deepEqual(record.mainline().map((node) => node.move), ["h2e2", "b9c7", "h0g2"]);
    reply.promoteToMain();
    assert.deepEqual(first.children.map((node) => node.move), ["h9g7", "b9c7"]);
    reply.remove();
    assert.deepEqual(first.children, [variation]);
    assert.equal(variation.game().turn(), "red");
    assert.throws(() => record.root.remove(), /cannot be/);
    assert.throws(() => first.add("h2e2"), /no black piece on h2/);
    record.setTag("Red", "甲");
    const other = openRecords('[RED "A"]\n\n1. H2-E2 *\n').record();
    assert.equal(other.tag("Red"), "A");
    other.setTag("Red", "B");
    assert.equal(other.tags.filter(([name]) => name.toLowerCase() === "red").length, 1);
    assert.match(other.pgn(), /\[Red "B"\]/);
    assert.match(record.pgn({ notation: "iccs" }), /\[Red "甲"\][\s\S]*1\. H2-E2 \(1\. B2-E2\) 1\.\.\. B9-C7 2\. H0-G2 \$3/);
  });

  await t.test("keep in every written format what it can store", () => {
    const tree = openRecords(TWO).record().tree();
    for (const format of ["pgn", "xqf", "ubb", "wxf"]) {
      const saved = GameRecord.fromTree(tree).save(format);
      const back = openRecords(saved.bytes, saved.name).record();
      const own = (nodes) => nodes.map(({ parent, move, comment }) => [parent, move, comment]);
      if (format === "wxf") assert.deepEqual(back.mainline().map((node) => node.move), ["h2e2", "h9g7"]);
      else assert.deepEqual(own(back.tree().nodes), own(tree.nodes), format);
      assert.equal(saved.losses === null, format !== "wxf" , `${format}: ${saved.losses}`);
    }
    assert.throws(() => new GameRecord().save("none"), /unknown|format/);
    const gbk = GameRecord.of(Game.of({ moves: ["h2e2"] })).save("pgn", { notation: "chinese-simplified", encoding: "gbk" });
    assert.ok(gbk.bytes.join().includes([0xc5, 0xda].join()), "炮 in GBK");
  });

  await t.test("that are invalid are rejected", () => {
    assert.throws(() => openRecords("hello there"), /neither a record/);
    assert.throws(() => openRecords(new Uint8Array([0, 1, 2, 255, 254]), "x.xqf"));
    assert.throws(() => GameRecord.fromTree({ start: new GameRecord().start, nodes: [{ parent: 2, move: "h2e2" }] }), /parent/);
  });

  await t.test("reports an unreadable game instead of another one", () => {
    const file = openRecords('[FEN "9/9 w"]\n\n1. H2-E2 *\n\n[Red "B"]\n\n1. H2-E2 *\n');
    assert.equal(file.record().tag("Red"), "B");
    assert.throws(() => file.record(1), { name: "ChuheError" });
    assert.throws(() => file.record(0), /no game 0/);
    assert.throws(() => file.record(1.5), /no game 1.5, the file has 2/);
    const last = openRecords(`${TWO}\n[FEN "9/9 w"]\n\n1. H2-E2 *\n`);
    assert.throws(() => last.record(3), (error) => error instanceof ChuheError && error.message === last.games[2].error);
  });

  await t.test("are opened one by one in the time of one pass", () => {
    const count = 5100;
    const file = openRecords(Array.from({ length: count }, (_, index) => `[Red "${index + 1}"]\n\n1. H2-E2 H9-G7 *\n`).join("\n"));
    assert.deepEqual([file.length, file.games.length, file.moreGames], [count, 5000, 100]);
    // Backwards, as a program may step through the games.
    for (let number = count; number > 0; number--) assert.equal(file.record(number).tag("Red"), String(number));
  });

  await t.test("can have lines of thousands of moves", () => {
    const record = new GameRecord("3k5/9/9/9/9/9/9/9/9/4K4 w");
    const cycle = ["e0e1", "d9d8", "e1e0", "d8d9"];
    const nodes = Array.from({ length: 4000 }, (_, parent) => ({ parent, move: cycle[parent % 4] }));
    const long = GameRecord.fromTree({ start: record.start, nodes });
    assert.equal(long.names().size, 4000);
    assert.equal(long.mainline().at(-1).path().length, 4000);
  });
});

test("books", async () => {
  await load();
  const game = new Game();
  assert.ok(Book.builtin().size > 5000);
  assert.deepEqual(Book.builtin().moves(game)[0], { move: "h2e2", text: "C2=5", weight: 60 });
  const own = Book.open(new TextEncoder().encode("C2.5*7\n"), "own.wxf");
  assert.deepEqual(own.moves(game, "uci"), [{ move: "h2e2", text: "h2e2", weight: 7 }]);
  assert.throws(() => Book.open(new TextEncoder().encode("C3.5\n"), "own.wxf"), { name: "ChuheError", message: /own.wxf/ });
  assert.throws(() => own.moves(game, "none"), { name: "ChuheError" });
});
