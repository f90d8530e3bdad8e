// Games are kept by the browser: through closed tabs, crashes, reloads and second tabs.

import fs from "node:fs";
import { assert, assertEqual, axe, inFolder, kept, moves, open, openFile, play, settle } from "./page.mjs";

const GAMES = ".my-games li";

/** Another tab of the same browser. */
async function tab(page, address) {
  const next = await page.context().newPage();
  await next.goto(address);
  await next.waitForSelector(".head b");
  await settle(next);
  return next;
}

async function list(page) {
  await page.click("#menu-games");
  await page.waitForSelector("#my-games");
  await settle(page);
  return page.$$eval(GAMES, (rows) => rows.map((row) => row.querySelector("b").textContent));
}

export const keeping = (server) => ({
  async "a closed tab loses nothing"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await play(page, "h9g7");
    await page.fill("#comment", "precious");
    await page.click(".marks button:has-text('!?')");
    const before = (await kept(page)).tree;
    await page.close();
    const again = await tab(page, server.address);
    assertEqual((await kept(again)).tree, before, "the game of the closed tab");
    // A game against the engine goes on, with its clocks.
    await again.click("#menu-new");
    await again.selectOption("#level", "1");
    await again.selectOption("#clock", "20+10");
    await again.click("#begin");
    await play(again, "b2e2");
    await again.waitForFunction(() => document.querySelectorAll(".moves .mv:not(.start)").length === 2);
    await settle(again);
    await again.close();
    const third = await tab(page, server.address);
    await third.waitForSelector("#near.turn");
    assertEqual((await moves(third)).length, 2, "moves of the game against the engine");
    assert(/^(19|20):/.test(await third.textContent("#near .time")), "the clock of the game");
    assertEqual((await list(third)).length, 2, "games in the list");
    return third;
  },

  async "games are listed, renamed, deleted, restored and saved"(browser) {
    const page = await open(browser, server.address);
    for (const line of ["h2e2 h9g7", "[Red \"A\"]\n[Black \"B\"]\n\n1. H2+3 P7+1 1-0", "3k5/9/9/9/9/9/9/9/R8/4K4 w"]) {
      await page.click("#menu-open");
      await page.fill("#pasted", line);
      await page.click("#open-pasted");
      await page.waitForFunction(() => !document.querySelector("dialog"));
      await settle(page);
    }
    assertEqual((await list(page)).slice(1), ["A – B", "C2=5 H8+7"], "titles");
    // A record without a title is called after its file.
    await page.keyboard.press("Escape");
    fs.writeFileSync(inFolder("a game of mine.pgn"), "1. P7+1 *\n");
    await openFile(page, inFolder("a game of mine.pgn"));
    await page.waitForFunction(() => document.querySelector(".title").textContent === "a game of mine");
    assertEqual((await list(page))[0], "a game of mine", "the name of the file");
    await page.click(`${GAMES}:nth-child(1) .icon[title^=Delete]`);
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 3, GAMES);
    assertEqual(await moves(page), [], "the board after its game was deleted");
    await page.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));
    await axe(page, "my games");
    await page.click(`${GAMES}:nth-child(3) .icon[title^=Rename]`);
    await page.keyboard.type("A day in May");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${GAMES}:has-text('A day in May')`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export-all")]);
    const text = fs.readFileSync(await download.path(), "utf8");
    assertEqual([text.match(/\[Event /g).length, /1\. H2\+3 P7\+1 1-0/.test(text), /\[FEN "3k5/.test(text)], [3, true, true], "the file with all games");
    await page.click(`${GAMES}:nth-child(2) .icon[title^=Delete]`);
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 2, GAMES);
    await page.click("#toasts .action");
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 3, GAMES);
    // Deleted and restored later.
    await page.click(`${GAMES}:nth-child(2) .icon[title^=Delete]`);
    await page.keyboard.press("Escape");
    await page.reload();
    await page.waitForSelector(".head b");
    assertEqual((await list(page)).length, 2, "after the deletion");
    await page.click("#my-games summary");
    await page.click("#my-games details button");
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 3, GAMES);
    await page.click(`${GAMES}:has-text('A day in May') .about`);
    await page.waitForFunction(() => !document.querySelector("dialog"));
    await settle(page);
    assertEqual([await moves(page), await page.title()], [["C2=5", "H8+7"], "A day in May · chuhe 楚河"], "the game that was opened");
    return page;
  },

  async "a review stays with its game"(browser) {
    const page = await open(browser, server.address);
    await page.click("#menu-open");
    await page.fill("#pasted", "h2e2 h9g7 h0g2 a9a8 i0h0 a8a9");
    await page.click("#open-pasted");
    await page.waitForFunction(() => document.querySelectorAll(".moves .mv:not(.start)").length === 6);
    await page.selectOption("#review-time", "200");
    await page.click("#review");
    await page.waitForSelector("#next-mistake", { timeout: 30000 });
    const summary = await page.textContent(".summary");
    await settle(page);
    await page.close();
    const again = await tab(page, server.address);
    await again.waitForSelector("#next-mistake");
    assertEqual(await again.textContent(".summary"), summary, "the review");
    // Another game and back.
    await again.click("#menu-new");
    await again.selectOption("#opponent", "nobody");
    await again.click("#begin");
    await again.waitForFunction(() => !document.querySelector("#next-mistake"));
    await list(again);
    await again.click(`${GAMES} .about`);
    await again.waitForSelector("#next-mistake");
    assertEqual(await again.textContent(".summary"), summary, "the review of the game out of the list");
    return again;
  },

  async "two tabs with one game do not destroy it"(browser) {
    const first = await open(browser, server.address);
    await play(first, "h2e2");
    const second = await tab(first, server.address);
    assertEqual(await moves(second), [], "the second tab begins without it");
    await list(second);
    await second.click(`${GAMES} .about`);
    await second.waitForSelector("#elsewhere:not([hidden])");
    await axe(second, "a game of another tab");
    await play(first, "h9g7");
    await second.waitForFunction(() => document.querySelectorAll(".moves .mv:not(.start)").length === 2);
    await second.click("#take-over");
    await first.waitForSelector("#elsewhere:not([hidden])");
    await play(second, "h0g2");
    await first.waitForFunction(() => document.querySelectorAll(".moves .mv:not(.start)").length === 3);
    await play(first, "i9h9");
    await settle(first);
    assert(!(await first.isVisible("#elsewhere")), "the first tab has a copy");
    await play(second, "b9c7");
    await settle(second);
    assertEqual([(await moves(first)).at(-1), (await moves(second)).at(-1)], ["R9=8", "H2+3"], "each has its own move");
    assertEqual((await list(first)).length, 2, "both games are kept");
    return first;
  },

  async "without a database the page says so and goes on"(browser) {
    const before = () => Object.defineProperty(window, "indexedDB", { get: () => undefined });
    const page = await open(browser, server.address, { before });
    await page.waitForSelector(".toast.warning:has-text('keeps no games')");
    await play(page, "h2e2");
    await settle(page);
    await page.reload();
    await page.waitForSelector(".head b");
    assertEqual(await moves(page), ["C2=5"], "the game of the tab");
    await play(page, "h9g7");
    assertEqual((await list(page)).length, 1, "games of this page");
    return page;
  },
});
