/** The worker script, for browsers and Node, which runs searches and answers questions, one at a time. */

import { answer, greeting, initSync, provide_book, provide_endgames, provide_network, Searcher } from "./wasm/module.js";
import { builtin } from "./bytes.js";
import type { Command, Part, Provided, Report } from "./searches.js";

interface Port {
  postMessage(report: Report): void;
  onCommand(listener: (command: Command) => void): void;
}

function port(): Port {
  const node = builtin<typeof import("node:worker_threads")>("node:worker_threads")?.parentPort;
  if (node) {
    return { postMessage: (report) => node.postMessage(report), onCommand: (listener) => node.on("message", listener) };
  }
  const scope = globalThis as unknown as { postMessage(report: Report): void; onmessage: (event: MessageEvent<Command>) => void };
  return {
    postMessage: (report) => scope.postMessage(report),
    onCommand: (listener) => {
      scope.onmessage = (event) => listener(event.data);
    },
  };
}

const owner = port();
let hash = 16;
let flag: Int32Array | undefined;
let searcher: Searcher | undefined;

async function bytesOf(part: Part): Promise<Uint8Array> {
  return part instanceof Blob ? new Uint8Array(await part.arrayBuffer()) : part;
}

async function provide({ book, endgames }: Provided): Promise<void> {
  if (book) provide_book(await bytesOf(book));
  if (!endgames) return;
  try {
    provide_endgames(await bytesOf(endgames));
  } catch (error) {
    // Without the tables only the exact results are missing.
    console.warn("chuhe:", error);
  }
}

async function execute(command: Command): Promise<void> {
  if ("prepare" in command) {
    const { module, network } = command.prepare;
    initSync({ module });
    if (network) provide_network(await bytesOf(network));
    await provide(command.prepare);
    hash = command.prepare.hash;
    flag = command.prepare.flag ? new Int32Array(command.prepare.flag) : undefined;
    owner.postMessage({ ready: greeting() });
  } else if ("ask" in command) {
    owner.postMessage({ answer: answer(command.ask) });
  } else if ("provide" in command) {
    // Questions are answered without a book too; if it is damaged, the worker for searches reports that when it is prepared.
    await provide(command.provide).catch((error: unknown) => console.warn("chuhe:", error));
  } else if ("clear" in command) {
    searcher?.clear();
  } else {
    // Allocate the hash table with the first search, so that a spare worker needs little memory.
    searcher ??= new Searcher(hash, flag);
    searcher.run(command.search, (answer: string) => owner.postMessage({ answer }));
    owner.postMessage({ ended: true });
  }
}

// Commands are queued, because reading a file is asynchronous.
let last = Promise.resolve();
owner.onCommand((command) => {
  last = last.then(() => execute(command)).catch((error: unknown) => owner.postMessage({ failed: error instanceof Error ? error.message : String(error) }));
});
