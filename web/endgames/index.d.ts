/** The URL of the tables, for `await load({ endgames })` of chuhe. */
export declare const endgames: URL;
