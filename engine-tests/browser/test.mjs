// Tests of the page in a real browser: the actions of a user, and failures around them. The page comes from `chuhe serve`, or with
// `--site FOLDER` from a static host that is shut down as soon as the page is loaded; FOLDER is an output of `chuhe site`. `--served` runs only
// the tests that involve the server.
//
// No test assumes a duration: each waits for what it expects, or for an event that follows what must not happen. Durations are reported, and
// compared with limits only if LIMITS is set, since they depend on the other load of the machine.

import fs from "node:fs";
import { parseArgs } from "node:util";
import { Host } from "./host.mjs";
import { keeping } from "./keeping.mjs";
import { Server, assert, assertEqual, axe, closed, contextOf, current, dismiss, escape, eventually, folder, hasLimits, hint, inFolder, kept, launch, live, moves, open, openFile, openGame, openText, play, quiet, run, save, toasted, useHost } from "./page.mjs";
import { pictures } from "./pictures.mjs";
import { playing } from "./playing.mjs";
import { siteTests } from "./site.mjs";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { site: { type: "string" }, served: { type: "boolean" } } });
const [program, ...wanted] = positionals;
const server = values.site ? new Host(values.site) : new Server(program);
const figures = [];
const tell = (name, value) => figures.push(`${name}: ${value}`);
/** Milliseconds after which a test counts as hanging. */
const LIMIT = 600_000;
/** Maximum number of tests of one run that may need a second try. */
const SECOND_TRIES = 2;
/** Tests that need the server. */
const SERVED = ["a killed server and a page that is loaded again", "an unused page and one that is gone cost nothing", "fast and small", "lines reach the screen at once", "played games of a library and of files, and the own book"];

/** Tests of the server's answers: every kind of question and search, and two concurrent connections. */
const ANSWERED = ["ten moves of both sides, take back, analysis", "a record with variations: edited, saved, opened again, equal", "a whole game analysed", "two pages do not disturb each other", "resigning asks, draws are offered"];

const GAME = `[Event "Test"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]

{before the first move} 1. C2=5 {the central cannon} (1. P7+1 {a pawn} P7+1 2. C2=3 (2. H8+7)) H8+7 2. H2+3 R9=8 3. R1=2 P7+1 (3... C8+4 {presses} 4. P3+1) 4. R2+6 H2+3 1-0
`;
const LOOP = "5k3/7R1/9/9/9/9/9/9/9/4K4 w";

async function setUp(page, fen) {
  await page.click("#menu-setup");
  await page.fill("#fen", fen);
  await page.press("#fen", "Tab");
  await page.waitForSelector("#use-setup:not(:disabled)");
  await page.click("#use-setup");
  await page.waitForSelector(".head b");
}

const isOver = (page) => page.$eval(".status .head", (head) => /1-0|0-1/.test(head.textContent));
const lines = (page) => page.$$eval(".lines li", (lines) => lines.length);

const tests = {
  async "ten moves of both sides, take back, analysis"(browser) {
    const page = await open(browser, server.address);
    const line = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 g3g4 c6c5".split(" ");
    for (const move of line) await play(page, move);
    assertEqual((await moves(page)).length, 10, "moves");
    assertEqual((await kept(page)).tree.nodes.map((node) => node.move), line, "the tree");
    // Dragging to a point that is not a legal destination plays no move.
    const at = async (point) => page.$eval(`[data-point=${point}]`, (cell) => {
      const box = cell.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    });
    const drag = async (from, to) => {
      await page.mouse.move(...(await at(from)));
      await page.mouse.down();
      await page.mouse.move(...(await at(to)), { steps: 5 });
      await page.mouse.up();
    };
    await page.waitForSelector("[data-point=b0].movable");
    await drag("b0", "b5");
    assertEqual((await moves(page)).length, 10, "a drag that is no move");
    await drag("b0", "c2");
    await eventually(async () => (await moves(page)).slice(10), ["H8+7"], "a dragged move");
    await page.click("#do-takeBack");
    await eventually(async () => (await moves(page)).length, 10, "taken back");
    await page.click("#analyse");
    await page.waitForSelector(".lines .score");
    await page.waitForFunction(() => /depth ([5-9]|\d\d)/.test(document.querySelector(".facts").textContent));
    assertEqual(await lines(page), 2, "lines");
    assert(/Red wins \d+%/.test(await page.getAttribute("#bar", "aria-label")), "the bar states the chances");
    assert((await page.$$(".arrow.best")).length === 1, "an arrow for the best line");
    await page.selectOption("#lines", "3");
    await page.waitForFunction(() => document.querySelectorAll(".lines .score").length === 3);
    await page.click("#analyse");
    await hint(page);
    assertEqual(await lines(page), 0, "lines after the end");
    // The analysis follows the position on the board, and a line is played only in the position that it belongs to.
    await page.click("#analyse");
    await page.waitForSelector(".lines .score");
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "Home"]) await page.keyboard.press(key);
    await page.click(".lines .line");
    await eventually(async () => {
      await page.click(".lines .line");
      return (await kept(page)).path.length > 0;
    }, true, "a line of the start is played");
    await page.waitForSelector(".cell.movable");
    const { tree } = await kept(page);
    const first = tree.nodes.filter(({ parent }) => parent === 0).map(({ move }) => move);
    assert(first.every((move) => "abcdefghi".includes(move[0]) && Number(move[1]) < 5), `moves of Red: ${first}`);
    return page;
  },

  async "a game against the engine, with hint, clock and resignation"(browser) {
    const page = await open(browser, server.address);
    await page.click("#menu-new");
    await page.selectOption("#level", "1");
    await page.selectOption("#clock", "5+3");
    await axe(page, "the dialogue of a new game");
    await page.click("#begin");
    await closed(page);
    for (let round = 0; round < 5; round++) {
      const before = (await moves(page)).length;
      await page.waitForFunction(() => document.querySelector("#near").classList.contains("turn"));
      // The engine's own move, which is legal in any position.
      await hint(page);
      const text = await page.evaluate(() => window.toasts.findLast((toast) => toast.startsWith("toast info: Hint: ")).split(": ")[2]);
      await page.fill("#typed", text);
      await page.press("#typed", "Enter");
      await eventually(async () => (await moves(page)).length >= before + 2 || (await isOver(page)), true, `an answer to ${text}`);
      if (await isOver(page)) return page;
    }
    assert(/\d:\d\d/.test(await page.textContent("#near .time")), "a clock runs");
    const count = (await moves(page)).length;
    await page.click("#do-takeBack");
    await eventually(async () => (await moves(page)).length, count - 2, "both moves are taken back");
    await page.click("#do-resign");
    await page.click("#resign-dialog-yes");
    await eventually(async () => /resigns/.test(await live(page)), true, "the resignation is announced");
    assert(await isOver(page), "the game is over");
    // The analysis of the former position does not end the search of the engine's first move.
    await page.click("#analyse");
    await page.waitForSelector(".lines .score");
    await page.click("#menu-new");
    await page.selectOption("#side", "black");
    await page.click("#begin");
    await closed(page);
    await eventually(async () => (await moves(page)).length, 1, "the engine's first move");
    return page;
  },

  async "a record with variations: edited, saved, opened again, equal"(browser) {
    fs.writeFileSync(inFolder("game.pgn"), GAME);
    run(program, "convert", inFolder("game.pgn"), inFolder("game.xqf"));
    const page = await open(browser, server.address);
    await openGame(page, inFolder("game.xqf"));
    await eventually(async () => (await moves(page)).length, 14, "moves");
    const before = (await kept(page)).tree;
    // Saving without a change loses nothing.
    const same = await save(page, "xqf");
    await openGame(page, same);
    assertEqual((await kept(page)).tree, before, "the tree saved and opened again");
    assert(fs.readFileSync(same).equals(fs.readFileSync(inFolder("game.xqf"))), "the very same bytes");
    // Edited: a comment, a mark, a variation.
    await page.click(".moves .mv:has-text('R9=8')");
    await page.fill("#comment", "横车\nsecond line");
    await page.click(".marks button:has-text('!?')");
    await page.click("#do-back");
    await play(page, "b9c7");
    const edited = (await kept(page)).tree;
    assertEqual(edited.nodes.length, before.nodes.length + 1, "a variation more");
    for (const format of ["pgn", "ubb", "xqf"]) {
      const file = await save(page, format);
      await openGame(page, file);
      const again = (await kept(page)).tree;
      const plain = (tree) => ({ start: tree.start, result: tree.result, comment: tree.comment, nodes: tree.nodes.map(({ glyphs, ...node }) => (format === "pgn" ? { ...node, glyphs } : node)) });
      assertEqual(plain(again), plain(edited), `saved as ${format} and opened again`);
    }
    // Undo and redo by hand.
    await page.click(".moves .mv:has-text('R9=8')");
    const isThere = async () => (await moves(page)).includes("R9=8");
    await page.click("#remove");
    await eventually(isThere, false, "deleted");
    await page.click("#undo");
    await eventually(isThere, true, "undone");
    for (const format of ["svg", "png"]) assert(fs.statSync(await save(page, format)).size > 5000, `${format} has something in it`);
    await axe(page, "an open record");
    // The list scrolls on the screen, but not on paper.
    await page.setViewportSize({ width: 1280, height: 400 });
    const scrolls = () => page.$eval(".moves", (list) => list.scrollHeight > list.clientHeight);
    await eventually(scrolls, true, "scrolling on the screen");
    await page.emulateMedia({ media: "print" });
    await eventually(scrolls, false, "scrolling on paper");
    return page;
  },

  async "a repetition ends with its ruling"(browser) {
    const page = await open(browser, server.address);
    await setUp(page, LOOP);
    const loop = ["h8h9", "f9f8", "h9h8", "f8f9"];
    for (const move of loop) await play(page, move);
    await page.waitForSelector(".warning");
    assert(/Red loses/.test(await page.textContent(".warning")), "the second time warns");
    for (const move of loop) await play(page, move);
    await page.waitForSelector(".ruling[open]");
    const head = await page.textContent(".status .head");
    assert(/Red loses · repetition/.test(head), `the third time ends the game: ${head}`);
    const reasons = await page.textContent(".ruling");
    for (const part of ["third time", "R2+1 red rook: check", "perpetual check", "rule:"]) assert(reasons.includes(part), `${part} in ${reasons}`);
    assertEqual((await page.$$(".mv.accused")).length, 8, "the moves in question");
    assertEqual((await page.$$(".arrow.loop")).length, 4, "arrows for them");
    await eventually(async () => /Red loses/.test(await live(page)), true, "announced to screen readers");
    await axe(page, "a ruling");
    await page.click("#analyse");
    await eventually(() => page.$$eval(".lines li", (lines) => lines.map((line) => line.textContent)), ["The game is over."], "nothing to analyse");
    return page;
  },

  async "an endgame shows the exact result of every move"(browser) {
    const page = await open(browser, server.address);
    assert(await page.$eval(".panel .endgame", (list) => list.closest(".panel").hidden), "no panel at the start");
    await setUp(page, "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w");
    await page.waitForSelector(".endgame-move");
    assertEqual(await page.$$eval(".endgame-move .exact", (exact) => exact.slice(0, 2).map((one) => one.textContent)), ["wins in 17 plies", "draws"], "results");
    await axe(page, "an endgame");
    await page.click(".endgame-move");
    await page.waitForFunction(() => /loses in 16 plies/.test(document.querySelector(".endgame").closest(".panel").querySelector("summary").textContent));
    await eventually(async () => (await moves(page)).length, 1, "the move is played");
    return page;
  },

  async "keyboard alone"(browser) {
    const page = await open(browser, server.address);
    await page.waitForSelector(".cell.movable");
    await page.keyboard.press("Tab");
    for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement.classList.contains("cell"))); i++) await page.keyboard.press("Tab");
    assertEqual(await page.evaluate(() => document.activeElement.dataset.point), "e0", "the board has the focus");
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp");
    const name = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await eventually(name, "red cannon, h2", "a point states its piece and name");
    await press("Enter", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await eventually(async () => /can go here/.test(await name()), true, "a legal destination is announced as such");
    await press("Enter");
    await eventually(() => moves(page), ["C2=5"], "the move");
    await eventually(() => live(page), "Red: C2=5", "announced in the chosen notation");
    // Typed, in any notation.
    await page.focus("#typed");
    await page.keyboard.type("马8进7");
    await press("Enter");
    await eventually(async () => [(await moves(page)).length, await page.inputValue("#typed")], [2, ""], "a typed move");
    await page.keyboard.type("nonsense");
    await press("Enter");
    await toasted(page, "error");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    // The move list, back to the start and forward again.
    await page.focus("#do-back");
    await press("Enter");
    await eventually(() => current(page), "C2=5", "one move back");
    await eventually(() => live(page), "Red: C2=5", "a step is announced too");
    await press("End");
    await eventually(() => current(page), "H8+7", "the end");
    // Of the moves, of which there can be hundreds, the Tab key reaches only the current one.
    await page.focus(".moves");
    for (const [stop, what] of [["H8+7", "the current move"], ["typed", "the field behind the list"]]) {
      await press("Tab");
      assertEqual(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent), stop, what);
    }
    // A dialogue opens, takes the focus, and gives it back.
    await page.focus("#menu-settings");
    await press("Enter");
    await eventually(() => page.evaluate(() => document.querySelector("dialog").contains(document.activeElement)), true, "the focus is in the dialogue");
    await escape(page);
    await eventually(() => page.evaluate(() => document.activeElement.id), "menu-settings", "the focus comes back");
    return page;
  },

  async "a phone"(browser) {
    const page = await open(browser, server.address, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
    const tap = async (point) => page.tap(`[data-point=${point}]`);
    await page.waitForSelector(".cell.movable");
    await tap("h2");
    await tap("e2");
    await eventually(async () => (await moves(page)).length, 1, "a move by touch");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= 360, `nothing is wider than the screen: ${width}`);
    const board = await page.$eval("#board", (element) => element.getBoundingClientRect().width);
    assert(board > 335, `the board is as wide as the screen: ${board}`);
    for (const button of await page.$$("#controls button:not([hidden]), #menu button")) {
      const box = await button.boundingBox();
      // Hidden buttons, which are shown only during a game.
      if (!box) continue;
      assert(box.width >= 34 && box.height >= 40, `${await button.getAttribute("id")} is large enough for a finger: ${box.width} × ${box.height}`);
    }
    // Safari zooms the page to a field with smaller letters.
    for (const field of ["#typed", "#comment", "#lines"]) assertEqual(await page.$eval(field, (element) => getComputedStyle(element).fontSize), "16px", `letters of ${field}`);
    await page.tap("#analyse");
    await page.waitForSelector(".lines .score");
    await axe(page, "a phone");
    await page.tap("#menu-open");
    await page.waitForSelector("dialog");
    assert(await page.evaluate(() => document.querySelector("dialog").getBoundingClientRect().width <= 360), "a dialogue fits");
    return page;
  },

  async "three languages, both colours, axe everywhere"(browser) {
    let passes = 0;
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(browser, server.address, { colorScheme });
      for (const [language, word] of [["zh-Hans", "打开"], ["zh-Hant", "開啟"], ["en", "Open"]]) {
        await page.click("#menu-settings");
        await page.selectOption("#set-language", language);
        await page.waitForFunction((word) => document.querySelector("#menu-open").textContent.includes(word), word);
        await page.waitForFunction(() => document.querySelectorAll("dialog").length === 1);
        passes += await axe(page, `settings, ${language}, ${colorScheme}`);
        await escape(page);
        for (const menu of ["new", "open", "save", "games"]) {
          await page.click(`#menu-${menu}`);
          await page.waitForSelector("dialog");
          passes += await axe(page, `${menu}, ${language}, ${colorScheme}`);
          await escape(page);
        }
        await page.click("#menu-setup");
        await page.click("#clear");
        await eventually(async () => (await page.$$(".faults li")).length, 2, "both kings are missing");
        passes += await axe(page, `set up, ${language}, ${colorScheme}`);
        await page.click("#leave-setup");
        await page.waitForSelector(".cell.movable");
        passes += await axe(page, `the board, ${language}, ${colorScheme}`);
      }
      if (page.complaints.length) return page;
      await page.context().close();
    }
    tell("axe-core", `${passes} checks passed in 42 states, no violation`);
  },

  async "notations and pieces can be chosen"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await page.click("#menu-settings");
    await page.selectOption("#set-notation", "chinese");
    await page.selectOption("#set-pieces", "letters");
    await page.selectOption("#set-edges", "points");
    await escape(page);
    await eventually(() => moves(page), ["炮二平五"], "a move in characters");
    await play(page, "h9g7");
    await eventually(() => moves(page), ["炮二平五", "馬８進７"], "moves in characters");
    await page.reload();
    await page.waitForSelector(".head b");
    await eventually(() => moves(page), ["炮二平五", "馬８進７"], "after the page was loaded again");
    return page;
  },

  async "a whole game analysed"(browser) {
    const page = await open(browser, server.address);
    await openText(page, "h2e2 h9g7 h0g2 a9a8 i0h0 a8a9 h0h7 b9c7 h7g7 a9a8 g7g9 a8a9");
    await eventually(async () => (await moves(page)).length, 12, "moves");
    await page.selectOption("#review-time", "200");
    await page.click("#review");
    await page.waitForSelector(".panel > progress:not([hidden])");
    await page.waitForSelector("#next-mistake");
    const summary = await page.textContent(".summary");
    assert(/Red accuracy [\d.]+%/.test(summary), summary);
    await page.click("#next-mistake");
    await page.waitForSelector(".judgement");
    assert(/Better: /.test(await page.textContent(".judgement")), "the better line");
    await axe(page, "an analysed game");
    // In the notation of the page, also after a change.
    const better = () => page.textContent(".judgement");
    const [before, number] = [await better(), (await better()).split(" ").length];
    await page.click("#menu-settings");
    await page.selectOption("#set-notation", "iccs");
    await eventually(async () => [/Better: [A-I]\d-[A-I]\d/.test(await better()), (await better()).split(" ").length], [true, number], "the better line in coordinates");
    await page.selectOption("#set-notation", "wxr");
    await eventually(better, before, "the better line in the former notation");
    await escape(page);
    // Scores and marks are saved with the record, as judged by the rules of the analysis.
    assertEqual((await kept(page)).review.rules, "world", "the rules of the analysis");
    const record = fs.readFileSync(await save(page, "pgn"), "utf8");
    assertEqual([record.match(/\[%eval /g)?.length, /\$4|\?\?/.test(record)], [12, true], record);
    const report = await save(page, "report");
    const html = fs.readFileSync(report, "utf8");
    assert(html.includes("game report") && html.length > 20000, "the report page");
    // A click on the graph goes to a move.
    const box = await (await page.$(".graph svg")).boundingBox();
    await page.click(".graph svg", { position: { x: box.width * 0.99, y: 20 } });
    await eventually(async () => (await kept(page)).path.length, 12, "the graph leads to the last move");
    return page;
  },

  async "bad input loses nothing"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await page.fill("#comment", "precious");
    const before = (await kept(page)).tree;
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 2654435761) >>> 13 & 255));
    fs.writeFileSync(inFolder("noise.xqf"), noise);
    fs.writeFileSync(inFolder("noise.pgn"), noise);
    fs.writeFileSync(inFolder("cut.xqf"), Buffer.concat([Buffer.from("XQ\x0a"), Buffer.alloc(500)]));
    fs.writeFileSync(inFolder("empty.pgn"), "");
    fs.writeFileSync(inFolder("huge.pgn"), Buffer.alloc(60 << 20, 65));
    fs.writeFileSync(inFolder("deep.txt"), "(".repeat(100000));
    for (const name of ["noise.xqf", "noise.pgn", "cut.xqf", "empty.pgn", "huge.pgn", "deep.txt"]) {
      await page.click("#menu-open");
      await page.setInputFiles("#file", inFolder(name));
      await toasted(page, "error").catch(() => assert(false, `${name} is rejected with a message`));
      await escape(page);
      await dismiss(page);
      assertEqual((await kept(page)).tree, before, `the game after ${name}`);
    }
    await page.click("#menu-settings");
    await page.selectOption("#set-language", "zh-Hans");
    await escape(page);
    await openFile(page, inFolder("cut.xqf"));
    await toasted(page, "error", "无法打开 cut.xqf：文件不完整。");
    await escape(page);
    await page.fill("#typed", "炮二进九");
    await page.press("#typed", "Enter");
    await toasted(page, "error", "黑方）：'炮二进九'：该棋子不能这样走。");
    await page.fill("#typed", "");
    await page.click("#menu-setup");
    await page.fill("#fen", "9/9 w");
    await eventually(() => page.textContent(".faults li"), "FEN 有2行，应为10行。", "a FEN with a fault");
    await page.click("#leave-setup");
    await page.click("#menu-settings");
    await page.selectOption("#set-language", "en");
    await escape(page);
    // A hostile record: markup in every field stays text.
    fs.writeFileSync(inFolder("markup.pgn"), `[Red "<img src=x onerror=alert(1)>"]\n[Black "<script>alert(2)</script>"]\n\n1. C2=5 {<b>bold</b><iframe src=//evil.example>} *\n`);
    await openGame(page, inFolder("markup.pgn"));
    await page.waitForFunction(() => document.querySelector(".remark")?.textContent.includes("<b>bold</b>"));
    assertEqual(await page.$$eval("main img, main iframe, main b b, main script", (found) => found.length), 0, "elements out of a record");
    // The previous game can be opened again.
    await page.click("#menu-games");
    await page.click(".my-games li:nth-child(2) .about");
    await page.waitForFunction(() => document.querySelector("#comment")?.value === "precious");
    assertEqual((await kept(page)).tree, before, "the former game comes back");
    return page;
  },

  async "records are dropped and pasted"(browser) {
    const page = await open(browser, server.address);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["[Red \"A\"]\n\n1. C2=5 H8+7 *\n\n[Red \"B\"]\n\n1. H2+3 *\n"], "two.pgn"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    // A file with several games shows its list.
    await page.waitForSelector("#games");
    await axe(page, "the games of a file");
    await page.click("#games li:nth-child(2) button");
    await page.waitForFunction(() => document.querySelector(".moves").textContent.includes("H2+3"));
    // A game is saved with the others as they were saved last.
    const saved = async (comment) => {
      await page.fill("#comment", comment);
      await page.click("#menu-save");
      await page.check("#among");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-format=pgn]")]);
      await closed(page);
      return fs.readFileSync(await download.path(), "utf8");
    };
    await saved("of the second");
    await page.click(".games-button");
    await page.click("#games li:nth-child(1) button");
    await page.waitForFunction(() => document.querySelector(".moves").textContent.includes("H8+7"));
    await closed(page);
    const text = await saved("of the first");
    assert(text.includes("of the first") && text.includes("of the second"), text);
    const paste = (text) => page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
    for (const [text, shown] of [["1. 炮二平五 马8进7 2. 马二进三", "C2=5 H8+7 H2+3"], ["h0g2 h9g7", "H2+3 H8+7"], ["[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]", "C2=5"], ["3k5/9/9/9/9/9/9/9/R8/4K4 w", ""]]) {
      await paste(text);
      await eventually(async () => (await moves(page)).join(" "), shown, `pasted: ${text}`);
    }
    await eventually(() => page.$$eval(".man", (men) => men.length), 3, "pieces of the FEN");
    return page;
  },

  async "a killed server and a page that is loaded again"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await page.click("#analyse");
    await page.waitForSelector(".lines .score");
    await server.kill();
    await page.waitForSelector("#offline:not([hidden])");
    await axe(page, "without a connection");
    // Comments and steps work without a server.
    await page.fill("#comment", "written alone");
    await page.click("#do-back");
    await page.click("#do-next");
    await server.start(...server.files);
    await page.waitForSelector("#offline", { state: "hidden" });
    await page.waitForFunction(() => document.querySelectorAll(".lines .score").length > 0);
    await play(page, "h9g7");
    const before = await kept(page);
    assertEqual([before.tree.nodes[0].comment, before.tree.nodes.length], ["written alone", 2], "nothing is lost");
    await page.reload();
    await page.waitForSelector(".lines .score");
    await eventually(async () => (await kept(page)).tree, before.tree, "after the page was loaded again");
    return page;
  },

  async "two pages do not disturb each other"(browser) {
    const first = await open(browser, server.address);
    const second = await first.context().newPage();
    await second.goto(server.address);
    await second.waitForSelector(".head b");
    await play(first, "h2e2");
    await first.bringToFront();
    await play(second, "b2e2");
    for (const page of [first, second]) await page.click("#analyse");
    for (const page of [first, second]) await page.waitForSelector(".lines .score");
    await second.reload();
    await second.waitForSelector(".lines .score");
    await eventually(async () => [await moves(first), await moves(second)], [["C2=5"], ["C8=5"]], "each has its own game");
    return first;
  },

  async "an unused page and one that is gone cost nothing"(browser) {
    const page = await open(browser, server.address);
    await page.click("#analyse");
    await page.waitForSelector(".lines .score");
    const busy = server.processorTime();
    await eventually(() => server.processorTime() - busy > 0.1, true, "a search uses the processor");
    // The page disappears without closing its connection.
    await page.context().close();
    await quiet(() => server.processorTime());
    const gone = server.processorTime();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    assert(server.processorTime() - gone <= 0.02, `a search goes on without its page: ${server.processorTime() - gone} s in 3 s`);
    const idle = await open(browser, server.address);
    await idle.waitForSelector(".book-move");
    await quiet(() => server.processorTime());
    const seconds = Number(process.env.IDLE || 5);
    const before = server.processorTime();
    await idle.waitForTimeout(seconds * 1000);
    const used = server.processorTime() - before;
    tell("processor time of the server with an idle page", `${used.toFixed(2)} s in ${seconds} s`);
    assert(used <= 0.02, `${used} s in ${seconds} s`);
    return idle;
  },

  async "puzzles: hints, wrong moves, all mates accepted, repetition"(browser) {
    const page = await open(browser, server.address);
    const problems = { fen: "3akab2/9/4b2r1/1N7/9/1RB6/P3P4/4B4/4A1p2/c3K4 w - - 0 1", goal: "mate", moves: 2, solution: ["b6d7", "e9e8", "b4b8"], rating: 700, tags: ["mate-in-2", "rook-mate"], source: { file: "x", game: 1, ply: 0 } };
    const two = { fen: "3k5/R8/9/9/9/9/9/9/8R/4K4 w - - 0 1", goal: "mate", moves: 1, solution: ["i1i9"], variations: [["i1d1"]], rating: 650, tags: ["mate-in-1"], source: { file: "x", game: 2, ply: 0 } };
    const file = inFolder("own.jsonl");
    fs.writeFileSync(file, `${JSON.stringify(problems)}\n${JSON.stringify(two)}\nno puzzle\n`);
    const task = () => page.textContent(".trainer .head");
    const waitFor = (text) => page.waitForFunction((text) => document.querySelector(".trainer .head").textContent.includes(text), text);
    await page.click("#menu-puzzle");
    await page.waitForSelector("#puzzle-hint");
    // The built-in puzzles have all themes.
    assert((await page.$$("#puzzle-theme option")).length > 15, "themes to choose from");
    await page.setInputFiles("#puzzle-file", file);
    await waitFor("mate in 2");
    // A wrong move is taken back; hints show the piece and then the move.
    await page.click("[data-point=a3].movable");
    await page.click("[data-point=a4]");
    await waitFor("Not the solution");
    await page.click("#puzzle-hint");
    await waitFor("red horse on b6");
    await page.click("#puzzle-hint");
    await waitFor("from b6 to d7");
    await eventually(async () => (await page.$$(".arrow.hint")).length, 1, "an arrow shows the move");
    await axe(page, "puzzles");
    await play(page, "b6d7");
    await eventually(() => live(page), "Black: K5+1", "the reply is announced");
    await play(page, "b4b8");
    await waitFor("will be repeated");
    await page.click("#next-puzzle");
    // The second of two mates is accepted too.
    await waitFor("mate in 1");
    await play(page, "i1d1");
    await waitFor("Solved");
    assertEqual(await page.textContent("#puzzle-totals"), "Solved 1 · failed 1 · to be repeated 1", "totals");
    await page.click("#next-puzzle");
    await waitFor("1 puzzle is to be repeated, at");
    // The first puzzle is repeated after ten minutes; solved without help, it is repeated a day later.
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 11 * 60_000;
    });
    await page.selectOption("#puzzle-rating", "easy");
    await waitFor("mate in 2");
    assert((await page.textContent(".trainer")).includes("repetition"), "it is a repetition");
    await play(page, "b6d7");
    await play(page, "b4b8");
    await waitFor("Solved");
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("chuhe-puzzles")));
    const again = Object.values(kept.known).find((one) => one.due);
    assert(again.stage === 1 && again.due > Date.now() + 23 * 3600_000, JSON.stringify(kept));
    // The solution can be taken onto the board.
    await page.click("#analyse-puzzle");
    await eventually(async () => (await moves(page)).length, 3, "the tree of the solution");
    assert(!(await page.$(".trainer")), "the trainer is closed");
    return page;
  },

  async "played games of a library and of files, and the own book"(browser) {
    const games = inFolder("explored.pgn");
    fs.writeFileSync(games, `[Red "A"]\n[Black "B"]\n[Date "2001.01.01"]\n[Result "1-0"]\n\n1. C2=5 H8+7 2. H2+3 1-0\n\n[Red "C"]\n[Black "D"]\n[Result "0-1"]\n\n1. C8=5 H2+3 2. H8+7 0-1\n\n[Red "E"]\n[Black "F"]\n\n1. P7+1 *\n`);
    const [library, book] = [inFolder("explored.chuhe"), inFolder("own.wxf")];
    run(program, "library", "add", games, "--library", library);
    fs.writeFileSync(book, "C2.5*60\n");
    const own = new Server(program);
    const page = await open(browser, await own.start("--library", library, "--book", book));
    const rows = (count) => page.waitForFunction((count) => document.querySelectorAll("#explorer .explored-move").length === count, count);
    await rows(3);
    // Every change of the book is saved in its file.
    await page.fill("#book-move", "P7+1");
    await page.fill("#book-weight", "20");
    await page.press("#book-move", "Enter");
    await page.waitForFunction(() => document.querySelectorAll(".own-move").length === 2);
    // In a symmetrical position a move and its mirror image are one.
    await page.fill("#book-move", "P3+1");
    await page.fill("#book-weight", "20");
    await page.press("#book-move", "Enter");
    await toasted(page, "info", "mirror image");
    assertEqual((await page.$$(".own-move")).length, 2, "moves of the book");
    await axe(page, "played games and the own book");
    // Of a line every move is added to its own position.
    await page.fill("#book-move", "C2=5 H8+7 H2+3");
    await page.press("#book-move", "Enter");
    await toasted(page, "info", "3 moves are in the book");
    const weights = ["", "h2e2", "h2e2 h9g7"].map((line) => run(program, "book", "probe", "--book", book, ...(line && ["--moves", ...line.split(" ")])).split("\n").filter((row) => /^(h2e2|h9g7|h0g2) /.test(row)).map((row) => row.split(" ").slice(0, 3).join(" ")));
    assertEqual(weights, [["h2e2 weight 60"], ["h9g7 weight 10"], ["h0g2 weight 10"]], "moves of the line");
    await page.fill(".own-move:nth-child(1) .weight", "5");
    await page.press(".own-move:nth-child(1) .weight", "Tab");
    await page.waitForFunction(() => /^P[37]\+1$/.test(document.querySelector(".own-move b").textContent));
    await page.click(".own-move:nth-child(2) .remove");
    await page.waitForFunction(() => document.querySelectorAll(".own-move").length === 1);
    const probed = run(program, "book", "probe", "--book", book);
    // The start position is symmetric: a move also stands for its mirror image.
    assert(/^(g3g4|c3c4) weight 20 /.test(probed) && probed.trim().split("\n").length === 1, `the book: ${probed}`);
    // Mirror images count too.
    await play(page, "h2e2");
    await rows(1);
    assertEqual(await page.$eval("#explorer .explored-move", (row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)), ["H8+7", "2"], "moves of the library");
    await page.click("#explorer .choices button:has-text('C – D')");
    await page.waitForFunction(() => document.querySelector(".moves [aria-current]")?.textContent.startsWith("C8=5"));
    await eventually(async () => (await moves(page)).length, 3, "moves of the game");
    await page.waitForFunction(() => document.querySelector("#explorer .explored-move").textContent.startsWith("H2+32"));
    // Games of a file, without the library.
    await openFile(page, games);
    await page.waitForSelector("#games");
    await escape(page);
    await page.selectOption("#explored-in", "own");
    await rows(3);
    await page.click("#explorer .choices button:has-text('E – F')");
    await page.waitForFunction(() => document.querySelector(".title").textContent.startsWith("E – F"));
    await own.kill("SIGTERM");
    return page;
  },

  async "fast and small"(browser) {
    const times = [];
    let bytes = 0;
    for (let round = 0; round < 5; round++) {
      const context = await contextOf(browser);
      const page = await context.newPage();
      await page.goto(server.address);
      // Before waiting for elements, since Playwright looks for them in every frame.
      const paint = await page.evaluate(() => new Promise((resolve) => {
        // The first paint may come before that of the content.
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName("first-contentful-paint");
          if (paint) resolve(paint.startTime);
        }).observe({ type: "paint", buffered: true });
      }));
      times.push(Math.round(paint));
      await page.waitForSelector(".book-move");
      bytes = await page.evaluate(() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, entry) => sum + entry.transferSize, 0));
      await context.close();
    }
    times.sort((a, b) => a - b);
    tell("first contentful paint in ms, five times", times.join(", "));
    tell("the page in bytes", bytes);
    assert(bytes > 50000 && bytes < 320000, `${bytes} bytes`);
    assert(!hasLimits || times[2] < 100, `first paint after ${times} ms`);
  },

  async "lines reach the screen at once"(browser) {
    // From sending the question, minus the time at which the search found the line: includes transport both ways, the start of the
    // search, and drawing.
    const before = () => {
      const Original = window.WebSocket;
      window.delays = [];
      window.WebSocket = class extends Original {
        send(text) {
          if (text.includes('"analyse"')) window.asked = performance.now();
          super.send(text);
        }
        set onmessage(handler) {
          super.onmessage = (event) => {
            handler(event);
            const { answer } = JSON.parse(event.data);
            const analysis = answer.analysis;
            if (!analysis) return;
            requestAnimationFrame(() => {
              // The message is delivered after the frame has been drawn.
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => window.delays.push(performance.now() - window.asked - analysis.result.time_ms);
              port2.postMessage(0);
            });
          };
        }
      };
    };
    const page = await open(browser, server.address, { before });
    await page.click("#analyse");
    await page.waitForFunction(() => window.delays.length > 20);
    // Only lines that are shown: one that is replaced before the next frame is never seen.
    const delays = await page.evaluate(() => window.delays);
    const whole = delays.map(Math.round).sort((a, b) => a - b);
    tell("ms from the search to the screen (median, 90 %, most)", [0.5, 0.9, 0.999].map((share) => whole[Math.floor(whole.length * share)]).join(", "));
    assert(!hasLimits || whole[Math.floor(whole.length / 2)] < 50, `${whole}`);
    return page;
  },
};

const browser = await launch();
let failed = 0;
let pictured = 0;
await server.start();
const ofServer = Object.fromEntries(Object.entries(tests).filter(([name]) => SERVED.includes(name)));
const everywhere = { ...tests, ...keeping(server), ...playing(server) };
const ofBoth = Object.fromEntries(Object.entries(everywhere).filter(([name]) => !SERVED.includes(name)));
const answered = Object.fromEntries(ANSWERED.map((name) => [name, ofBoth[name]]));
const all = values.site ? { ...ofBoth, ...siteTests(server, program, tell) } : values.served ? { ...ofServer, ...answered } : everywhere;
if (values.site) useHost(server);

/** Runs a test and returns why it failed, or null. */
async function attempt(test) {
  try {
    const page = await Promise.race([test(browser), new Promise((_, reject) => setTimeout(reject, LIMIT, new Error(`no end after ${LIMIT / 1000} s`)).unref())]);
    assert(!page?.complaints?.length, `the browser reports: ${page?.complaints?.join("\n")}`);
    return null;
  } catch (error) {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      const picture = inFolder(`failed-${++pictured}.png`);
      await page.screenshot({ path: picture }).catch(() => {});
      console.log(`        ${picture}`);
    }
    return error.message;
  } finally {
    // A failed test may have left other pages too.
    for (const context of browser.contexts()) await context.close();
  }
}

try {
  let seconds = 0;
  for (const [name, test] of Object.entries(all)) {
    if (wanted.length && !wanted.some((part) => name.includes(part))) continue;
    const begun = Date.now();
    let reason = await attempt(test);
    let outcome = "ok    ";
    let remark = "";
    if (reason !== null) {
      // A second try, as Playwright's authors recommend on shared machines: on an overloaded one the browser can fail although the page does
      // not. It is reported; more than a few in one run are a failure, as is a test that fails twice.
      remark = `, second try: ${reason}`;
      await server.revive?.();
      seconds += 1;
      reason = await attempt(test);
      if (reason !== null) {
        failed += 1;
        [outcome, remark] = ["FAILED", `${remark}\n        again: ${reason}`];
        await server.revive?.();
      }
    }
    console.log(`${outcome}  ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s${remark})`);
  }
  if (seconds > SECOND_TRIES) {
    failed += 1;
    console.log(`FAILED  ${seconds} tests needed a second try, expected at most ${SECOND_TRIES}`);
  }
  if (process.env.SCREENSHOTS) await pictures(browser, server, process.env.SCREENSHOTS);
} finally {
  await browser.close();
  if (values.site) await server.stop();
  else {
    const status = await server.kill("SIGINT");
    console.log(status === 0 ? "ok      the server ends when it is interrupted" : `FAILED  the server ended with ${status}`);
    failed += status !== 0;
  }
}
figures.forEach((line) => console.log(line));
if (!failed) fs.rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
