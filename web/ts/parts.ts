/** The parts of the package that are no script: which of them, from where. */

import { builtin } from "./bytes.js";
import { ChuheError } from "./error.js";

/** `(func (result v128) i32.const 0 i8x16.splat i8x16.popcnt)`: a module that only engines with vectors accept. */
const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Whether this JavaScript engine has 128-bit vectors, which make the search about twice as fast. */
export function hasVectors(): boolean {
  return WebAssembly.validate(new Uint8Array(VECTORS));
}

/** Where the build of the module lies that fits this JavaScript engine. `plain` is the one without vectors, which has a package of its own. */
export function moduleUrl(plain?: URL): URL {
  // Bundlers look for this very expression.
  if (hasVectors()) return new URL("./wasm/chuhe-simd128.wasm", import.meta.url);
  if (plain) return plain;
  throw new ChuheError("this JavaScript engine has no vectors: expected the module of chuhe-plain, `await load({ plain })`");
}

async function request(url: URL): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** The bytes of a file. */
export async function read(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = url.protocol === "file:" ? builtin<typeof import("node:fs")>("node:fs") : undefined;
  if (files) return new Uint8Array(await files.promises.readFile(url));
  return new Uint8Array(await (await request(url)).arrayBuffer());
}

/**
 * The bytes of a file out of the copy in gzip that lies beside it. Hosts of files compress the types that they know, which networks and
 * tables are not, and some compress nothing.
 */
export async function readPacked(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof DecompressionStream === "undefined") return read(url);
  const bytes = await read(new URL(`${url.pathname}.gz`, url));
  // A host that declares its encoding has had the browser unpack it.
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()) : bytes;
}
