/** Where the module lies: `await load({ plain })` of chuhe takes it where the JavaScript engine has no vectors. */
export const plain = new URL("./chuhe.wasm", import.meta.url);
