// A static host without anything specific to the page. It can be switched off to simulate a browser without a network.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createHash } from "node:crypto";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json", ".wasm": "application/wasm", ".gz": "application/gzip" };

export class Host {
  /** `packs`: whether it sends the gzip copy of a text file if there is one, as many hosts do. */
  constructor(folder, packs = true) {
    this.folder = folder;
    this.packs = packs;
    this.isUp = true;
    /** Files whose names contain this text are answered with status 404. */
    this.missing = null;
    /** The files sent: name and size of each body, in the order of the requests. */
    this.sent = [];
    /** Number of requests answered with status 404. */
    this.refused = 0;
  }

  /** Starts the host; the page has a subpath of its own. */
  async start() {
    this.server = http.createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    this.address = `${this.origin}/games/xiangqi/`;
    return this.address;
  }

  answer(request, response) {
    if (!this.isUp) return request.socket.destroy();
    const { pathname } = new URL(request.url, this.origin);
    const below = pathname.startsWith("/games/xiangqi/") ? pathname.slice("/games/xiangqi/".length) : null;
    const name = below === "" ? "index.html" : below;
    const file = name && path.join(this.folder, name);
    if (!file || name.includes("..") || (this.missing && name.includes(this.missing)) || !fs.existsSync(file)) {
      this.refused += 1;
      return response.writeHead(404).end();
    }
    const headers = { "Content-Type": TYPES[path.extname(name)] ?? "application/octet-stream" };
    const isText = /\.(html|js|jsonl|svg|webmanifest)$/.test(name);
    const isPacked = this.packs && isText && fs.existsSync(`${file}.gz`);
    if (isPacked) headers["Content-Encoding"] = "gzip";
    const body = fs.readFileSync(isPacked ? `${file}.gz` : file);
    headers.ETag = `"${createHash("sha1").update(body).digest("hex")}"`;
    const isKnown = request.headers["if-none-match"] === headers.ETag;
    this.sent.push({ name, bytes: isKnown ? 0 : body.length });
    response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : body);
  }

  /** Waits until the page is stored on the device, then switches the host off. */
  async leave(page) {
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller) await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    });
    this.isUp = false;
    this.server.closeAllConnections();
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}
