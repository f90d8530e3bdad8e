/** Where the tables lie: `await load({ endgames })` of chuhe takes them. */
export declare const endgames: URL;
