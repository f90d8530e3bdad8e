/** The URL of the tables, for `await load({ endgames })` of chuhe. */
export const endgames = new URL("./endgames.egts", import.meta.url);
