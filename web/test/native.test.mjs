// Comparison with the native program: positions, notations, records.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Game, GameRecord, load, openRecords } from "chuhe";
import { native, NativeEngine, random, randomGame, withProgram } from "./support.mjs";

await load();

test("2 000 positions have the legal moves, FEN and state of the native program", withProgram, async () => {
  const engine = new NativeEngine();
  await engine.ask("isready", "readyok");
  let positions = 0;
  for (let seed = 1; positions < 2000; seed++) {
    const whole = randomGame(Game, seed, 100).history();
    const game = new Game();
    for (const move of [...whole, null]) {
      const line = `position startpos moves ${game.history().join(" ")}`;
      const counted = await engine.ask(`${line}\ngo perft 1`, "Nodes searched:");
      const moves = [...counted.matchAll(/^([a-i]\d[a-i]\d): 1$/gm)].map((found) => found[1]);
      assert.deepEqual(game.moves().sort(), moves.sort(), line);
      const shown = await engine.ask("d", "Rules:");
      assert.equal(/^Fen: (.*)$/m.exec(shown)?.[1], game.fen(), line);
      assert.equal(/^Checkers: *(.*)$/m.exec(shown)?.[1] !== "", game.isCheck(), line);
      positions++;
      if (move) game.move(move, { notation: "uci" });
    }
  }
  engine.close();
  assert.ok(positions >= 2000);
});

test("20 games are written alike in all notations, and read back", withProgram, () => {
  for (let seed = 101; seed <= 120; seed++) {
    const game = randomGame(Game, seed, 100);
    const output = native(["notation", "--from", "uci", "--to", "all", "--json", "-"], game.history().join(" ")).toString().trim();
    const systems = output.split("\n").map((line) => JSON.parse(line));
    assert.ok(systems.length >= 15, `${systems.length} notations`);
    for (const { system, moves } of systems) {
      assert.deepEqual(game.history({ notation: system }), moves, `${system}, game ${seed}`);
    }
    for (const system of ["iccs", "wxf", "wxr", "chinese", "vietnamese"]) {
      const other = new Game();
      for (const text of game.history({ notation: system })) other.move(text, { notation: system });
      assert.deepEqual(other.history(), game.history(), system);
    }
  }
});

/** A random record with variations, comments, tags and a result. */
function randomRecord(seed) {
  const draw = random(seed);
  const record = GameRecord.of(randomGame(Game, seed, 20 + draw(40)));
  const line = record.mainline();
  for (let count = draw(4); count > 0; count--) {
    let node = line[draw(line.length)].parent;
    for (let ply = draw(5); ply >= 0; ply--) {
      const moves = node.game().moves();
      if (moves.length === 0) break;
      node = node.add(moves[draw(moves.length)], { notation: "uci" });
    }
  }
  for (const node of record.root.walk()) {
    if (draw(6) === 0) node.comment = ["好棋", "a plan", "此着稳健，不失先手"][draw(3)];
  }
  record.setTag("Red", ["许银川", "Player"][draw(2)]);
  record.setTag("Black", ["吕钦", "Other"][draw(2)]);
  record.result = ["1-0", "0-1", "1/2-1/2", "*"][draw(4)];
  return record;
}

/** All records of a file; a list of FENs contains one record per position. */
function all(bytes, name) {
  const file = openRecords(bytes, name);
  return Array.from({ length: file.length }, (_, index) => file.record(index + 1));
}

/** The parts in which two trees must agree. */
function essence(record) {
  const { start, result, nodes, comment } = record.tree();
  return { start, result, comment, nodes };
}

test("200 records in five formats have the trees that the native program reads and writes", withProgram, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "chuhe-web-"));
  t.after(() => rmSync(folder, { recursive: true }));
  let records = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const record = randomRecord(seed);
    for (const format of ["pgn", "xqf", "ubb", "wxf", "fen"]) {
      const here = record.save(format, { notation: "iccs" });
      writeFileSync(join(folder, `here.${format}`), here.bytes);
      // Written by the package and read by the native program, and vice versa.
      const read = native(["convert", join(folder, `here.${format}`), "-", "--to-format", "pgn", "--notation", "iccs"]);
      const games = all(here.bytes, here.name);
      assert.equal(games.map((game) => game.pgn({ notation: "iccs" })).join("\n"), read.toString(), `${format} of record ${seed}`);
      const there = join(folder, `there-${seed}.${format}`);
      writeFileSync(join(folder, "whole.pgn"), record.pgn({ notation: "iccs" }));
      native(["convert", join(folder, "whole.pgn"), there, "--notation", "iccs"]);
      assert.deepEqual(all(readFileSync(there), there).map(essence), games.map(essence), `${format} of record ${seed}`);
      records += 2;
    }
  }
  assert.equal(records, 200);
});

test("Chinese is written in GBK and Big5 as by the native program, and read again", withProgram, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "chuhe-web-"));
  t.after(() => rmSync(folder, { recursive: true }));
  // The module uses the JavaScript engine's `TextDecoder`, the native program its own tables. Node's Big5 lacks the characters that browsers
  // add to the standard, and an earlier code of 仝; the tests of the page compare all characters in a browser.
  const record = GameRecord.of(randomGame(Game, 1, 40));
  const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const pairs = [...range(0xa4, 0xc5), ...range(0xc9, 0xf8)].flatMap((lead) => [...range(0x40, 0x7e), ...range(0xa1, 0xfe)].map((trail) => [lead, trail]));
  const taiwan = new TextDecoder("big5").decode(new Uint8Array(pairs.flat())).replace(/[\ufffd仝]/g, "");
  const mainland = String.fromCharCode(...range(0x3001, 0x3011), ...range(0x4e00, 0x9fa5), ...range(0xff01, 0xff5d));
  for (const [encoding, letters] of Object.entries({ gbk: mainland, big5: taiwan })) {
    record.mainline().forEach((node, index) => (node.comment = letters.slice(1000 * index, 1000 * (index + 1))));
    writeFileSync(join(folder, "utf-8.pgn"), record.pgn({ notation: "iccs" }));
    const here = Buffer.from(record.save("pgn", { notation: "iccs", encoding }).bytes);
    const there = native(["convert", join(folder, "utf-8.pgn"), "-", "--notation", "iccs", "--encoding", encoding]);
    assert.ok(here.length > 25_000 && here.equals(there), encoding);
    writeFileSync(join(folder, `${encoding}.pgn`), here);
    const read = native(["convert", join(folder, `${encoding}.pgn`), "-", "--notation", "iccs", "--encoding", "utf-8"]).toString();
    assert.equal(openRecords(here, "x.pgn").record(1).pgn({ notation: "iccs" }), read, encoding);
  }
});

const SAMPLES = process.env.SHARED ?? new URL("../../../shared", import.meta.url).pathname;
const withSamples = existsSync(join(SAMPLES, "samples")) ? withProgram : { skip: "no sample files" };

test("files of other programs are read alike", withSamples, (t) => {
  let files = 0;
  for (const kind of ["cbr", "xqf", "dhtmlxq", "pgn"]) {
    const folder = join(SAMPLES, "samples", kind);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(cbr|cbl|cbf|xqf|ubb|html?|txt|pgn)$/i.test(name)) : [];
    for (const name of names.slice(0, 25)) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      if (bytes.length > 1 << 20) continue;
      let here;
      try {
        here = openRecords(bytes, name).record(1).pgn({ notation: "iccs" });
      } catch {
        continue;
      }
      const there = native(["convert", path, "-", "--to-format", "pgn", "--notation", "iccs"]).toString();
      assert.ok(there.startsWith(here.trimEnd()), `${path}\n${here}\n${there.slice(0, here.length)}`);
      files++;
    }
  }
  t.diagnostic(`${files} files`);
  assert.ok(files > 20, `${files} files`);
});
