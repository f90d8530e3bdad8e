/** Loads the WebAssembly module and its data, and queries it. */

import { answer, greeting, initSync, provide_book, provide_endgames } from "./wasm/module.js";
import { ChuheError } from "./error.js";
import type { Answers, Catalogue } from "./messages.js";
import { moduleUrl, read } from "./parts.js";

export { ChuheError } from "./error.js";
export { hasVectors } from "./parts.js";

/** A file, given by its contents or its URL. */
export type File = Uint8Array | ArrayBuffer | URL | string;

/** The parts to load, from other locations than the package itself and from other packages. */
export interface Sources {
  /** The module: compiled, its contents, or its URL. */
  module?: WebAssembly.Module | BufferSource | URL | string;
  /** URL of the module without SIMD, for JavaScript engines without it: `plain` of the package chuhe-plain. */
  plain?: URL | string;
  /** The opening book (90 kB): false for none. */
  book?: boolean | File;
  /** The endgame tables (780 kB): `endgames` of the package chuhe-endgames. Without them `Game.endgame()` is an error. */
  endgames?: File;
}

let loading: Promise<void> | undefined;
let compiled: WebAssembly.Module | undefined;

/** The data loaded in addition to the module. */
export const loaded: { book: Uint8Array<ArrayBuffer> | null; endgames: Uint8Array<ArrayBuffer> | null } = { book: null, endgames: null };

/** Incremented when the opening book or the endgame tables are loaded, which can change answers about positions. */
export let dataVersion = 0;

/** Settles when all calls of `load` have ended. */
let pending: Promise<unknown> = Promise.resolve();

/**
 * Loads the module and the opening book. Must be called before anything else is used; further calls load only what was omitted before.
 */
export async function load(sources: Sources = {}): Promise<void> {
  const parts = loadParts(sources);
  pending = Promise.allSettled([pending, parts]);
  try {
    await parts;
  } catch (error) {
    throw error instanceof ChuheError ? error : new ChuheError((error as Error).message);
  }
}

async function loadParts({ module, plain, book = true, endgames }: Sources): Promise<void> {
  loading ??= begin(module, plain).catch((error: Error) => {
    // Allow a retry, since the network may be available again.
    loading = undefined;
    throw error;
  });
  const [, opening, tables] = await Promise.all([
    loading,
    // Bundlers recognize exactly this form of a URL.
    book && !loaded.book ? bytesOf(book === true ? new URL("./data/opening.book", import.meta.url) : book) : null,
    endgames && !loaded.endgames ? bytesOf(endgames) : null,
  ]);
  if (opening) {
    provide_book(opening);
    loaded.book = opening;
    dataVersion += 1;
  }
  if (tables) {
    provide_endgames(tables);
    loaded.endgames = tables;
    dataVersion += 1;
  }
}

/** Loads the module and the book unless `load` has been called; otherwise waits for all that it loads. */
export async function ensureLoaded(): Promise<void> {
  await pending;
  await (loading ?? load());
}

async function begin(source: Sources["module"], plain: Sources["plain"]): Promise<void> {
  const module = await compile(source, plain && urlOf(plain));
  initSync({ module });
  compiled = module;
}

/**
 * A URL, by default relative to this module. Some bundlers replace the address of the module by that of a file on the developer's machine, or by
 * nothing in scripts that are no modules. Then the URL is relative to the page.
 */
export function urlOf(source: URL | string): URL {
  const own: string | undefined = import.meta.url;
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const isReplaced = !own || (own.startsWith("file:") && !page?.startsWith("file:"));
  return new URL(source, isReplaced && page ? page : own);
}

/** The given bytes, or the contents of a file. */
export async function bytesOf(source: File): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source instanceof Uint8Array) return source as Uint8Array<ArrayBuffer>;
  return read(urlOf(source));
}

async function compile(source: Sources["module"], plain?: URL | ""): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === "string") return WebAssembly.compile(await read(urlOf(source)));
  return WebAssembly.compile(source ?? (await read(moduleUrl(plain || undefined))));
}

/** The compiled module, for workers. */
export function module(): WebAssembly.Module {
  if (!compiled) throw new ChuheError("nothing is loaded yet: expected `await load()` before");
  return compiled;
}

/** Sends the module a question that needs no search. */
export function ask<Name extends keyof Answers>(question: object, expected: Name): Answers[Name] {
  module();
  return answered(answer(JSON.stringify({ id: 0, ask: question })), expected);
}

/** Extracts the answer of this name from a message; throws if it is an error. */
export function answered<Name extends keyof Answers>(message: string, expected: Name): Answers[Name] {
  const found = (JSON.parse(message) as { answer: Partial<Answers> }).answer;
  if (found.error) throw new ChuheError(found.error.message);
  const value = found[expected];
  if (value === undefined) throw new ChuheError(`answered ${Object.keys(found).join()}, expected ${expected}`);
  return value as Answers[Name];
}

/** The available notations, rule sets and record formats, and the version. */
export function catalogue(): Catalogue {
  module();
  const { program, notations, rules, formats } = (JSON.parse(greeting()) as { answer: { hello: Catalogue } }).answer.hello;
  return { program, notations, rules, formats };
}
