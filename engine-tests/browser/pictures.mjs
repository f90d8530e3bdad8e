// The pictures of the documents.

import fs from "node:fs";
import path from "node:path";
import { inFolder, open, openFile, play } from "./page.mjs";

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
    await openFile(page, inFolder("example.pgn"));
    await page.waitForFunction(() => document.querySelectorAll(".moves .mv:not(.start)").length > 10);
    for (let i = 0; i < 10; i++) {
      await page.click("#do-next");
      await page.waitForTimeout(60);
    }
    await page.click("#analyse");
    await page.waitForTimeout(6000);
    await page.evaluate(() => document.querySelectorAll(".toast button").forEach((button) => button.click()));
  };
  let page = await open(browser, server.address, { viewport: { width: 1180, height: 900 } });
  await analysing(page);
  await page.evaluate(() => document.activeElement.blur());
  await shot(page, "serve-analysis.png");
  await page.context().close();

  page = await open(browser, server.address, { viewport: { width: 1180, height: 900 } });
  await page.click("#menu-open");
  await page.fill("#pasted", "2bak4/4a4/4b4/2p5p/6p2/2Pp5/4P4/2N4C1/2CrA4/3AK4 w");
  await page.click("#open-pasted");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  for (const move of "h2h1 d1d3 h1h3 d3d1 h3h1 d1d3 h1h3 d3d1 h3h1".split(" ")) {
    await play(page, move);
    await page.waitForTimeout(250);
  }
  await page.waitForTimeout(600);
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

  // On its side, in a game against the engine with a clock.
  page = await open(browser, server.address, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  await page.click("#menu-new");
  await page.selectOption("#clock", "10+5");
  await page.click("#begin");
  for (const [index, move] of ["h2e2", "h0g2", "i0h0"].entries()) {
    await play(page, move);
    await page.waitForFunction((count) => document.querySelectorAll(".moves .mv:not(.start)").length === count, 2 * index + 2);
    await page.waitForSelector("#near.turn");
  }
  await page.evaluate(() => document.activeElement.blur());
  await page.waitForTimeout(500);
  await shot(page, "serve-phone-wide.png");
  await page.context().close();
}
