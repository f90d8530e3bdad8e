// The screenshots of the documents.

import fs from "node:fs";
import path from "node:path";
import { closed, eventually, inFolder, moves, open, openGame, openText, play, rest } from "./page.mjs";

const GAME = `[Event "Example"]
[Red "Lin"]
[Black "Mo"]
[Result "1/2-1/2"]

1. C2=5 {The central cannon aims at the pawn in the middle.} H8+7 2. H2+3 R9=8 3. R1=2 H2+3 (3... P7+1 4. R2+6 H2+3 5. P7+1) 4. P7+1 P7+1
5. R2+6 C8=9 {Black offers rooks.} 6. R2=3 C9-1 (6... R8+2) 7. H8+7 A4+5 1/2-1/2
`;

export async function pictures(browser, server, target) {
  const shot = (page, name) => page.screenshot({ path: path.join(target, name) });
  fs.writeFileSync(inFolder("example.pgn"), GAME);
  const analysing = async (page) => {
    await openGame(page, inFolder("example.pgn"));
    for (let i = 0; i < 10; i++) await page.click("#do-next");
    await page.waitForSelector(".cell.movable");
    await page.click("#analyse");
    await page.waitForFunction(() => /depth 1[2-9]|depth [2-9]\d|深度1[2-9]|深度[2-9]\d/.test(document.querySelector(".facts").textContent));
    await page.evaluate(() => document.querySelectorAll(".toast button").forEach((button) => button.click()));
  };
  let page = await open(browser, server.address, { viewport: { width: 1180, height: 900 } });
  await analysing(page);
  await page.evaluate(() => document.activeElement.blur());
  await shot(page, "serve-analysis.png");
  await page.context().close();

  page = await open(browser, server.address, { viewport: { width: 1180, height: 900 } });
  await openText(page, "2bak4/4a4/4b4/2p5p/6p2/2Pp5/4P4/2N4C1/2CrA4/3AK4 w");
  for (const move of "h2h1 d1d3 h1h3 d3d1 h3h1 d1d3 h1h3 d3d1 h3h1".split(" ")) await play(page, move);
  await page.waitForSelector(".ruling[open]");
  await rest(page);
  await page.evaluate(() => {
    document.querySelectorAll(".toast button").forEach((button) => button.click());
    document.activeElement.blur();
  });
  await shot(page, "serve-ruling.png");
  await page.context().close();

  page = await open(browser, server.address, { viewport: { width: 390, height: 844 }, colorScheme: "dark", locale: "zh-CN", hasTouch: true, isMobile: true });
  await analysing(page);
  await page.evaluate(() => {
    document.activeElement.blur();
    scrollTo(0, 0);
  });
  await shot(page, "serve-phone.png");
  await page.context().close();

  // In landscape, in a game against the engine with a clock.
  page = await open(browser, server.address, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  await page.click("#menu-new");
  await page.selectOption("#clock", "10+5");
  await page.click("#begin");
  await closed(page);
  for (const [index, move] of ["h2e2", "h0g2", "i0h0"].entries()) {
    await play(page, move);
    await eventually(async () => (await moves(page)).length, 2 * index + 2, "moves");
    await page.waitForSelector("#near.turn");
  }
  await page.evaluate(() => document.activeElement.blur());
  await rest(page);
  await shot(page, "serve-phone-wide.png");
  await page.context().close();
}
