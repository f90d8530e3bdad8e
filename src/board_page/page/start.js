// The entry point. The other modules would compete with the first paint; they are loaded after it, all at once rather than as each
// import is discovered.

const MODULES = ["glyphs.js", "dom.js", "words.js", "store.js", "tree.js", "link.js", "socket.js", "board.js", "moves.js",
  "clock.js", "drawings.js", "game.js", "games.js", "keeper.js", "graph.js", "analysis.js", "book.js", "explorer.js", "setup.js",
  "puzzles.js", "share.js", "sounds.js", "wheel.js", "dialogs.js", "mygames.js", "opener.js"];

let isLoading = false;

function load() {
  if (isLoading) return;
  isLoading = true;
  document.head.append(...MODULES.map((href) => Object.assign(document.createElement("link"), { rel: "modulepreload", href })));
  import("./app.js");
}

// A hidden page never paints, and not every browser reports the paint.
if (document.hidden || !globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint")) load();
else {
  new PerformanceObserver(load).observe({ type: "paint", buffered: true });
  setTimeout(load, 300);
}
