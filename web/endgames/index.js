/** Where the tables lie: `await load({ endgames })` of chuhe takes them. */
export const endgames = new URL("./endgames.egts", import.meta.url);
