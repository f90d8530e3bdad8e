/** Bytes to Base64 and back, and bytes from wherever they lie. */

/** Bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // As many as a call takes arguments everywhere.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** The bytes of a Base64 text. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Node's own modules, where this is Node; they are asked for so that bundlers for browsers see no import. */
export function builtin<T>(name: string): T | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as T | undefined;
}

/** The bytes of a file beside this module or elsewhere. */
export async function read(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = url.protocol === "file:" ? builtin<typeof import("node:fs")>("node:fs") : undefined;
  if (files) return new Uint8Array(await files.promises.readFile(url));
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}
