/** The URL of the module, for `await load({ plain })` of chuhe, which uses it if the JavaScript engine has no SIMD. */
export const plain = new URL("./chuhe.wasm", import.meta.url);
