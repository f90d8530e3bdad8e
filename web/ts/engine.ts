/** The engine: searches in a worker, whose lines come as they are found. */

import { levels as levelsText } from "./wasm/module.js";
import type { Game } from "./game.js";
import { answered, bytesOf, ChuheError, ensureLoaded, loaded, module } from "./load.js";
import type { Analysis, Answers, Line, Move, Notation, Progress, Review, RuleSet } from "./messages.js";
import type { GameRecord } from "./record.js";
import { canShare, Searches } from "./searches.js";
import type { Job } from "./searches.js";

/** A level of play. */
export interface Level {
  /** Its number, from 1. */
  level: number;
  description: string;
  /** Its measured strength above a player who moves at random; null for full strength. */
  elo: number | null;
}

/** The levels of play, the weakest first. */
export function levels(): Level[] {
  module();
  return JSON.parse(levelsText()) as Level[];
}

/** How an engine is set up. */
export interface EngineOptions {
  /** MiB of its hash table (default 16). */
  hash?: number;
  /** Another evaluation network, or where the package's lies. */
  network?: Uint8Array | URL | string;
  /** Whether it plays from the opening book, where `load` has brought one (default true). */
  book?: boolean;
  /** Whether it knows the endgame tables, where `load` has brought them (default true). */
  endgames?: boolean;
  /** Where the worker's script lies, when not beside this module. */
  worker?: URL | string;
  /**
   * Whether searches are stopped by a flag in shared memory (default: where there is some, that is in Node and on pages with cross-origin
   * isolation). Without it the worker that searches is ended, and another one, which stands ready, takes its place with an empty hash table.
   */
  shared?: boolean;
}

/** Limits of an analysis; without any it goes on until it is stopped. */
export interface AnalyseOptions {
  /** How many of the best lines (default 1, at most 10). */
  lines?: number;
  /** Plies. */
  depth?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Notation of `texts`. */
  notation?: Notation;
  rules?: RuleSet;
}

/** How a move is chosen. */
export interface MoveOptions {
  /** The level, from 1 to 12 (default 12, full strength). */
  level?: number;
  /** Milliseconds at most (default 2000). */
  movetime?: number;
  /** The engine's clock, in milliseconds. */
  clock?: { remaining: number; increment?: number };
  /** Whether it may play out of its opening book (default true); the lower half of the levels never does. */
  book?: boolean;
  notation?: Notation;
  rules?: RuleSet;
}

/** How a game is reviewed. */
export interface ReviewOptions {
  /** Milliseconds for each position (default 500). */
  movetime?: number;
  /** Nodes for each position: the result does not depend on the machine. */
  nodes?: number;
  notation?: Notation;
  rules?: RuleSet;
}

/** The move of an engine. */
export interface EngineMove extends Move {
  /** Whether it is out of the opening book. */
  book: boolean;
}

/** A search that runs: iterate over what it finds, await its `result`, `stop` it. */
export class Search<Item, Result> implements AsyncIterable<Item> {
  readonly #found: Item[] = [];
  #waiting: (() => void)[] = [];
  #ended = false;
  readonly #stop: () => void;
  #settle!: (result: Result) => void;
  #fail!: (error: Error) => void;
  /** What the search came to; it is there when the search has ended or was stopped. */
  readonly result: Promise<Result>;
  /** Called with every item as it comes. */
  onitem: ((item: Item) => void) | undefined;

  /** @internal */
  constructor(stop: () => void) {
    this.#stop = stop;
    this.result = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    // Who only iterates gets the error there.
    this.result.catch(() => {});
  }

  /** Ends the search. `result` is what it has found so far. */
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

  /** Everything that is found, in order, until the search ends. Leaving the loop stops the search. */
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

/** An engine: one search at a time, each in a worker, so that nothing here ever waits for it. A new search stops the one before. */
export class Engine {
  readonly #searches: Searches;

  private constructor(searches: Searches) {
    this.#searches = searches;
  }

  /** Starts an engine. Its network (720 kB) is fetched, and `load` called where that has not been done. */
  static async start({ network: source, book = true, endgames = true, hash = 16, ...options }: EngineOptions = {}): Promise<Engine> {
    const [network] = await Promise.all([bytesOf(source ?? true, "./data/network.nnue"), ensureLoaded()]);
    const given = { module: module(), network, book: book ? loaded.book : null, endgames: endgames ? loaded.endgames : null, hash };
    // Bundlers look for this very expression.
    const worker = options.worker ? new URL(options.worker, import.meta.url) : new URL("./worker.js", import.meta.url);
    const engine = new Engine(new Searches(worker, given, options.shared ?? canShare()));
    try {
      await engine.#searches.ready();
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  /** Searches for the best lines. Each item replaces the one before; `result` is the last one, or null when nothing was found. */
  analyse(game: Game | Line, options: AnalyseOptions = {}): Search<Analysis, Analysis | null> {
    let last: Analysis | null = null;
    return this.#search<"analysis", Analysis | null>({ analyse: { line: lineOf(game), ...options } }, "analysis", (item) => (last = item), () => last);
  }

  /** Chooses a move. Null when there is none, and when it was stopped. */
  async move(game: Game | Line, options: MoveOptions = {}): Promise<EngineMove | null> {
    let chosen: EngineMove | null = null;
    const { level = levels().length, ...rest } = options;
    const question = { move: { line: lineOf(game), level, ...rest } };
    const search = this.#search<"move", EngineMove | null>(
      question, "move", (item) => (chosen = item.move && { ...item.move, book: item.book }), () => chosen,
    );
    return search.result;
  }

  /** Reviews the main line of a game, position by position. `result` is the review, or null when it was stopped. */
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
    const search: Search<Answers[Name], Result> = new Search(() => this.#searches.stop(job));
    const job: Job = {
      request: JSON.stringify({ id: 1, ask: question }),
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

  /** Stops what is searched, if anything is. */
  stop(): void {
    this.#searches.stop();
  }

  /** Forgets what earlier searches have found: for a new game. */
  clear(): Promise<void> {
    return this.#searches.clear();
  }

  /** Ends the engine and its workers. */
  close(): void {
    this.#searches.close();
  }
}

function lineOf(game: Game | Line): Line {
  return "line" in game ? game.line() : game;
}
