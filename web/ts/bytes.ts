/** Bytes to Base64 and back, and what belongs to Node alone. */

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
