// The package in Chromium, loaded by a page without a bundler, with and without cross-origin isolation.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const withBrowser = existsSync(chromium) ? {} : { skip: `no ${chromium}: expected Debian's chromium or $CHROMIUM` };
const folder = fileURLToPath(new URL("..", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** Serves the package's files and an empty page. */
async function serve(headers) {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url, "http://localhost").pathname);
    const isPage = request.url === "/";
    const isFile = !isPage && existsSync(path);
    const type = isPage ? "text/html" : (TYPES[extname(path)] ?? "application/octet-stream");
    response.writeHead(isPage || isFile ? 200 : 404, { "Content-Type": type, ...headers });
    response.end(isPage ? "<!doctype html><link rel=icon href=data:,><title>chuhe</title>" : isFile ? readFileSync(path) : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Runs in the page. */
async function play() {
  const { Engine, Game, load } = await import("/dist/index.js");
  await load();
  const game = new Game();
  game.move("炮二平五");
  const engine = await Engine.start();
  // The page must stay responsive during a search: measure the longest interval between two timer callbacks.
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const search = engine.analyse(game, { notation: "chinese" });
  for await (const { result } of search) if (result.depth >= 9) break;
  clearInterval(timer);
  const { result, texts } = await search.result;
  const weak = await engine.move(game, { level: 4 });
  const strong = await engine.move(game, { movetime: 200, book: false });
  engine.close();
  const legal = [weak, strong].every(({ move }) => game.moves().includes(move));
  return { isolated: crossOriginIsolated, depth: result.depth, text: texts[0][0], legal, longest };
}

for (const isolated of [false, true]) {
  test(`the engine in Chromium ${isolated ? "with" : "without"} cross-origin isolation`, withBrowser, async (t) => {
    const { chromium: browsers } = await import("playwright-core");
    const server = await serve(isolated ? ISOLATED : {});
    t.after(() => server.close());
    const browser = await browsers.launch({ executablePath: chromium, args: ["--no-sandbox"] });
    t.after(() => browser.close());
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { longest, ...found } = await page.evaluate(play);
    assert.deepEqual(faults, []);
    assert.equal(found.isolated, isolated);
    assert.ok(found.depth >= 9 && found.legal && /[一二三四五六七八九１-９]/.test(found.text), JSON.stringify(found));
    t.diagnostic(`longest pause of the page while a search ran: ${Math.round(longest)} ms`);
  });
}
