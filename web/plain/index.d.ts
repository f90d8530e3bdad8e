/** The URL of the module, for `await load({ plain })` of chuhe, which uses it if the JavaScript engine has no SIMD. */
export declare const plain: URL;
