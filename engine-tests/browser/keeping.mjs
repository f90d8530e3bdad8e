// Games are stored by the browser and survive closed tabs, crashes, reloads and second tabs.

import fs from "node:fs";
import { assert, assertEqual, axe, closed, dismiss, escape, eventually, inFolder, kept, moves, open, openGame, openText, play, stored, toasted } from "./page.mjs";

const GAMES = ".my-games li";

/** Another tab of the same browser. */
async function tab(page, address) {
  const next = await page.context().newPage();
  await next.goto(address);
  await next.waitForSelector(".head b");
  return next;
}

const titles = (page) => page.$$eval(GAMES, (rows) => rows.map((row) => row.querySelector("b").textContent));

/** Opens the list, and waits until it has this number of games. */
async function list(page, count, what) {
  await page.click("#menu-games");
  await page.waitForSelector("#my-games");
  await rows(page, count, what);
}

const rows = (page, count, what = "games in the list") => eventually(async () => (await titles(page)).length, count, what);

/** Waits until the page has stored its game in the database, and `pick` of its session is the expected value. */
const written = (page, pick, expected, what) => eventually(async () => pick(await stored(page)), expected, what);

export const keeping = (server) => ({
  async "a closed tab loses nothing"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await play(page, "h9g7");
    await page.fill("#comment", "precious");
    await page.click(".marks button:has-text('!?')");
    await written(page, ({ tree }) => [tree.nodes.length, tree.nodes[1].comment, tree.nodes[1].glyphs], [2, "precious", [5]], "the game is kept without being asked");
    const before = (await kept(page)).tree;
    await page.close();
    const again = await tab(page, server.address);
    await eventually(async () => (await kept(again)).tree, before, "the game of the closed tab");
    // A game against the engine continues, with its clocks.
    await again.click("#menu-new");
    await again.selectOption("#level", "1");
    await again.selectOption("#clock", "20+10");
    await again.click("#begin");
    await closed(again);
    await play(again, "b2e2");
    await written(again, ({ tree }) => tree.nodes.length, 2, "the move and the answer are kept");
    await again.close();
    const third = await tab(page, server.address);
    await eventually(async () => (await moves(third)).length, 2, "moves of the game against the engine");
    await third.waitForSelector("#near.turn");
    const { tags } = (await kept(third)).tree;
    assert(tags.some(([name, value]) => name === "Date" && /^2\d{3}\.[01]\d\.[0-3]\d$/.test(value)), `the date of a game that was played here: ${tags}`);
    await eventually(async () => /^(1\d|20):/.test(await third.textContent("#near .time")), true, "the clock of the game");
    await list(third, 2);
    return third;
  },

  async "games are listed, renamed, deleted, restored and saved"(browser) {
    const page = await open(browser, server.address);
    for (const line of ["h2e2 h9g7", "[Red \"A\"]\n[Black \"B\"]\n\n1. H2+3 P7+1 1-0", "3k5/9/9/9/9/9/9/9/R8/4K4 w"]) await openText(page, line);
    await list(page, 3);
    assertEqual((await titles(page)).slice(1), ["A – B", "C2=5 H8+7"], "titles");
    // A record without a title is named after its file.
    await escape(page);
    fs.writeFileSync(inFolder("a game of mine.pgn"), "1. P7+1 *\n");
    await openGame(page, inFolder("a game of mine.pgn"));
    await eventually(() => page.textContent(".title"), "a game of mine", "the title");
    await list(page, 4);
    assertEqual((await titles(page))[0], "a game of mine", "the name of the file");
    await page.click(`${GAMES}:nth-child(1) .icon[title^=Delete]`);
    await rows(page, 3);
    assertEqual(await moves(page), [], "the board after its game was deleted");
    await toasted(page, "info", "a game of mine");
    await dismiss(page);
    await axe(page, "my games");
    await page.click(`${GAMES}:nth-child(3) .icon[title^=Rename]`);
    await page.keyboard.type("A day");
    // The key that confirms a word of an input method, in other browsers and in Safari.
    for (const composing of [{ isComposing: true }, { keyCode: 229 }]) await page.$eval(`${GAMES} input`, (input, composing) => input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...composing })), composing);
    await page.keyboard.type(" in May");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${GAMES}:has-text('A day in May')`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export-all")]);
    const text = fs.readFileSync(await download.path(), "utf8");
    assertEqual([text.match(/\[Event /g).length, /1\. H2\+3 P7\+1 1-0/.test(text), /\[FEN "3k5/.test(text)], [3, true, true], "the file with all games");
    assert(text.includes('[Title "A day in May"]'), "the file has the name given by the user");
    await page.click(`${GAMES}:nth-child(2) .icon[title^=Delete]`);
    await rows(page, 2);
    await page.click("#toasts .action");
    await rows(page, 3);
    // Deleted and restored later.
    await page.click(`${GAMES}:nth-child(2) .icon[title^=Delete]`);
    await rows(page, 2);
    await escape(page);
    await page.reload();
    await page.waitForSelector(".head b");
    await list(page, 2, "after the deletion");
    await page.click("#my-games summary");
    await page.click("#my-games details button");
    await rows(page, 3);
    // The deleted ones can be removed for good.
    const deleted = () => page.$$eval("#my-games details li", (rows) => rows.length);
    await eventually(deleted, 1, "deleted games");
    await page.click("#remove-deleted");
    await page.click("#remove-dialog-no");
    await page.click("#remove-deleted");
    await axe(page, "the question before deleting for good");
    await page.click("#remove-dialog-yes");
    await eventually(deleted, 0, "games after they were deleted for good");
    await rows(page, 3);
    // Notes are shown in the dialogue that is open.
    assertEqual(await page.$eval("#toasts", (toasts) => toasts.parentElement.id), "my-games", "the place of the notes");
    await page.click(`${GAMES}:has-text('A day in May') .about`);
    await closed(page);
    await eventually(async () => [await moves(page), await page.title()], [["C2=5", "H8+7"], "A day in May · chuhe 楚河"], "the game that was opened");
    return page;
  },

  async "a review stays with its game"(browser) {
    const page = await open(browser, server.address);
    await openText(page, "h2e2 h9g7 h0g2 a9a8 i0h0 a8a9");
    await eventually(async () => (await moves(page)).length, 6, "moves");
    await page.selectOption("#review-time", "200");
    await page.click("#review");
    await page.waitForSelector("#next-mistake");
    const summary = await page.textContent(".summary");
    await written(page, ({ review }) => !!review, true, "the review is kept");
    await page.close();
    const again = await tab(page, server.address);
    await again.waitForSelector("#next-mistake");
    assertEqual(await again.textContent(".summary"), summary, "the review");
    // Another game and back.
    await again.click("#menu-new");
    await again.selectOption("#opponent", "nobody");
    await again.click("#begin");
    await closed(again);
    await again.waitForFunction(() => !document.querySelector("#next-mistake"));
    await list(again, 1);
    await again.click(`${GAMES} .about`);
    await again.waitForSelector("#next-mistake");
    assertEqual(await again.textContent(".summary"), summary, "the review of the game out of the list");
    return again;
  },

  async "two tabs with one game do not destroy it"(browser) {
    const first = await open(browser, server.address);
    await play(first, "h2e2");
    const second = await tab(first, server.address);
    await list(second, 1);
    assertEqual(await moves(second), [], "the second tab begins without it");
    await second.click(`${GAMES} .about`);
    await second.waitForSelector("#elsewhere:not([hidden])");
    await axe(second, "a game of another tab");
    // Also while the position editor covers the game.
    const revision = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("chuhe-game")).revision);
    await second.click("#menu-setup");
    await play(first, "h9g7");
    await written(first, ({ tree }) => tree.nodes.length, 2, "the second move is kept");
    await eventually(() => revision(second), await revision(first), "the second tab has learnt of it");
    await second.click("#leave-setup");
    await eventually(async () => (await moves(second)).length, 2, "the second tab follows");
    await second.click("#take-over");
    await first.waitForSelector("#elsewhere:not([hidden])");
    await play(second, "h0g2");
    await eventually(async () => (await moves(first)).length, 3, "the first tab follows");
    await play(first, "i9h9");
    await eventually(() => first.isVisible("#elsewhere"), false, "the first tab has a copy");
    await play(second, "b9c7");
    for (const page of [first, second]) await written(page, ({ tree }) => tree.nodes.length, 4, "the fourth move is kept");
    await list(first, 2, "both games are kept");
    assertEqual([(await moves(first)).at(-1), (await moves(second)).at(-1)], ["R9=8", "H2+3"], "each has its own move");
    return first;
  },

  async "without a database the page says so and goes on"(browser) {
    const before = () => Object.defineProperty(window, "indexedDB", { get: () => undefined });
    const page = await open(browser, server.address, { before });
    await toasted(page, "warning", "does not store games");
    await play(page, "h2e2");
    await eventually(() => page.evaluate(() => JSON.parse(sessionStorage.getItem("chuhe-session"))?.tree.nodes.length), 1, "the session has the move");
    await page.reload();
    await page.waitForSelector(".head b");
    await eventually(() => moves(page), ["C2=5"], "the game of the tab");
    await play(page, "h9g7");
    await list(page, 1, "games of this page");
    return page;
  },
});
