// Games and positions in the fragment of a URL, which browsers never send to a server.
//
// `#fen=` is followed by a FEN with `_` for spaces, `#game=` by a game: JSON, compressed (`z`) or not (`j`), in URL-safe Base64. Fields of
// the JSON: `s` start position (omitted for the standard one), `r` result, `t` tags, `m` concatenated moves, with `@N` before a move whose
// parent is not the preceding move but the Nth (0: the start), and by move number: `c` comments, `g` marks, `d` drawings; `p` the number
// of the move to show.

import { base64Of, bytesOf } from "./dom.js";
import { isShape } from "./drawings.js";
import { START } from "./tree.js";

/** Largest decompressed size of the data in a URL, in bytes. */
const MOST = 8 << 20;
/** Longest URL, in characters, that programs other than browsers, such as messengers, handle reliably. */
export const LONG = 8000;

const RESULTS = ["*", "1-0", "0-1", "1/2-1/2"];

/** An error with the key of its text in words.js. */
const linkError = (key, message) => Object.assign(new Error(message), { key });

const toAddress = (bytes) => base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

const ofAddress = (text) => bytesOf(text.replaceAll("-", "+").replaceAll("_", "/"));

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST) {
      await reader.cancel();
      throw linkError("largeLink", "the game in the address is too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Encodes a tree (in message form) with drawings `[[number, shapes]]` as the JSON of a URL. `shown` is the number of a move. */
export function pack(tree, drawings = [], shown = 0) {
  let moves = "";
  tree.nodes.forEach(({ parent, move }, index) => (moves += (parent === index ? "" : `@${parent}`) + move));
  const by = (name, isThere) => Object.fromEntries([tree, ...tree.nodes].map((node, number) => [number, node[name]]).filter(([, value]) => isThere(value)));
  const all = {
    s: tree.start === START ? "" : tree.start,
    r: tree.result === "*" ? "" : tree.result,
    t: tree.tags,
    m: moves,
    c: by("comment", (comment) => comment),
    g: by("glyphs", (glyphs) => glyphs?.length),
    d: Object.fromEntries(drawings),
    p: shown,
  };
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, value]) => (typeof value === "object" ? Object.keys(value).length : value))));
}

const isText = (value) => typeof value === "string";
const isNumber = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

/** The inverse of `pack`: `{ tree, drawings, shown }`. Throws if the text is malformed; does not check whether the moves are legal. */
export function unpack(text) {
  const fault = (what) => linkError("badLink", `the address has no game: ${what}`);
  let all;
  try {
    all = JSON.parse(text);
  } catch {
    throw fault("damaged");
  }
  if (!all || typeof all !== "object") throw fault("damaged");
  const { s = START, r = "*", t = [], m = "", c = {}, g = {}, d = {}, p = 0 } = all;
  if (!isText(s)) throw fault("start position");
  if (!RESULTS.includes(r)) throw fault("result");
  if (!Array.isArray(t) || !t.every((tag) => Array.isArray(tag) && tag.length === 2 && tag.every(isText))) throw fault("tags");
  if (!isText(m) || !/^((@\d+)?[a-i]\d[a-i]\d)*$/.test(m)) throw fault("moves");
  const nodes = [];
  for (const [, , parent, move] of m.matchAll(/(@(\d+))?([a-i]\d[a-i]\d)/g)) {
    const number = parent === undefined ? nodes.length : Number(parent);
    if (!isNumber(number, nodes.length)) throw fault("moves");
    nodes.push({ parent: number, move });
  }
  const tree = { start: s, result: r, tags: t, nodes };
  const put = (values, name, isGood) => {
    for (const [number, value] of Object.entries(values ?? {})) {
      if (!isNumber(Number(number), nodes.length) || !isGood(value)) throw fault(`${name} of move ${number}`);
      (Number(number) ? nodes[Number(number) - 1] : tree)[name] = value;
    }
  };
  put(c, "comment", isText);
  put(g, "glyphs", (glyphs) => Array.isArray(glyphs) && glyphs.every((glyph) => isNumber(glyph, 255)));
  const drawings = Object.entries(d ?? {}).map(([number, shapes]) => [Number(number), shapes]);
  if (!drawings.every(([number, shapes]) => isNumber(number, nodes.length) && Array.isArray(shapes) && shapes.every(isShape))) throw fault("drawings");
  if (!isNumber(p, nodes.length)) throw fault("the move to show");
  return { tree, drawings, shown: p };
}

/** The URL fragment of a game. */
export async function gameAddress(tree, drawings, shown) {
  const bytes = new TextEncoder().encode(pack(tree, drawings, shown));
  let packer;
  try {
    packer = new CompressionStream("deflate-raw");
  } catch {
    // Older browsers have no CompressionStream.
    return `game=j${toAddress(bytes)}`;
  }
  return `game=z${toAddress(await through(bytes, packer))}`;
}

/** The URL fragment of a position. */
export const positionAddress = (fen) => `fen=${fen.trim().replaceAll(" ", "_")}`;

/** Decodes a URL fragment: `{ fen }`, `{ tree, drawings, shown }`, or null if it is something else. */
export async function readAddress(hash) {
  const found = /^#?(fen|game)=(.*)$/.exec(hash);
  if (!found) return null;
  const [, kind, value] = found;
  // Programs that forward URLs may have escaped some characters.
  if (kind === "fen") return { fen: value.replaceAll("_", " ").replace(/%(20|2[fF])/g, (_, code) => (code === "20" ? " " : "/")) };
  if (value[0] === "z" && !globalThis.DecompressionStream) throw linkError("oldBrowser", "this browser is too old for the link: it has no DecompressionStream");
  let bytes;
  try {
    bytes = ofAddress(value.slice(1));
    if (value[0] === "z") bytes = await through(bytes, new DecompressionStream("deflate-raw"));
  } catch (error) {
    throw /too large/.test(error.message) ? error : linkError("badLink", "the address has no game: damaged or cut off");
  }
  return unpack(new TextDecoder().decode(bytes));
}
