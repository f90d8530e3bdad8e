/** The WebAssembly module: which build, from where, and how it is asked. */

import { answer, greeting, initSync, provide_book, provide_endgames } from "./wasm/module.js";
import { ChuheError } from "./error.js";
import type { Answers, Catalogue } from "./messages.js";
import { moduleUrl, read } from "./parts.js";

export { ChuheError } from "./error.js";
export { hasVectors } from "./parts.js";

/** Where the parts of the package lie, when not beside it, or the parts themselves. */
export interface Sources {
  /** The module: compiled, as bytes, or where it lies. */
  module?: WebAssembly.Module | BufferSource | URL | string;
  /** The opening book (90 kB): false for none, or where the package's lies. */
  book?: boolean | Uint8Array | URL | string;
  /** The endgame tables (780 kB): `true` for those of the package. Without them `Game.endgame()` is an error. */
  endgames?: boolean | Uint8Array | URL | string;
}

let loading: Promise<void> | undefined;
let compiled: WebAssembly.Module | undefined;
const has = { book: false, endgames: false };

/** How often something has come that positions have other answers with: the opening book, the endgame tables. */
export let arrivals = 0;

/**
 * Loads the module and the opening book; everything else needs it once before. Calling it again costs nothing, and brings what was left out
 * before.
 *
 * Of the two builds that are part of the package it takes the one with vector instructions where the JavaScript engine has them.
 */
export async function load({ module, book = true, endgames = false }: Sources = {}): Promise<void> {
  loading ??= begin(module).catch((error: Error) => {
    // A line that was down may be up at the next attempt.
    loading = undefined;
    throw error;
  });
  const [, opening, tables] = await Promise.all([
    loading,
    book && !has.book ? bytesOf(book, "./data/opening.book") : null,
    endgames && !has.endgames ? bytesOf(endgames, "./data/endgames.egts") : null,
  ]);
  if (opening) {
    provide_book(opening);
    has.book = true;
    arrivals += 1;
  }
  if (tables) {
    provide_endgames(tables);
    has.endgames = true;
    arrivals += 1;
  }
}

async function begin(source: Sources["module"]): Promise<void> {
  const module = await compile(source);
  initSync({ module });
  compiled = module;
}

/** The bytes that were given, or those of a file of the package. */
export async function bytesOf(source: boolean | Uint8Array | URL | string, own: string): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Uint8Array) return source as Uint8Array<ArrayBuffer>;
  return read(typeof source === "boolean" ? new URL(own, import.meta.url) : new URL(source, import.meta.url));
}

async function compile(source: Sources["module"]): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === "string") return WebAssembly.compile(await read(new URL(source, import.meta.url)));
  return WebAssembly.compile(source ?? (await read(moduleUrl())));
}

/** The compiled module, for workers. */
export function module(): WebAssembly.Module {
  if (!compiled) throw new ChuheError("nothing is loaded yet: expected `await load()` before");
  return compiled;
}

/** Whether the endgame tables are there. */
export function endgamesLoaded(): boolean {
  return has.endgames;
}

/** Asks the module a question that needs no search. */
export function ask<Name extends keyof Answers>(question: object, expected: Name): Answers[Name] {
  module();
  return answered(answer(JSON.stringify({ id: 0, ask: question })), expected);
}

/** The answer of this name in a message; an error when it is one. */
export function answered<Name extends keyof Answers>(message: string, expected: Name): Answers[Name] {
  const found = (JSON.parse(message) as { answer: Partial<Answers> }).answer;
  if (found.error) throw new ChuheError(found.error.message);
  const value = found[expected];
  if (value === undefined) throw new ChuheError(`answered ${Object.keys(found).join()}, expected ${expected}`);
  return value as Answers[Name];
}

/** What can be chosen: notations, rules of repetition, record formats, and the version. */
export function catalogue(): Catalogue {
  module();
  const { program, notations, rules, formats } = (JSON.parse(greeting()) as { answer: { hello: Catalogue } }).answer.hello;
  return { program, notations, rules, formats };
}
