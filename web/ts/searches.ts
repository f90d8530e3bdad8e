/** Searches in workers, one at a time, so that the calling thread is never blocked. */

import { builtin } from "./bytes.js";
import { ChuheError } from "./error.js";

/** A file for workers. A blob is sent without copying its contents. */
export type Part = Uint8Array<ArrayBuffer> | Blob;

/** Files that a worker can receive later. */
export interface Provided {
  /** The opening book. */
  book?: Part | null;
  /** The endgame tables. */
  endgames?: Part | null;
}

/** The module, files and settings of a worker. */
export interface Parts extends Provided {
  module: WebAssembly.Module;
  /** The network file; without it a worker can only answer questions. */
  network: Part | null;
  /** Hash table size in MiB. */
  hash: number;
}

/** A message to a worker. */
export type Command =
  | { prepare: Parts & { flag: SharedArrayBuffer | null } }
  | { search: string }
  | { ask: string }
  | { provide: Provided }
  | { clear: true };

/** A message from a worker. */
export type Report = { ready: string } | { answer: string } | { ended: true } | { failed: string };

/** A worker, in a browser or in Node. */
interface Thread {
  post(command: Command): void;
  listen(onReport: (report: Report) => void, onError: (message: string) => void): void;
  /** Sets whether it keeps the process alive. */
  hold(alive: boolean): void;
  terminate(): void;
}

/** The location of this module, outside of the expression that bundlers recognize, since they do not bundle workers of Node. */
const HERE = import.meta.url;

/** Starts the worker with the script at this URL, by default the package's own. */
function startThread(url: URL | undefined): Thread {
  const node = builtin<typeof import("node:worker_threads")>("node:worker_threads");
  if (node) {
    // Do not inherit options of the process, such as `--eval`.
    const worker = new node.Worker(url ?? new URL("./worker.js", HERE), { execArgv: [] });
    return {
      post: (command) => worker.postMessage(command),
      listen: (onReport, onError) => void worker.on("message", onReport).on("error", (error: Error) => onError(error.message)),
      hold: (alive) => (alive ? worker.ref() : worker.unref()),
      terminate: () => void worker.terminate(),
    };
  }
  // Bundlers recognize exactly the second expression, and bundle the script with what it imports.
  const worker = url ? new Worker(url, { type: "module" }) : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return {
    post: (command) => worker.postMessage(command),
    listen: (onReport, onError) => {
      worker.onmessage = (event: MessageEvent<Report>) => onReport(event.data);
      worker.onerror = (event) => onError(event.message || `${url ?? "worker.js"} cannot be started`);
    },
    hold: () => {},
    terminate: () => worker.terminate(),
  };
}

/** A worker with its module, network and tables. */
export class Helper {
  /** The module's greeting. */
  readonly ready: Promise<string>;
  readonly flag: Int32Array | undefined;
  readonly thread: Thread;
  onReport: (report: Report) => void = () => {};
  #refuse: (error: Error) => void = () => {};

  constructor(url: URL | undefined, parts: Parts, shared = false) {
    const memory = shared ? new SharedArrayBuffer(4) : null;
    this.flag = memory ? new Int32Array(memory) : undefined;
    this.thread = startThread(url);
    this.ready = new Promise((resolve, reject) => {
      this.#refuse = reject;
      this.thread.listen(
        (report) => {
          if ("ready" in report) resolve(report.ready);
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
    this.thread.post({ prepare: { ...parts, flag: memory } });
  }

  /** Ends the worker. If it was not ready yet, it never will be, and who waits for it must learn that. */
  terminate(): void {
    this.thread.terminate();
    this.#refuse(new ChuheError("the worker has been terminated"));
  }
}

/** A search for a worker, and the callbacks for its answers. */
export interface Job {
  /** The request, as text. */
  request: string;
  onAnswer(message: string): void;
  onEnd(error?: Error): void;
}

/** Milliseconds before a spare worker is started. */
const PAUSE = 1000;

const packed = (part: Part): Part => (part instanceof Blob ? part : new Blob([part]));

/** Whether memory can be shared with workers. */
export function canShare(): boolean {
  return typeof SharedArrayBuffer !== "undefined" && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;
}

/** Runs searches one at a time. A new search stops the previous one. */
export class Searches {
  readonly #url: URL | undefined;
  readonly #parts: Parts;
  readonly #shared: boolean;
  /** The worker that searches; none after a stop that terminated it, until the next search. */
  #helper: Helper | undefined;
  /** Replaces the worker if stopping terminates it. */
  #spare: Helper | undefined;
  /** The timer to start the next spare worker. */
  #pause: ReturnType<typeof setTimeout> | undefined;
  #running: Job | undefined;
  /** Whether the running search has been sent to the worker. */
  #isPosted = false;
  #next: Job | undefined;
  #closed = false;

  /**
   * `url`: that of the worker's script, if it is not the package's own. `shared`: whether a flag in shared memory stops searches. Otherwise
   * stopping terminates the worker.
   */
  constructor(url: URL | undefined, parts: Parts, shared: boolean) {
    this.#url = url;
    const { network, book = null, endgames = null } = parts;
    this.#parts = { ...parts, network: network && packed(network), book: book && packed(book), endgames: endgames && packed(endgames) };
    this.#shared = shared;
    this.#helper = this.#make();
    this.#makeSpare();
  }

  /** The worker for the next search. */
  #take(): Helper {
    if (this.#helper) return this.#helper;
    this.#helper = this.#spare ?? this.#make();
    this.#spare = undefined;
    this.#makeSpare();
    return this.#helper;
  }

  /** Starts the spare worker after a delay, to give precedence to work that the user is waiting for. */
  #makeSpare(): void {
    clearTimeout(this.#pause);
    if (this.#shared || this.#closed) return;
    this.#pause = setTimeout(() => {
      this.#spare ??= this.#make();
      if (!this.#running) this.#rest();
    }, PAUSE);
    // In Node the timer must not keep the process alive.
    (this.#pause as { unref?: () => void }).unref?.();
  }

  #make(): Helper {
    return new Helper(this.#url, this.#parts, this.#shared);
  }

  /** Resolves when the worker is ready; rejects if it cannot be started. */
  async ready(): Promise<void> {
    await this.#helper?.ready;
    if (!this.#running) this.#rest();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Starts a search, and stops the running one. */
  begin(job: Job): void {
    if (this.#running) {
      this.#next?.onEnd();
      this.#next = job;
      this.stop(this.#running);
      return;
    }
    this.#running = job;
    this.#isPosted = false;
    const helper = this.#take();
    if (helper.flag) Atomics.store(helper.flag, 0, 0);
    helper.onReport = (report) => {
      if ("answer" in report) job.onAnswer(report.answer);
      else if ("failed" in report) this.#replace(new ChuheError(report.failed));
      else if ("ended" in report) this.#end(job);
    };
    helper.thread.hold(true);
    const post = () => {
      if (this.#running !== job || this.#helper !== helper) return;
      this.#isPosted = true;
      helper.thread.post({ search: job.request });
    };
    helper.ready.then(post, (error: Error) => this.#helper === helper && this.#replace(error));
  }

  #end(job: Job, error?: Error): void {
    if (this.#running !== job) return;
    this.#running = undefined;
    this.#rest();
    job.onEnd(error);
    const next = this.#next;
    this.#next = undefined;
    if (next && !this.#closed) this.begin(next);
    else next?.onEnd();
  }

  /** Allows the process to exit while no search is running. */
  #rest(): void {
    this.#helper?.thread.hold(false);
    void this.#spare?.ready.then(() => this.#spare?.thread.hold(false), () => {});
  }

  /** Stops a search if it is still running or waiting; by default the newest, since the one before it is being stopped already. */
  stop(job: Job | undefined = this.#next ?? this.#running): void {
    if (!job) return;
    if (this.#next === job) {
      this.#next = undefined;
      job.onEnd();
    } else if (this.#running === job) {
      if (!this.#isPosted) this.#end(job);
      else if (this.#helper?.flag) Atomics.store(this.#helper.flag, 0, 1);
      else this.#replace();
    }
  }

  /** Terminates the worker. The spare one replaces it with the next search: until then both cores of a small machine are free for the page. */
  #replace(error?: Error): void {
    const job = this.#running;
    if (this.#helper) {
      this.#helper.onReport = () => {};
      this.#helper.terminate();
      this.#helper = undefined;
    }
    this.#makeSpare();
    if (job) this.#end(job, error);
  }

  /** Sends files to all workers, including those started later. */
  provide(parts: Provided): void {
    Object.assign(this.#parts, parts);
    for (const helper of [this.#helper, this.#spare]) helper?.thread.post({ provide: parts });
  }

  /** Clears the hash table and all search history. */
  async clear(): Promise<void> {
    // A worker that is terminated or fails meanwhile has no data, nor has the one that follows it.
    const helper = this.#helper;
    await helper?.ready.catch(() => {});
    if (helper === this.#helper) helper?.thread.post({ clear: true });
  }

  /** Terminates the workers. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#pause);
    this.#spare?.terminate();
    this.#replace();
  }
}
