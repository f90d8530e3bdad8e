/**
 * What answers the messages of `chuhe serve` inside a page, without a server: questions in one worker, searches in a second, so that
 * neither the page nor a question ever waits for a search.
 */

import { ChuheError } from "./error.js";
import { moduleUrl, read, readPacked } from "./parts.js";
import { canShare, Helper, Searches } from "./searches.js";
import type { Job } from "./searches.js";

/** How a connection is set up. */
export interface ConnectionOptions {
  /** MiB of the hash table (default 16). */
  hash?: number;
  /** Whether files are read from the copies in gzip beside them, `network.nnue.gz` for `network.nnue`. */
  packed?: boolean;
  /** Where the module without vectors lies, for JavaScript engines that have none. */
  plain?: URL;
  /** Where the endgame tables lie (default: there are none). */
  endgames?: URL;
  /**
   * Called when questions are answered, when the opening book has come, when the engine can search, and when the endgame tables have come
   * after it. Positions that were asked about before have other answers when a book or tables have come.
   */
  onprogress?: (part: "board" | "book" | "engine" | "endgames") => void;
  /** Called when the module or the engine cannot be had, and why. The engine is tried again, and searches wait for it; without the module the connection closes. */
  onfail?: (part: "board" | "engine", reason: string) => void;
}

/** The requests that are no questions, by how they begin. */
const SEARCH = /^\s*\{\s*"id"\s*:\s*(\d+)\s*,\s*"ask"\s*:\s*\{\s*"(analyse|move|review|draw_offer|stop)"/;

/**
 * A connection with that part of the interface of a `WebSocket` which a page needs. It greets first; a search that is asked for before
 * the engine has arrived waits for it.
 */
export class Connection {
  /** As that of a `WebSocket`: 0 while it opens, 1 open, 3 closed. */
  readyState = 0;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { reason: string }) => void) | null = null;
  readonly #options: ConnectionOptions;
  readonly #read: (url: URL) => Promise<Uint8Array<ArrayBuffer>>;
  #questions: Helper | undefined;
  /** The engine, when it has arrived. */
  #searches: Searches | undefined;
  #module!: WebAssembly.Module;
  /** The search that runs or waits for the engine, by the number of its request. */
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
    const questions = new Helper(WORKER, { module: this.#module, network: null, hash: 1 });
    this.#questions = questions;
    questions.onReport = (report) => {
      if ("answer" in report) this.#say(report.answer);
      // The worker has to be started anew: its module must not be used after a failure.
      else if ("failed" in report) this.#close(report.failed);
    };
    const greeting = await questions.ready;
    if (this.readyState === 3) return;
    this.readyState = 1;
    this.#say(greeting);
    this.#options.onprogress?.("board");
    this.#bringEngine();
  }

  /** Loads the engine, and tries again where the line is bad. */
  #bringEngine(pause = RETRY): void {
    this.#load().catch((error: Error) => {
      if (this.readyState !== 1) return;
      this.#options.onfail?.("engine", error.message);
      setTimeout(() => this.readyState === 1 && this.#bringEngine(Math.min(2 * pause, LONGEST_RETRY)), pause);
    });
  }

  async #load(): Promise<void> {
    const { hash = 16, endgames, onprogress } = this.#options;
    const [network, book] = await Promise.all([this.#read(NETWORK), this.#bringBook()]);
    if (this.readyState !== 1) return;
    const searches = new Searches(WORKER, { module: this.#module, network, book, hash }, canShare());
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
    // Without them positions have no exact results, and the rest works.
    if (endgames) void this.#bringEndgames(searches, endgames).catch(() => {});
  }

  /** The opening book, which questions have as soon as it has come. */
  async #bringBook(): Promise<Blob> {
    const book = new Blob([await this.#read(BOOK)]);
    this.#questions?.thread.post({ provide: { book } });
    this.#options.onprogress?.("book");
    return book;
  }

  async #bringEndgames(searches: Searches, url: URL): Promise<void> {
    const endgames = new Blob([await this.#read(url)]);
    if (this.readyState === 3) return;
    this.#questions?.thread.post({ provide: { endgames } });
    searches.provide({ endgames });
    this.#options.onprogress?.("endgames");
  }

  #say(data: string): void {
    this.onmessage?.({ data });
  }

  /** Says that a search or its end is done. */
  #done(id: number): void {
    this.#say(JSON.stringify({ id, answer: { done: { stopped: true } } }));
  }

  /** Sends a request. */
  send(text: string): void {
    if (this.readyState !== 1) throw new ChuheError("the connection is not open");
    const [, number, kind] = SEARCH.exec(text) ?? [];
    const id = Number(number);
    if (!kind) this.#questions!.thread.post({ ask: text });
    else {
      this.#stop();
      if (kind === "stop") this.#done(id);
      else this.#begin(id, text);
    }
  }

  #begin(id: number, request: string): void {
    const fail = (error: Error) => this.#say(JSON.stringify({ id, answer: { error: { message: `engine: ${error.message}`, busy: true } } }));
    const job: Job = {
      request,
      onAnswer: (message) => this.#search?.job === job && this.#say(message),
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
    // Its answers are for nobody from now on.
    this.#search = undefined;
    this.#searches?.stop(search.job);
    this.#done(search.id);
  }

  #close(reason: string): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#search = undefined;
    this.#questions?.thread.terminate();
    this.#searches?.close();
    this.onclose?.({ reason });
  }

  /** Ends it with its workers. */
  close(): void {
    this.#close("");
  }
}

/** Milliseconds until the engine is fetched again: at first, and at most. */
const RETRY = 2000;
const LONGEST_RETRY = 60_000;
const WORKER = new URL("./worker.js", import.meta.url);
const NETWORK = new URL("./data/network.nnue", import.meta.url);
const BOOK = new URL("./data/opening.book", import.meta.url);
