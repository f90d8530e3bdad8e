/** Where the module lies: `await load({ plain })` of chuhe takes it where the JavaScript engine has no vectors. */
export declare const plain: URL;
