// Shared test helpers: the built package, repeatable random numbers, and the native program.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The native program to compare with: $CHUHE, or Cargo's build; undefined if there is none. */
export const program = process.env.CHUHE ?? [file("../../target/debug/chuhe"), file("../../target/release/chuhe")].find(existsSync);

/** The options of a test that needs the native program. */
export const withProgram = program ? {} : { skip: "no native program: expected $CHUHE or target/debug/chuhe" };

/** Runs the native program and returns its standard output as bytes. */
export function native(args, input) {
  const run = spawnSync(program, args, { input, maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`chuhe ${args.join(" ")}: ${run.error ?? run.stderr.toString()}`);
  return run.stdout;
}

/** A seeded random number generator (splitmix32). */
export function random(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
  };
}

/** Plays random moves until there are no legal moves or `plies` are played. Captures are preferred now and then, so that endgames occur. */
export function randomGame(Game, seed, plies) {
  const draw = random(seed);
  const game = new Game();
  for (let ply = 0; ply < plies; ply++) {
    const moves = game.moves();
    if (moves.length === 0) break;
    const captures = draw(4) === 0 ? moves.filter((move) => game.get(move.slice(2))) : [];
    const among = captures.length > 0 ? captures : moves;
    game.move(among[draw(among.length)], { notation: "uci" });
  }
  return game;
}

/** The native engine as a process that is controlled line by line. */
export class NativeEngine {
  #process = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  #text = "";
  #wake = () => {};

  constructor() {
    this.#process.stdout.setEncoding("utf8").on("data", (text) => {
      this.#text += text;
      this.#wake();
    });
    this.#process.stdin.write("uci\n");
  }

  /** Sends a command and returns the output up to and including the line that starts with `last`. */
  async ask(command, last) {
    this.#process.stdin.write(`${command}\n`);
    for (;;) {
      const end = new RegExp(`^${last}.*\n`, "m").exec(this.#text);
      if (end) {
        const output = this.#text.slice(0, end.index + end[0].length);
        this.#text = this.#text.slice(end.index + end[0].length);
        return output;
      }
      await new Promise((resolve) => (this.#wake = resolve));
    }
  }

  close() {
    this.#process.stdin.end("quit\n");
  }
}

/** The node count in the newest commit message with one, as in `.ci/bench`. */
export function bench() {
  const log = spawnSync("git", ["log", "-50", "--format=%B"], { cwd: file("../.."), encoding: "utf8" }).stdout;
  const found = /^Bench: (\d+)/m.exec(log);
  if (!found) throw new Error("no commit message states a node count");
  return Number(found[1]);
}
