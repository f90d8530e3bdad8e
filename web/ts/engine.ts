/** The engine: searches in a worker, whose lines come as they are found. */

import { levels as levelsText } from "./wasm/module.js";
import { builtin } from "./bytes.js";
import type { Game } from "./game.js";
import { answered, bytesOf, ChuheError, load, module } from "./load.js";
import type { Analysis, Answers, Line, Move, Notation, Progress, Review, RuleSet } from "./messages.js";
import type { GameRecord } from "./record.js";
import type { Command, Report } from "./worker.js";

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
  /** Endgame tables: false for none, or where the package's lie. */
  endgames?: boolean | Uint8Array | URL | string;
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

/** A worker, in a browser or in Node. */
interface Thread {
  post(command: Command): void;
  listen(onReport: (report: Report) => void, onError: (message: string) => void): void;
  /** Whether it keeps the process alive. */
  hold(alive: boolean): void;
  terminate(): void;
}

function startThread(url: URL): Thread {
  const node = builtin<typeof import("node:worker_threads")>("node:worker_threads");
  if (node) {
    // Options of the process, such as `--eval`, are none of a worker.
    const worker = new node.Worker(url, { execArgv: [] });
    return {
      post: (command) => worker.postMessage(command),
      listen: (onReport, onError) => void worker.on("message", onReport).on("error", (error: Error) => onError(error.message)),
      hold: (alive) => (alive ? worker.ref() : worker.unref()),
      terminate: () => void worker.terminate(),
    };
  }
  const worker = new Worker(url, { type: "module" });
  return {
    post: (command) => worker.postMessage(command),
    listen: (onReport, onError) => {
      worker.onmessage = (event: MessageEvent<Report>) => onReport(event.data);
      worker.onerror = (event) => onError(event.message || `${url} cannot be started`);
    },
    hold: () => {},
    terminate: () => worker.terminate(),
  };
}

/** A worker with its module, network and tables. */
class Helper {
  readonly ready: Promise<void>;
  readonly flag: Int32Array | undefined;
  readonly thread: Thread;
  onReport: (report: Report) => void = () => {};

  constructor(url: URL, prepare: Omit<Extract<Command, { prepare: unknown }>["prepare"], "flag">, shared: boolean) {
    const memory = shared ? new SharedArrayBuffer(4) : null;
    this.flag = memory ? new Int32Array(memory) : undefined;
    this.thread = startThread(url);
    this.ready = new Promise((resolve, reject) => {
      this.thread.listen(
        (report) => {
          if ("ready" in report) resolve();
          else {
            if ("failed" in report) reject(new ChuheError(report.failed));
            this.onReport(report);
          }
        },
        (message) => {
          reject(new ChuheError(message));
          this.onReport({ failed: message });
        },
      );
    });
    this.ready.catch(() => {});
    this.thread.hold(true);
    this.thread.post({ prepare: { ...prepare, flag: memory } });
  }
}

/** A search that a worker does, and where its answers go. */
interface Job {
  question: object;
  onAnswer(message: string): void;
  onEnd(error?: Error): void;
}

/** An engine: one search at a time, each in a worker, so that nothing here ever waits for it. A new search stops the one before. */
export class Engine {
  readonly #make: () => Helper;
  readonly #shared: boolean;
  #helper: Helper;
  /** Stands ready where a stop ends the worker. */
  #spare: Helper | undefined;
  #running: Job | undefined;
  #next: Job | undefined;
  #closed = false;

  private constructor(make: () => Helper, shared: boolean) {
    this.#make = make;
    this.#shared = shared;
    this.#helper = make();
    this.#spare = shared ? undefined : make();
  }

  /** Starts an engine. Its parts are fetched (1.0 MB: network and endgame tables); `load` is called where that has not been done. */
  static async start(options: EngineOptions = {}): Promise<Engine> {
    await load();
    const { network = true, endgames = true, hash = 16 } = options;
    const parts = [bytesOf(network, "./data/network.nnue"), endgames ? bytesOf(endgames, "./data/endgames.egts") : null] as const;
    const prepare = { module: module(), network: await parts[0], endgames: await parts[1], hash };
    const isolated = typeof SharedArrayBuffer !== "undefined" && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;
    const shared = options.shared ?? isolated;
    // Bundlers look for this very expression.
    const make = () => new Helper(options.worker ? new URL(options.worker, import.meta.url) : new URL("./worker.js", import.meta.url), prepare, shared);
    const engine = new Engine(make, shared);
    try {
      await engine.#helper.ready;
    } catch (error) {
      engine.close();
      throw error;
    }
    engine.#rest();
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
    if (this.#closed) throw new ChuheError("the engine is closed");
    const search: Search<Answers[Name], Result> = new Search(() => this.#stop(job));
    const job: Job = {
      question,
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
    this.#begin(job);
    return search;
  }

  #begin(job: Job): void {
    if (this.#running) {
      this.#next?.onEnd();
      this.#next = job;
      this.#stop(this.#running);
      return;
    }
    this.#running = job;
    const helper = this.#helper;
    if (helper.flag) Atomics.store(helper.flag, 0, 0);
    helper.onReport = (report) => {
      if ("answer" in report) job.onAnswer(report.answer);
      else if ("failed" in report) this.#replace(new ChuheError(report.failed));
      else if ("ended" in report) this.#end(job);
    };
    helper.thread.hold(true);
    const post = () => {
      if (this.#running === job && this.#helper === helper) helper.thread.post({ search: JSON.stringify({ id: 1, ask: job.question }) });
    };
    helper.ready.then(post, (error: Error) => this.#replace(error));
  }

  #end(job: Job, error?: Error): void {
    if (this.#running !== job) return;
    this.#running = undefined;
    this.#rest();
    job.onEnd(error);
    const next = this.#next;
    this.#next = undefined;
    if (next && !this.#closed) this.#begin(next);
    else next?.onEnd();
  }

  /** Lets the process end while nothing is searched. */
  #rest(): void {
    this.#helper.thread.hold(false);
    void this.#spare?.ready.then(() => this.#spare?.thread.hold(false), () => {});
  }

  #stop(job: Job): void {
    if (this.#next === job) {
      this.#next = undefined;
      job.onEnd();
    } else if (this.#running === job) {
      if (this.#helper.flag) Atomics.store(this.#helper.flag, 0, 1);
      else this.#replace();
    }
  }

  /** Ends the worker and has the spare one take its place. */
  #replace(error?: Error): void {
    const job = this.#running;
    this.#helper.onReport = () => {};
    this.#helper.thread.terminate();
    if (!this.#closed) {
      this.#helper = this.#spare ?? this.#make();
      this.#spare = this.#shared ? undefined : this.#make();
    }
    if (job) this.#end(job, error);
  }

  /** Stops what is searched, if anything is. */
  stop(): void {
    if (this.#running) this.#stop(this.#running);
  }

  /** Forgets what earlier searches have found: for a new game. */
  async clear(): Promise<void> {
    await this.#helper.ready;
    this.#helper.thread.post({ clear: true });
  }

  /** Ends the engine and its workers. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#spare?.thread.terminate();
    this.#replace();
  }
}

function lineOf(game: Game | Line): Line {
  return "line" in game ? game.line() : game;
}
