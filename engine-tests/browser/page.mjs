// Shared test helpers: a server, a browser, and the actions of a user.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
// A page that is read from a folder has no address of its own, so the browser would not allow it to connect to a server on this machine.
const FLAGS = ["--headless", "--disable-features=LocalNetworkAccessChecks", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "chuhe-browser-"));
export const inFolder = (name) => path.join(folder, name);

export function assert(is, message) {
  if (!is) throw new Error(message);
}

export function assertEqual(found, expected, what) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  assert(a === b, `${what}: expected ${b}, found ${a}`);
}

/** Timeout in milliseconds of every operation, generous for busy machines; only a failing test waits this long. */
export const PATIENCE = 60_000;

/** Whether durations are compared with limits. On a machine with other load they are meaningless, and only reported. */
export const hasLimits = !!process.env.LIMITS;

/** Waits until `read()` returns the expected value, and returns it; fails with the last value. */
export async function eventually(read, expected, what) {
  const until = Date.now() + PATIENCE;
  const goal = JSON.stringify(expected);
  for (let pause = 10; ; pause = Math.min(2 * pause, 200)) {
    // An element may not exist yet.
    const found = await Promise.resolve().then(read).catch((error) => error.message);
    if (JSON.stringify(found) === goal) return found;
    if (Date.now() > until) assertEqual(found, expected, what);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Waits until `time()`, processor time in seconds, is constant for a second. */
export async function quiet(time) {
  const passes = async () => {
    const before = time();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return time() - before <= 0.02;
  };
  await eventually(passes, true, "no processor time in a second");
}

export class Server {
  constructor(program) {
    this.program = program;
  }

  /** Starts the server, on its previous port if it had one. */
  async start(...files) {
    this.files = files;
    this.child = spawn(this.program, ["serve", "--port", String(this.port ?? 0), "--threads", "1", ...files]);
    this.address = await new Promise((resolve, reject) => {
      this.child.stdout.once("data", (data) => resolve(String(data).split("\n")[0]));
      this.child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    this.port = Number(new URL(this.address).port);
    return this.address;
  }

  kill(signal = "SIGKILL") {
    return new Promise((resolve) => {
      this.child.removeAllListeners("exit");
      this.child.once("exit", (code) => resolve(code));
      this.child.kill(signal);
    });
  }

  /** Restarts the server if a failed test has ended it. */
  async revive() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) await this.start(...this.files);
  }

  /** Processor time so far, in seconds (Linux). */
  processorTime() {
    const parts = fs.readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(parts[11]) + Number(parts[12])) / 100;
  }
}

/** Runs another command of the program; its messages are shown only if it fails. */
export const run = (program, ...parameters) => bytesOf(program, ...parameters).toString("utf8");
export const bytesOf = (program, ...parameters) => execFileSync(program, parameters, { stdio: "pipe" });

export const launch = (...flags) => chromium.launch({ executablePath: BROWSER, args: [...FLAGS, ...flags] });

let host = null;

/** Loads pages from a static host, which is shut down as soon as a page is loaded. */
export const useHost = (used) => (host = used);

/** Reads the page from the folder PAGE, if it is set, instead of from the program, so that it can be changed without a build. */
async function readPage(context) {
  const source = process.env.PAGE;
  if (!source) return;
  const read = (name) => fs.readFileSync(path.join(source, name), "utf8");
  await context.route("**/*", (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1) || "index.html";
    if (name === "index.html") return route.fulfill({ contentType: "text/html", body: read(name).replace('<link rel="stylesheet" href="style.css">', () => `<style>${read("style.css")}</style>`) });
    if (name.endsWith(".js") && fs.existsSync(path.join(source, name))) return route.fulfill({ contentType: "text/javascript", body: read(name) });
    return route.continue();
  });
}

/** Records all toasts: they disappear after a few seconds, and a busy machine may take longer to look for one. */
const listen = () => {
  window.toasts = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node.classList?.contains("toast")) window.toasts.push(`${node.className}: ${node.firstChild.textContent}`);
    }
  }).observe(document, { childList: true, subtree: true });
};

/** A context with the timeout of the tests. */
export async function contextOf(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", acceptDownloads: true, ...options });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(listen);
  return context;
}

/** Opens a page and collects the errors that the browser reports, each of which fails the test. */
export async function open(browser, address, options = {}) {
  if (host) host.isUp = true;
  const context = await contextOf(browser, options);
  await readPage(context);
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(error.stack ?? error.message));
  page.on("console", (message) => message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text()) && page.complaints.push(message.text()));
  if (options.before) await page.addInitScript(options.before);
  await page.goto(address);
  await page.waitForSelector(".head b");
  await host?.leave(page);
  return page;
}

/** Plays a move such as `h2e2` by two clicks, and waits until it is shown. */
export async function play(page, move) {
  const [from, to] = [move.slice(0, 2), move.slice(2)].map((point) => `[data-point=${point}]`);
  // The movable pieces are known when the position has been answered, which takes a while on a busy machine.
  await page.click(`${from}.movable`);
  const before = await pieceOn(page, to);
  await page.click(to);
  await page.waitForFunction(([goal, before]) => document.querySelector(goal).getAttribute("aria-label").split(",")[0] !== before, [to, before]);
}

/** The piece on a point. */
const pieceOn = (page, cell) => page.$eval(cell, (cell) => cell.getAttribute("aria-label").split(",")[0]);

/** Waits until all animations of the page have ended. */
export const rest = (page) => page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));

/** Waits until there is no dialogue: a closed one is removed a moment later. */
export const closed = (page) => page.waitForFunction(() => !document.querySelector("dialog"));

/** Closes a dialogue with the Escape key. */
export async function escape(page) {
  await page.keyboard.press("Escape");
  await closed(page);
}

/** Waits for a toast of this kind (`info`, `warning`, `error`) with this text, and discards it and all earlier ones. */
export const toasted = (page, kind, text = "") => page.waitForFunction(([kind, text]) => {
  const at = window.toasts.findIndex((toast) => toast.startsWith(`toast ${kind}: `) && toast.includes(text));
  if (at >= 0) window.toasts.splice(0, at + 1);
  return at >= 0;
}, [kind, text]);

/** Removes all toasts. */
export const dismiss = (page) => page.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));

/** The moves of the list in order, including variations. */
export const moves = (page) => page.$$eval(".moves .mv:not(.start)", (buttons) => buttons.map((button) => button.firstChild.textContent));

export const current = (page) => page.$eval(".moves [aria-current]", (button) => button.firstChild.textContent);

export const live = (page) => page.$eval("#live", (element) => element.textContent);

/** The state that the page saves for a reload. It saves changes after a delay, or at once when it may be closed, as here. */
export const kept = (page) => page.evaluate(() => {
  dispatchEvent(new Event("pagehide"));
  return JSON.parse(sessionStorage.getItem("chuhe-session"));
});

/** The state that the page has saved by itself; null while its game is not in the database. */
export const stored = (page) => page.evaluate(() => (JSON.parse(sessionStorage.getItem("chuhe-game"))?.isDirty === false ? JSON.parse(sessionStorage.getItem("chuhe-session")) : null));

/** Requests a hint and waits for it: it is a search, so when it arrives the previous search has ended and all its lines have arrived. */
export async function hint(page) {
  await page.waitForSelector(".cell.movable");
  await page.click("#do-hint");
  await page.waitForSelector(".arrow.hint", { state: "attached" });
}

/** Asserts that axe finds no accessibility violations, and returns the number of passed checks. */
export async function axe(page, where) {
  await rest(page);
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert(found.passes.length > 5, `${where}: axe has checked nothing`);
  const violations = found.violations.map((one) => `${one.id} (${one.impact}): ${one.nodes.map((node) => `${node.html.slice(0, 140)} ${node.failureSummary}`).join("\n")}`);
  assert(!violations.length, `${where}: ${violations.join("\n")}`);
  return found.passes.length;
}

/** Opens a file with the dialogue. */
export async function openFile(page, file) {
  await page.click("#menu-open");
  await page.setInputFiles("#file", file);
}

/** Opens a file with one game, which is then on the board. */
export async function openGame(page, file) {
  await openFile(page, file);
  await closed(page);
}

/** Opens a text with the dialogue. */
export async function openText(page, text) {
  await page.click("#menu-open");
  await page.fill("#pasted", text);
  await page.click("#open-pasted");
  await closed(page);
}

/** Saves in a format and returns the path of the downloaded file. */
export async function save(page, format, encoding = null) {
  await page.click("#menu-save");
  if (encoding) await page.selectOption("#encoding", encoding);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-format=${format}]`)]);
  const target = inFolder(`${saved++}-${download.suggestedFilename()}`);
  await download.saveAs(target);
  await closed(page);
  return target;
}

let saved = 0;
