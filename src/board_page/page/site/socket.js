// Where the page lies on a host of files: a connection to workers of this page.

import { Connection } from "./engine/connection.js";
import { keepOffline, show } from "./offline.js";

/** MiB of the hash table: enough for an analysis of minutes, and little for a phone. */
const HASH = 32;

let hasFailed = false;

/** A new connection, as a `WebSocket`. `onmore` is called when positions have other answers than before: the opening book or the endgame
 * tables have come. */
export function connect(onmore) {
  // Why it failed stays in sight while it is tried again.
  if (!hasFailed) show("loadingBoard");
  return new Connection({
    packed: true,
    hash: HASH,
    plain: new URL("./engine/wasm/chuhe.wasm", import.meta.url),
    endgames: new URL("./engine/data/endgames.egts", import.meta.url),
    onfail: (part, reason) => {
      hasFailed = true;
      show(part === "board" ? "noBoard" : "noEngine", { reason });
    },
    onprogress: (part) => {
      if (part !== "book") hasFailed = false;
      if (part === "board") show("loadingEngine");
      else if (part === "engine") show(null);
      else onmore();
      // Last, so that it takes nothing from what somebody waits for.
      if (part === "endgames") keepOffline();
    },
  });
}
