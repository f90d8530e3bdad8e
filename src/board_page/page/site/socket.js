// The connection of the page without a server: to workers of this page.

import { Connection } from "./engine/connection.js";
import { keepOffline, show } from "./offline.js";

/** Hash table size in MiB: enough for an analysis of some minutes, and small enough for a phone. */
const HASH = 32;

let hasFailed = false;

/** Creates a connection with the interface of a `WebSocket`. `onmore` is called when answers about positions may have changed, because
 * the opening book or the endgame tables have been loaded. */
export function connect(onmore) {
  // Keep showing the error during retries.
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
      // Last, so that it does not compete with downloads that the user is waiting for.
      if (part === "endgames") keepOffline();
    },
  });
}
