/** The engine: searches in a worker, whose results are delivered as they are found. */

import { levels as levelsText } from "./wasm/module.js";
import type { Game } from "./game.js";
import { answered, bytesOf, ChuheError, ensureLoaded, loaded, module, urlOf } from "./load.js";
import type { Analysis, Answers, Line, Move, Notation, Progress, Review, RuleSet } from "./messages.js";
import type { GameRecord } from "./record.js";
import { canShare, Searches } from "./searches.js";
import type { Job } from "./searches.js";

/** A level of play. */
export interface Level {
  /** Number of the level, from 1. */
  level: number;
  description: string;
  /** Measured strength relative to a random mover; null for full strength. */
  elo: number | null;
}

/** The levels of play, weakest first. */
export function levels(): Level[] {
  module();
  return JSON.parse(levelsText()) as Level[];
}

/** Options of an engine. */
export interface EngineOptions {
  /** Hash table size in MiB, from 1 to 1024 (default 16). */
  hash?: number;
  /** Contents or URL of the evaluation network (default: the package's own). */
  network?: Uint8Array | ArrayBuffer | URL | string;
  /** Whether to use the opening book, if `load` has loaded one (default true). */
  book?: boolean;
  /** Whether to use the endgame tables, if `load` has loaded them (default true). */
  endgames?: boolean;
  /** URL of the worker's script, if it is not next to this module. */
  worker?: URL | string;
  /**
   * Whether to stop searches by a flag in shared memory (default: if available, that is in Node and on pages with cross-origin isolation).
   * Otherwise stopping terminates the worker, and a spare one replaces it, with an empty hash table.
   */
  shared?: boolean;
}

/** Options of an analysis, which without limits runs until it is stopped. */
export interface AnalyseOptions {
  /** Number of best lines (default 1, at most 10). */
  lines?: number;
  /** Depth limit in plies. */
  depth?: number;
  /** Time limit in milliseconds. */
  movetime?: number;
  /** Notation of `texts`. */
  notation?: Notation;
  rules?: RuleSet;
}

/** Options for choosing a move. */
export interface MoveOptions {
  /** The level, from 1 to 12 (default 12, full strength). */
  level?: number;
  /** Time limit in milliseconds (default 2000). */
  movetime?: number;
  /** The engine's clock, in milliseconds. */
  clock?: { remaining: number; increment?: number };
  /** Whether it may use the opening book (default true); the lower half of the levels never does. */
  book?: boolean;
  notation?: Notation;
  rules?: RuleSet;
}

/** Options of a review. */
export interface ReviewOptions {
  /** Milliseconds per position (default 500). */
  movetime?: number;
  /** Nodes per position, for a result that does not depend on the machine. */
  nodes?: number;
  notation?: Notation;
  rules?: RuleSet;
}

/** A move chosen by an engine. */
export interface EngineMove extends Move {
  /** Whether it is a book move. */
  book: boolean;
}

/** A running search: iterate over its items, await its `result`, or `stop` it. */
export class Search<Item, Result> implements AsyncIterable<Item> {
  readonly #found: Item[] = [];
  #waiting: (() => void)[] = [];
  #ended = false;
  readonly #stop: () => void;
  #settle!: (result: Result) => void;
  #fail!: (error: Error) => void;
  /** The final result; settles when the search has ended or was stopped. */
  readonly result: Promise<Result>;
  /** Called with every new item. */
  onitem: ((item: Item) => void) | undefined;

  /** @internal */
  constructor(stop: () => void) {
    this.#stop = stop;
    this.result = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    // Callers that only iterate get the error from the iterator.
    this.result.catch(() => {});
  }

  /** Stops the search. `result` is then the result so far. */
  stop(): void {
    if (!this.#ended) this.#stop();
  }

  /** @internal */
  add(item: Item): void {
    this.#found.push(item);
    this.onitem?.(item);
    this.#wake();
  }

  /** @internal */
  end(result: Result | Error): void {
    if (this.#ended) return;
    this.#ended = true;
    if (result instanceof Error) this.#fail(result);
    else this.#settle(result);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Yields all items in order, until the search ends. Leaving the loop stops the search. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    try {
      for (let next = 0; ; ) {
        while (next < this.#found.length) yield this.#found[next++]!;
        if (this.#ended) break;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      await this.result;
    } finally {
      this.stop();
    }
  }
}

/** Largest hash table in MiB. */
const MOST_HASH = 1024;

/** An engine, which runs one search at a time in a worker, so that the caller is never blocked. A new search stops the previous one. */
export class Engine {
  readonly #searches: Searches;

  private constructor(searches: Searches) {
    this.#searches = searches;
  }

  /** Starts an engine: fetches its network (720 kB), and calls `load` if necessary. */
  static async start({ network: source, book = true, endgames = true, hash = 16, ...options }: EngineOptions = {}): Promise<Engine> {
    if (!Number.isInteger(hash) || hash < 1 || hash > MOST_HASH) throw new ChuheError(`hash ${hash}: expected 1 to ${MOST_HASH} MiB`);
    // Bundlers recognize exactly this form of a URL.
    const [network] = await Promise.all([bytesOf(source ?? new URL("./data/network.nnue", import.meta.url)), ensureLoaded()]);
    const given = { module: module(), network, book: book ? loaded.book : null, endgames: endgames ? loaded.endgames : null, hash };
    const worker = options.worker ? urlOf(options.worker) : undefined;
    const engine = new Engine(new Searches(worker, given, options.shared ?? canShare()));
    try {
      await engine.#searches.ready();
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  /** Searches for the best lines. Each item replaces the previous one; `result` is the last one, or null if there was none. */
  analyse(game: Game | Line, options: AnalyseOptions = {}): Search<Analysis, Analysis | null> {
    let last: Analysis | null = null;
    return this.#search<"analysis", Analysis | null>({ analyse: { line: lineOf(game), ...options } }, "analysis", (item) => (last = item), () => last);
  }

  /** Chooses a move. Null if there is no legal move, or the search was stopped. */
  async move(game: Game | Line, options: MoveOptions = {}): Promise<EngineMove | null> {
    let chosen: EngineMove | null = null;
    const { level = levels().length, ...rest } = options;
    const question = { move: { line: lineOf(game), level, ...rest } };
    const search = this.#search<"move", EngineMove | null>(
      question, "move", (item) => (chosen = item.move && { ...item.move, book: item.book }), () => chosen,
    );
    return search.result;
  }

  /** Reviews the main line of a game, position by position. `result` is the review, or null if it was stopped. */
  review(record: GameRecord, options: ReviewOptions = {}): Search<Progress, Review | null> {
    let review: Review | null = null;
    const onOther = (message: string) => {
      const { answer } = JSON.parse(message) as { answer: Partial<Answers> };
      if (answer.review) review = answer.review;
    };
    return this.#search<"progress", Review | null>({ review: { tree: record.tree(), ...options } }, "progress", () => {}, () => review, onOther);
  }

  #search<Name extends keyof Answers, Result>(
    question: object, name: Name, onItem: (item: Answers[Name]) => void, result: () => Result, onOther: (message: string) => void = () => {},
  ): Search<Answers[Name], Result> {
    if (this.#searches.isClosed) throw new ChuheError("the engine is closed");
    const request = JSON.stringify({ id: 1, ask: question }, numbered);
    const search: Search<Answers[Name], Result> = new Search(() => this.#searches.stop(job));
    const job: Job = {
      request,
      onAnswer: (message) => {
        const { answer } = JSON.parse(message) as { answer: Partial<Answers> };
        if (answer.error) search.end(new ChuheError(answer.error.message));
        else if (answer[name] !== undefined) {
          const item = answered(message, name);
          onItem(item);
          search.add(item);
        } else onOther(message);
      },
      onEnd: (error) => search.end(error ?? result()),
    };
    this.#searches.begin(job);
    return search;
  }

  /** Stops the running search, if any. */
  stop(): void {
    this.#searches.stop();
  }

  /** Clears the hash table and all search history, for a new game. */
  clear(): Promise<void> {
    return this.#searches.clear();
  }

  /** Closes the engine and terminates its workers. */
  close(): void {
    this.#searches.close();
  }
}

/** Rejects a number that is none, such as that of an empty field: JSON would write null, which is no limit, and the search would not end. */
function numbered(name: string, value: unknown): unknown {
  if (Number.isNaN(value)) throw new ChuheError(`${name} NaN: expected a number`);
  return value;
}

function lineOf(game: Game | Line): Line {
  return "line" in game ? game.line() : game;
}
