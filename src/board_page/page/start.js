// What the browser loads first. The rest waits for the first paint, with which it would compete, and is then asked for all at once
// rather than as one module finds the next.

const MODULES = ["glyphs.js", "dom.js", "words.js", "store.js", "tree.js", "link.js", "socket.js", "board.js", "moves.js",
  "clock.js", "drawings.js", "game.js", "games.js", "keeper.js", "graph.js", "analysis.js", "book.js", "explorer.js", "setup.js",
  "puzzles.js", "share.js", "sounds.js", "wheel.js", "dialogs.js", "mygames.js"];

let isLoading = false;

function load() {
  if (isLoading) return;
  isLoading = true;
  document.head.append(...MODULES.map((href) => Object.assign(document.createElement("link"), { rel: "modulepreload", href })));
  import("./app.js");
}

// A hidden page paints nothing, and not every browser says when it has painted.
if (document.hidden || !globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint")) load();
else {
  new PerformanceObserver(load).observe({ type: "paint", buffered: true });
  setTimeout(load, 300);
}
