/** Selects and reads the parts of the package other than scripts. */

import { builtin } from "./bytes.js";
import { ChuheError } from "./error.js";

/** `(func (result v128) i32.const 0 i8x16.splat i8x16.popcnt)`: a module that is valid only in engines with SIMD. */
const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Whether this JavaScript engine supports WebAssembly SIMD (128-bit vectors), which makes the search about twice as fast. */
export function hasVectors(): boolean {
  return WebAssembly.validate(new Uint8Array(VECTORS));
}

/** The URL of the build of the module for this JavaScript engine. `plain` is the build without SIMD, from a separate package. */
export function moduleUrl(plain?: URL): URL {
  // Bundlers recognize exactly this expression.
  if (hasVectors()) return new URL("./wasm/chuhe-simd128.wasm", import.meta.url);
  if (plain) return plain;
  throw new ChuheError("this JavaScript engine has no vectors: expected the module of chuhe-plain, `await load({ plain })`");
}

async function request(url: URL): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer;
}

/** Reads a file. */
export async function read(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = url.protocol === "file:" ? builtin<typeof import("node:fs")>("node:fs") : undefined;
  try {
    if (files) return new Uint8Array(await files.promises.readFile(url));
    return new Uint8Array(await (await request(url)).arrayBuffer());
  } catch (error) {
    // The messages of `fetch`, such as "fetch failed", do not name the file.
    throw new ChuheError(`${url}: ${(error as Error).message}`);
  }
}

/**
 * Reads a file from its gzip copy. Static hosts compress only known file types, which do not include networks and tables, and some compress
 * nothing.
 */
export async function readPacked(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof DecompressionStream === "undefined") return read(url);
  const bytes = await read(new URL(`${url.pathname}.gz`, url));
  // If the host sends `Content-Encoding`, the browser has already decompressed it.
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()) : bytes;
}
