/** Base64, and access to Node's modules. */

/** Encodes bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // In chunks, because JavaScript engines limit the number of arguments of a call.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** Decodes Base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** A built-in module of Node, or undefined elsewhere. Without an import statement, which bundlers for browsers would try to resolve. */
export function builtin<T>(name: string): T | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as T | undefined;
}
