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

  /** Processor time so far, in seconds; Linux. */
  processorTime() {
    const parts = fs.readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(parts[11]) + Number(parts[12])) / 100;
  }
}

/** Runs the program for something beside the server. */
export const run = (program, ...parameters) => execFileSync(program, parameters, { encoding: "utf8" });

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

/** A page with what a test wants to know of it: complaints of the browser are failures. */
export async function open(browser, address, options = {}) {
  if (host) host.isUp = true;
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", acceptDownloads: true, ...options });
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
  // What may move is known when the position has been answered, which takes a while on a busy machine.
  await page.click(`[data-point=${move.slice(0, 2)}].movable`);
  await page.click(`[data-point=${move.slice(2)}]`);
  await page.waitForFunction((goal) => !document.querySelector(`[data-point=${goal}]`).getAttribute("aria-label").match(/^(empty|空)/), move.slice(2));
}

/** The moves of the list, in their order, variations included. */
export const moves = (page) => page.$$eval(".moves .mv:not(.start)", (buttons) => buttons.map((button) => button.firstChild.textContent));

export const current = (page) => page.$eval(".moves [aria-current]", (button) => button.firstChild.textContent);

export const live = (page) => page.$eval("#live", (element) => element.textContent);

/** What the page keeps. */
export async function kept(page) {
  await page.waitForTimeout(250);
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("chuhe-session")));
}

/** Puts a point's piece at the bottom: settled when pieces have stopped. */
export const settle = (page, time = 350) => page.waitForTimeout(time);

/** Violations of accessibility, none expected. */
export async function axe(page, where) {
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

/** Saves in a format and returns the path of what came. */
export async function save(page, format) {
  await page.click("#menu-save");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-format=${format}]`)]);
  const target = inFolder(`${Date.now()}-${download.suggestedFilename()}`);
  await download.saveAs(target);
  return target;
}
