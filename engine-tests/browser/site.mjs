// Tests of the page without a server. Each loads the page from a static host and then runs without it.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Host } from "./host.mjs";
import { assert, assertEqual, axe, bytesOf, contextOf, eventually, folder, hasLimits, hint, kept, launch, moves, open, openGame, play, quiet, run, save } from "./page.mjs";

const GAME = `[Event "Test"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]

{before the first move} 1. C2=5 {中炮} (1. P7+1 {a pawn} P7+1 2. C2=3 (2. H8+7)) H8+7 2. H2+3 R9=8 3. R1=2 P7+1 4. R2+6 H2+3 1-0
`;
/** Formats that are written and read. */
const FORMATS = ["pgn", "xqf", "ubb", "wxf"];

const sum = (sent) => sent.reduce((total, { bytes }) => total + bytes, 0);

/** Processor time of all browser processes started by this process, in seconds (Linux). */
function processorTime() {
  let total = 0;
  const parents = new Map();
  const times = new Map();
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parts = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
      parents.set(Number(pid), Number(parts[1]));
      times.set(Number(pid), (Number(parts[11]) + Number(parts[12])) / 100);
    } catch {
      // The process has ended in the meantime.
    }
  }
  for (const [pid, time] of times) {
    let at = pid;
    while (at > 1 && at !== process.pid) at = parents.get(at) ?? 0;
    if (at === process.pid && pid !== process.pid) total += time;
  }
  return total;
}

/** Memory of the largest process of a page with its workers, in MB: resident and private (Linux). */
function pageMemory() {
  let most = 0;
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) continue;
      const status = fs.readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      const own = [...status.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].reduce((total, match) => total + Number(match[1]), 0);
      most = Math.max(most, own / 1024);
    } catch {
      // The process has ended in the meantime.
    }
  }
  return most;
}

export function siteTests(host, program, tell) {
  return {
    async "a first visit is small"(browser) {
      for (const packs of [true, false]) {
        const other = new Host(host.folder, packs);
        const address = await other.start();
        const page = await (await contextOf(browser)).newPage();
        await page.goto(address);
        await page.waitForSelector(".head b");
        await other.leave(page);
        // Wait for the part that is loaded last.
        await page.waitForSelector(".book-move");
        const at = (name) => other.sent.findIndex((one) => one.name === name);
        const [network, endgames] = [at("engine/data/network.nnue.gz"), at("engine/data/endgames.egts.gz")];
        assert(network > 0 && endgames > network, "board, engine and endgames come one after another");
        const [board, engine] = [other.sent.slice(0, network), other.sent.slice(0, endgames)].map(sum);
        tell(`first visit, ${packs ? "texts in gzip" : "a host that packs nothing"}: bytes until the board can be used, with the engine, in all`, `${board}, ${engine}, ${sum(other.sent)}`);
        // Limits growth. The sizes of different compilers differ; a module with link-time optimisation is one percent larger than that of a quick build.
        if (packs) assert(board < 900_000 && engine < 1_600_000, `${board} and ${engine} bytes`);
        // Files loaded for the page are not loaded again for offline use.
        const twice = other.sent.filter(({ name, bytes }, index) => bytes && other.sent.findIndex((one) => one.name === name && one.bytes) !== index);
        assertEqual(twice, [], "files that were sent twice");
        await page.context().close();
        await other.stop();
      }
    },

    async "records of several formats in and out, without a network"(browser) {
      const work = fs.mkdtempSync(path.join(folder, "records-"));
      const file = (name) => path.join(work, name);
      fs.writeFileSync(file("game.pgn"), GAME);
      const page = await open(browser, host.address);
      for (const format of FORMATS) {
        run(program, "convert", file("game.pgn"), file(`game.${format}.${format}`));
        await openGame(page, file(`game.${format}.${format}`));
        await eventually(async () => (await moves(page)).length >= 8, true, `moves of ${format}`);
        // The native program reads the same game from both.
        const saved = await save(page, format);
        const [own, native] = [saved, file(`game.${format}.${format}`)].map((name) => run(program, "convert", "--to-format", "pgn", name, "-"));
        assertEqual(own, native, `saved as ${format}`);
      }
      // All characters, in encodings without a byte order mark.
      const codes = Array.from({ length: 0xffff - 0xa1 }, (_, index) => 0xa1 + index).filter((code) => code < 0xd800 || code > 0xf8ff);
      fs.writeFileSync(file("letters.pgn"), `[Result "*"]\n\n1. C2=5 {${codes.map((code) => String.fromCharCode(code)).join("")}} *\n`);
      await openGame(page, file("letters.pgn"));
      await eventually(async () => (await moves(page)).length, 1, "moves");
      for (const encoding of ["gbk", "big5"]) {
        fs.copyFileSync(await save(page, "pgn", encoding), file(`${encoding}.pgn`));
        const native = bytesOf(program, "convert", "--encoding", encoding, "--notation", "wxr", file("letters.pgn"), "-");
        assert(fs.readFileSync(file(`${encoding}.pgn`)).equals(native), `${encoding}: the bytes of the native program`);
      }
      await openGame(page, file("gbk.pgn"));
      const read = run(program, "convert", "--notation", "wxr", file("gbk.pgn"), "-").match(/\{([^}]*)\}/)[1];
      assertEqual((await kept(page)).tree.nodes[0].comment.replace(/\s/g, ""), read.replace(/\s/g, ""), "read again");
      return page;
    },

    async "a search ends at once and blocks nothing"(browser) {
      // From the time of the click to the next frame after an element has changed.
      const watch = (page, selector, event) => page.evaluate(([selector, event]) => {
        // A separate list: the observers of earlier calls stay active.
        const times = [];
        window.times = times;
        let begun = null;
        addEventListener(event, ({ timeStamp }) => (begun = timeStamp), true);
        new MutationObserver(() => {
          if (begun === null) return;
          const since = begun;
          begun = null;
          requestAnimationFrame(() => times.push(Math.round(performance.now() - since)));
        }).observe(document.querySelector(selector), { childList: true });
      }, [selector, event]);
      // What the user perceives: from every click and key press to the next frame, as measured by the browser, and from a move to the answer
      // about the resulting position. The pauses are those of a fast user.
      const respond = async (page, when) => {
        await page.evaluate(() => {
          window.inputs = [];
          new PerformanceObserver((list) => {
            for (const { interactionId, duration } of list.getEntries()) if (interactionId) window.inputs.push(duration);
          }).observe({ type: "event", durationThreshold: 16 });
        });
        await watch(page, ".status", "pointerdown");
        for (const move of ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"]) {
          await play(page, move);
          await page.waitForTimeout(600);
        }
        const answered = (await page.evaluate(() => window.times)).sort((a, b) => a - b);
        for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "Home", "End"]) {
          await page.keyboard.press(key);
          await page.waitForTimeout(300);
        }
        await page.fill("#comment", "");
        await page.type("#comment", "written meanwhile", { delay: 50 });
        const inputs = (await page.evaluate(() => window.inputs)).sort((a, b) => b - a);
        tell(`ms from a click or key to the next frame ${when}, median of ${inputs.length} from 16 ms on, and the longest`, `${inputs[inputs.length >> 1]}; ${inputs.slice(0, 5).join(", ")}`);
        tell(`ms from a move to its answer ${when}`, answered.join(", "));
      };
      const quietPage = await open(browser, host.address);
      await quietPage.waitForSelector(".book-move");
      await respond(quietPage, "without a search");
      await quietPage.context().close();
      const page = await open(browser, host.address);
      await watch(page, ".lines", "click");
      await page.click("#analyse");
      await page.waitForSelector(".lines .score");
      await page.waitForFunction(() => window.times.length);
      const first = await page.evaluate(() => window.times[0]);
      tell("ms from the click on the analysis to the first line", first);
      assert(!hasLimits || first < 500, `the first line after ${first} ms`);
      await respond(page, "while it searches");
      const longest = await page.evaluate(() => new Promise((resolve) => {
        let [longest, last] = [0, performance.now()];
        const timer = setInterval(() => {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }, 5);
        setTimeout(() => (clearInterval(timer), resolve(longest)), 3000);
      }));
      tell("ms of the longest pause of the page in three seconds of analysis", Math.round(longest));
      assert(!hasLimits || longest < 50, `a pause of ${longest} ms`);
      const memory = pageMemory();
      tell("MB of the page with its workers while it searches", Math.round(memory));
      assert(!hasLimits || memory < 300, `${memory} MB`);
      await page.click("#analyse");
      await hint(page);
      assertEqual(await page.$$eval(".lines li", (lines) => lines.length), 0, "lines after the end");
      await page.click("#analyse");
      await page.waitForSelector(".lines .score");
      await page.click("#analyse");
      return page;
    },

    async "a browser without vectors takes the other module"() {
      // V8 supports SIMD only if the processor has SSE4.1; on other architectures the flag has no effect.
      const other = await launch("--js-flags=--no-enable-sse4-1");
      try {
        const before = host.sent.length;
        const page = await open(other, host.address);
        const vectors = await page.evaluate(async () => (await import("./engine/parts.js")).hasVectors());
        assertEqual(vectors, process.arch !== "x64", "vectors");
        const modules = new Set(host.sent.slice(before).map(({ name }) => name).filter((name) => name.includes(".wasm")));
        assertEqual([...modules], [vectors ? "engine/wasm/chuhe-simd128.wasm.gz" : "engine/wasm/chuhe.wasm.gz"], "modules");
        await play(page, "h2e2");
        await page.click("#analyse");
        await page.waitForFunction(() => /depth ([6-9]|\d\d)/.test(document.querySelector(".facts").textContent));
        await page.reload();
        await page.waitForSelector(".lines .score");
        assert(!page.complaints.length, page.complaints.join("\n"));
      } finally {
        await other.close();
      }
    },

    async "an engine that cannot be loaded is named, and comes later"(browser) {
      const other = new Host(host.folder);
      const address = await other.start();
      const page = await (await contextOf(browser)).newPage();
      const note = (text) => page.waitForFunction((text) => [...document.querySelectorAll(".note")].some((note) => !note.hidden && note.textContent.includes(text)), text);
      other.missing = ".wasm";
      await page.goto(address);
      await note("The rules of the game cannot be loaded");
      await note("404");
      other.missing = "network.nnue";
      await note("The engine cannot be loaded");
      await page.waitForSelector(".head b");
      await axe(page, "an engine that cannot be loaded");
      // The board can be used, and the search waits for the engine.
      await play(page, "h2e2");
      await page.click("#analyse");
      const { refused } = other;
      await eventually(() => other.refused > refused, true, "the engine is fetched again");
      assertEqual(await page.$$eval(".lines .score", (scores) => scores.length), 0, "lines without an engine");
      other.missing = null;
      await page.waitForSelector(".lines .score");
      await eventually(() => page.$$eval(".note:not([hidden])", (notes) => notes.map((note) => note.textContent)), [], "notes");
      await page.context().close();
      await other.stop();
    },

    async "an unused page costs nothing"(browser) {
      const page = await open(browser, host.address);
      await page.click("#analyse");
      await page.waitForSelector(".lines .score");
      await page.click("#analyse");
      await quiet(processorTime);
      const seconds = Number(process.env.IDLE || 5);
      const before = processorTime();
      await page.waitForTimeout(seconds * 1000);
      tell("processor time of the browser with an idle page", `${(processorTime() - before).toFixed(2)} s in ${seconds} s`);
      return page;
    },

    async "a game outlives reloads without a network, and a new version"(browser) {
      const copy = fs.mkdtempSync(path.join(os.tmpdir(), "chuhe-site-"));
      fs.cpSync(host.folder, copy, { recursive: true });
      const other = new Host(copy);
      const address = await other.start();
      const page = await open(browser, address);
      await other.leave(page);
      await play(page, "h2e2");
      await page.fill("#comment", "kept");
      const before = (await kept(page)).tree;
      // Further visits without a network, also by the URL of a link.
      for (const there of [address, `${address}index.html?x=1#y`]) {
        await page.goto(there);
        await page.waitForSelector(".moves .mv:not(.start)");
        await page.click("#analyse");
        await page.waitForSelector(".lines .score");
        await page.click("#analyse");
        await eventually(async () => (await kept(page)).tree, before, `after ${there}`);
      }
      const version = () => page.$eval("meta[name=chuhe-version]", (meta) => meta.content);
      const first = await version();
      // While the host has only part of the new version, the old one stays.
      const next = site(program);
      for (const name of ["sw.js", "sw.js.gz"]) fs.copyFileSync(path.join(next, name), path.join(copy, name));
      other.isUp = true;
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        await registration.update().catch(() => {});
        const worker = registration.installing;
        if (worker) await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
      });
      assert(!(await page.$("#reload")), "an incomplete version is not offered");
      // The complete version.
      fs.cpSync(next, copy, { recursive: true });
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
      await page.waitForSelector("#reload");
      await axe(page, "a new version");
      assertEqual(await version(), first, "the page stays as it was until it is loaded again");
      other.isUp = false;
      await Promise.all([page.waitForEvent("load"), page.click("#reload")]);
      await page.waitForSelector(".moves .mv:not(.start)");
      assert((await version()) !== first, "the new version");
      await eventually(async () => (await kept(page)).tree, before, "the game in the new version");
      await page.click("#analyse");
      await page.waitForSelector(".lines .score");
      await other.stop();
      for (const used of [copy, next]) fs.rmSync(used, { recursive: true });
      return page;
    },
  };

  /** Writes a site of another version. */
  function site(program) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "chuhe-site-"));
    const source = path.join(import.meta.dirname, "../../web");
    const other = fs.mkdtempSync(path.join(os.tmpdir(), "chuhe-package-"));
    for (const name of ["package.json", "LICENSE-APACHE", "LICENSE-MIT", "LICENSE-OFL"]) fs.copyFileSync(path.join(source, name), path.join(other, name));
    fs.cpSync(path.join(source, "dist"), path.join(other, "dist"), { recursive: true });
    for (const name of ["endgames", "plain"]) fs.cpSync(path.join(source, name), path.join(other, "node_modules", `chuhe-${name}`), { recursive: true });
    fs.appendFileSync(path.join(other, "dist/error.js"), "\nexport const isAnother = true;\n");
    run(program, "site", "--package", other, "-o", folder);
    fs.rmSync(other, { recursive: true });
    return folder;
  }
}
