// What the tests share: a server, a browser, and hands that do what a user does.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
// A page that is read from a folder has no address of its own, and would not be let to a server of this machine.
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

/** Milliseconds that anything may take on a busy machine. Nothing waits as long as this but what fails. */
export const PATIENCE = 60_000;

/** Whether durations are held against limits. Those of a machine that does other work too say nothing: they are reported only. */
export const hasLimits = !!process.env.LIMITS;

/** Waits until `read()` gives what is expected, and returns it; fails with what it gave last. */
export async function eventually(read, expected, what) {
  const until = Date.now() + PATIENCE;
  const goal = JSON.stringify(expected);
  for (let pause = 10; ; pause = Math.min(2 * pause, 200)) {
    // What is looked for may not be there yet.
    const found = await Promise.resolve().then(read).catch((error) => error.message);
    if (JSON.stringify(found) === goal) return found;
    if (Date.now() > until) assertEqual(found, expected, what);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Waits until `time()`, processor time in seconds, stands still for a second. */
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

  /** Starts it; on the port that it had before, if it had one. */
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

  /** Starts it again where a test that failed has left none. */
  async revive() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) await this.start(...this.files);
  }

  /** Processor time so far, in seconds; Linux. */
  processorTime() {
    const parts = fs.readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(parts[11]) + Number(parts[12])) / 100;
  }
}

/** Runs the program for something beside the server; what it remarks is told only when it fails. */
export const run = (program, ...parameters) => bytesOf(program, ...parameters).toString("utf8");
export const bytesOf = (program, ...parameters) => execFileSync(program, parameters, { stdio: "pipe" });

export const launch = (...flags) => chromium.launch({ executablePath: BROWSER, args: [...FLAGS, ...flags] });

let host = null;

/** Pages come from a host of files, which is away as soon as a page is there. */
export const useHost = (used) => (host = used);

/** Reads the page from the folder PAGE instead of the program, if there is one: so that it can be changed without a build. */
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

/** Notes what the page says in passing: a note is gone after a few seconds, which a busy machine may need to look for it. */
const listen = () => {
  window.said = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node.classList?.contains("toast")) window.said.push(`${node.className}: ${node.firstChild.textContent}`);
    }
  }).observe(document, { childList: true, subtree: true });
};

/** A context that is as patient as the tests. */
export async function contextOf(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", acceptDownloads: true, ...options });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(listen);
  return context;
}

/** A page with what a test wants to know of it: complaints of the browser are failures. */
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

/** A move by two clicks, such as `h2e2`, shown when it is there. */
export async function play(page, move) {
  const [from, to] = [move.slice(0, 2), move.slice(2)].map((point) => `[data-point=${point}]`);
  // What may move is known when the position has been answered, which takes a while on a busy machine.
  await page.click(`${from}.movable`);
  const before = await pieceOn(page, to);
  await page.click(to);
  await page.waitForFunction(([goal, before]) => document.querySelector(goal).getAttribute("aria-label").split(",")[0] !== before, [to, before]);
}

/** What stands on a point. */
const pieceOn = (page, cell) => page.$eval(cell, (cell) => cell.getAttribute("aria-label").split(",")[0]);

/** Waits until what moves on the page has come to rest. */
export const rest = (page) => page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));

/** Waits until no dialogue is there: one that was closed goes a moment later. */
export const closed = (page) => page.waitForFunction(() => !document.querySelector("dialog"));

/** Closes a dialogue by its key. */
export async function escape(page) {
  await page.keyboard.press("Escape");
  await closed(page);
}

/** Waits until the page has said something in passing with this kind (`info`, `warning`, `error`) and text, and forgets that and all before. */
export const told = (page, kind, text = "") => page.waitForFunction(([kind, text]) => {
  const at = window.said.findIndex((said) => said.startsWith(`toast ${kind}: `) && said.includes(text));
  if (at >= 0) window.said.splice(0, at + 1);
  return at >= 0;
}, [kind, text]);

/** Takes all notes off the page. */
export const dismiss = (page) => page.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));

/** The moves of the list, in their order, variations included. */
export const moves = (page) => page.$$eval(".moves .mv:not(.start)", (buttons) => buttons.map((button) => button.firstChild.textContent));

export const current = (page) => page.$eval(".moves [aria-current]", (button) => button.firstChild.textContent);

export const live = (page) => page.$eval("#live", (element) => element.textContent);

/** What the page keeps for when it is loaded again. It keeps changes a moment later, or when it may be gone soon, as here. */
export const kept = (page) => page.evaluate(() => {
  dispatchEvent(new Event("pagehide"));
  return JSON.parse(sessionStorage.getItem("chuhe-session"));
});

/** What the page has kept by itself; null while its game is not in the database. */
export const stored = (page) => page.evaluate(() => (JSON.parse(sessionStorage.getItem("chuhe-game"))?.isDirty === false ? JSON.parse(sessionStorage.getItem("chuhe-session")) : null));

/** Asks for a hint, and waits for it: it is a search, so the one before has ended when it comes, and all its lines have come. */
export async function hint(page) {
  await page.waitForSelector(".cell.movable");
  await page.click("#do-hint");
  await page.waitForSelector(".arrow.hint", { state: "attached" });
}

/** Violations of accessibility, none expected. */
export async function axe(page, where) {
  await rest(page);
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert(found.passes.length > 5, `${where}: axe has looked at nothing`);
  const told = found.violations.map((one) => `${one.id} (${one.impact}): ${one.nodes.map((node) => `${node.html.slice(0, 140)} ${node.failureSummary}`).join("\n")}`);
  assert(!told.length, `${where}: ${told.join("\n")}`);
  return found.passes.length;
}

/** Opens a file by the dialogue. */
export async function openFile(page, file) {
  await page.click("#menu-open");
  await page.setInputFiles("#file", file);
}

/** Opens a file with one game; it is on the board then. */
export async function openGame(page, file) {
  await openFile(page, file);
  await closed(page);
}

/** Opens a text by the dialogue. */
export async function openText(page, text) {
  await page.click("#menu-open");
  await page.fill("#pasted", text);
  await page.click("#open-pasted");
  await closed(page);
}

/** Saves in a format and returns the path of what came. */
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
