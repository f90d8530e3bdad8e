/**
 * The message protocol of `chuhe serve` inside a page, without a server: questions are answered in one worker and searches run in a
 * second one, so that neither the page nor a question ever waits for a search.
 */

import { ChuheError } from "./error.js";
import { moduleUrl, read, readPacked } from "./parts.js";
import { canShare, Helper, Searches } from "./searches.js";
import type { Job } from "./searches.js";

/** Options of a connection. */
export interface ConnectionOptions {
  /** MiB of the hash table (default 16). */
  hash?: number;
  /** Whether to read gzip copies of the files: `network.nnue.gz` for `network.nnue`. */
  packed?: boolean;
  /** URL of the module without SIMD, for JavaScript engines without it. */
  plain?: URL;
  /** URL of the endgame tables (default: none). */
  endgames?: URL;
  /**
   * Called when questions can be answered, when the opening book is loaded, when the engine can search, and finally when the endgame tables
   * are loaded. Once the book or the tables are loaded, answers about positions may differ from earlier ones.
   */
  onprogress?: (part: "board" | "book" | "engine" | "endgames") => void;
  /** Called with the reason when the module or the engine cannot be loaded. The engine is retried while searches wait; without the module the connection closes. */
  onfail?: (part: "board" | "engine", reason: string) => void;
}

/** Matches the start of requests other than questions. */
const SEARCH = /^\s*\{\s*(?:"id"\s*:\s*(\d+)\s*,\s*)?"ask"\s*:\s*\{\s*"(analyse|move|review|draw_offer|stop)"/;

/** The id of a request whose fields are in another order, if it is one. */
function idOf(text: string): number | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === "number" ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A connection with the part of the `WebSocket` interface that the page needs. The first message is the greeting; a search requested before
 * the engine is loaded waits for it.
 */
export class Connection {
  /** As in `WebSocket`: 0 connecting, 1 open, 3 closed. */
  readyState = 0;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { reason: string }) => void) | null = null;
  readonly #options: ConnectionOptions;
  readonly #read: (url: URL) => Promise<Uint8Array<ArrayBuffer>>;
  #questions: Helper | undefined;
  /** The engine, once it is loaded. */
  #searches: Searches | undefined;
  #module!: WebAssembly.Module;
  /** The search that is running or waiting for the engine, and the `id` of its request. */
  #search: { id: number; job: Job } | undefined;

  constructor(options: ConnectionOptions = {}) {
    this.#options = options;
    this.#read = options.packed ? readPacked : read;
    this.#open().catch((error: Error) => {
      if (this.readyState === 0) options.onfail?.("board", error.message);
      this.#close(error.message);
    });
  }

  async #open(): Promise<void> {
    this.#module = await WebAssembly.compile(await this.#read(moduleUrl(this.#options.plain)));
    if (this.readyState === 3) return;
    const questions = new Helper(undefined, { module: this.#module, network: null, hash: 1 });
    this.#questions = questions;
    questions.onReport = (report) => {
      if ("answer" in report) this.#emit(report.answer);
      // A module must not be used after a failure, so a new worker is needed. One that does not start is reported by `ready`.
      else if ("failed" in report && this.readyState === 1) this.#close(report.failed);
    };
    const greeting = await questions.ready;
    if (this.readyState === 3) return;
    this.readyState = 1;
    this.#emit(greeting);
    this.#options.onprogress?.("board");
    this.#startEngine();
  }

  /** Loads the engine, with retries on failure. */
  #startEngine(pause = RETRY): void {
    this.#loadEngine().catch((error: Error) => {
      if (this.readyState !== 1) return;
      this.#options.onfail?.("engine", error.message);
      setTimeout(() => this.readyState === 1 && this.#startEngine(Math.min(2 * pause, LONGEST_RETRY)), pause);
    });
  }

  async #loadEngine(): Promise<void> {
    const { hash = 16, endgames, onprogress } = this.#options;
    const [network, book] = await Promise.all([this.#read(NETWORK), this.#loadBook()]);
    if (this.readyState !== 1) return;
    const searches = new Searches(undefined, { module: this.#module, network, book, hash }, canShare());
    try {
      await searches.ready();
    } catch (error) {
      searches.close();
      throw error;
    }
    if (this.readyState !== 1) return searches.close();
    this.#searches = searches;
    if (this.#search) searches.begin(this.#search.job);
    onprogress?.("engine");
    // A failure is ignored: without the tables only the exact results are missing.
    if (endgames) void this.#loadEndgames(searches, endgames).catch(() => {});
  }

  /** Loads the opening book and provides it to the worker for questions at once. */
  async #loadBook(): Promise<Blob> {
    const book = new Blob([await this.#read(BOOK)]);
    this.#questions?.thread.post({ provide: { book } });
    this.#options.onprogress?.("book");
    return book;
  }

  async #loadEndgames(searches: Searches, url: URL): Promise<void> {
    const endgames = new Blob([await this.#read(url)]);
    if (this.readyState === 3) return;
    this.#questions?.thread.post({ provide: { endgames } });
    searches.provide({ endgames });
    this.#options.onprogress?.("endgames");
  }

  #emit(data: string): void {
    this.onmessage?.({ data });
  }

  /** Answers a stopped search or a stop request. */
  #done(id: number): void {
    this.#emit(JSON.stringify({ id, answer: { done: { stopped: true } } }));
  }

  /** Sends a request. */
  send(text: string): void {
    if (this.readyState !== 1) throw new ChuheError("the connection is not open");
    const [, number, kind] = SEARCH.exec(text) ?? [];
    const id = kind && (number ? Number(number) : idOf(text));
    // What is no request at all is refused like a question.
    if (typeof id !== "number") this.#questions!.thread.post({ ask: text });
    else {
      this.#stop();
      if (kind === "stop") this.#done(id);
      else this.#begin(id, text);
    }
  }

  #begin(id: number, request: string): void {
    const fail = (error: Error) => this.#emit(JSON.stringify({ id, answer: { error: { message: `engine: ${error.message}`, message_chinese: null, busy: true } } }));
    const job: Job = {
      request,
      onAnswer: (message) => this.#search?.job === job && this.#emit(message),
      onEnd: (error) => {
        if (this.#search?.job !== job) return;
        this.#search = undefined;
        if (error) fail(error);
      },
    };
    this.#search = { id, job };
    this.#searches?.begin(job);
  }

  #stop(): void {
    const search = this.#search;
    if (!search) return;
    // Ignore its further answers.
    this.#search = undefined;
    this.#searches?.stop(search.job);
    this.#done(search.id);
  }

  #close(reason: string): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#search = undefined;
    this.#questions?.terminate();
    this.#searches?.close();
    this.onclose?.({ reason });
  }

  /** Closes the connection and terminates its workers. */
  close(): void {
    this.#close("");
  }
}

/** Initial and longest delay in milliseconds before the engine is loaded again. */
const RETRY = 2000;
const LONGEST_RETRY = 60_000;
const NETWORK = new URL("./data/network.nnue", import.meta.url);
const BOOK = new URL("./data/opening.book", import.meta.url);
