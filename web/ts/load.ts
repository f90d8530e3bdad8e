/** The WebAssembly module: which build, from where, and how it is asked. */

import { answer, greeting, initSync, provide_endgames } from "./wasm/module.js";
import { ChuheError } from "./error.js";
import type { Answers, Catalogue } from "./messages.js";
import { moduleUrl, read } from "./parts.js";

export { ChuheError } from "./error.js";
export { hasVectors } from "./parts.js";

/** Where the parts of the package lie, when not beside it, or the parts themselves. */
export interface Sources {
  /** The module: compiled, as bytes, or where it lies. */
  module?: WebAssembly.Module | BufferSource | URL | string;
  /** The endgame tables (570 kB): `true` for those of the package. Without them `Game.endgame()` is an error. */
  endgames?: boolean | Uint8Array | URL | string;
}

let loading: Promise<WebAssembly.Module> | undefined;
let compiled: WebAssembly.Module | undefined;
let hasEndgames = false;

/**
 * Loads the module; everything else needs it once before. Calling it again costs nothing.
 *
 * Of the two builds that are part of the package it takes the one with vector instructions where the JavaScript engine has them.
 */
export async function load(sources: Sources = {}): Promise<void> {
  loading ??= compile(sources.module).then((module) => {
    initSync({ module });
    compiled = module;
    return module;
  });
  try {
    await loading;
  } catch (error) {
    // A line that was down may be up at the next attempt.
    loading = undefined;
    throw error;
  }
  if (sources.endgames && !hasEndgames) {
    provide_endgames(await bytesOf(sources.endgames, "./data/endgames.egts"));
    hasEndgames = true;
  }
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
  return hasEndgames;
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
