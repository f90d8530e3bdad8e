// Features known from other boards: links, drawings, the mouse wheel, draw offers; and nothing covers the board.

import fs from "node:fs";
import { assert, assertEqual, axe, closed, current, escape, eventually, inFolder, kept, moves, open, openGame, openText, play, rest, save, toasted } from "./page.mjs";

const middle = (page, point) => page.$eval(`[data-point=${point}]`, (cell) => {
  const box = cell.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
});

/** Draws from one point to another with the right button. */
async function draw(page, from, to) {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await middle(page, to)), { steps: 3 });
  await page.mouse.up({ button: "right" });
}

const drawn = (page) => page.$$eval(".own", (shapes) => shapes.map((shape) => shape.getAttribute("class")));
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

/** The area of the board that toasts cover, in square pixels. */
const covered = (page) => page.evaluate(() => {
  const board = document.querySelector("#board").getBoundingClientRect();
  return [...document.querySelectorAll(".toast")].reduce((sum, toast) => {
    const box = toast.getBoundingClientRect();
    const [width, height] = [Math.min(box.right, board.right) - Math.max(box.left, board.left), Math.min(box.bottom, board.bottom) - Math.max(box.top, board.top)];
    return sum + Math.max(0, width) * Math.max(0, height);
  }, 0);
});

export const playing = (server) => ({
  async "links hold a game and a position"(browser) {
    const page = await open(browser, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
    await openText(page, "[Red \"甲\"]\n\n1. C2=5 {central} (1. P7+1) H8+7 $5 2. H2+3 *");
    await eventually(async () => (await moves(page)).length, 4, "moves");
    await page.click(".moves .mv:has-text('H8+7')");
    await draw(page, "b0", "c2");
    await eventually(() => drawn(page), ["arrow own green"], "a drawing");
    const before = await kept(page);
    const address = {};
    await page.click("#menu-save");
    for (const kind of ["game", "position"]) {
      await page.click(`#link-${kind}`);
      await toasted(page, "info", "Copied");
      address[kind] = await copied(page);
    }
    assert(address.game.startsWith(`${server.address}#game=z`), address.game);
    const other = await open(browser, address.game);
    await eventually(async () => (await moves(other)).length, 4, "moves of the link");
    const after = await kept(other);
    assertEqual([after.tree, after.drawings, after.path], [before.tree, before.drawings, before.path], "the game of the link");
    await eventually(() => other.url(), server.address, "the address as it was");
    // A link in the same tab opens another game, and the previous one is stored.
    await other.evaluate((hash) => (location.hash = hash), address.position.split("#")[1]);
    await eventually(() => moves(other), [], "moves of the position");
    assert((await kept(other)).tree.start.startsWith("rnbakab1r/9/1c4nc1/"), "the position of the link");
    for (const [hash, reason] of [["game=zAAAA", "damaged"], ["game=jeyJtIjoiaDJhOSJ9", "h2a9"], ["fen=9_w", "1 row, expected 10"]]) {
      await other.evaluate((hash) => (location.hash = hash), hash);
      await toasted(other, "error", reason);
      await eventually(() => other.url(), server.address, `the address after ${hash}`);
    }
    assert(!other.complaints.length, other.complaints.join("\n"));
    await other.context().close();
    return page;
  },

  async "drawings, the wheel, and the list of keys"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await play(page, "h9g7");
    await draw(page, "b0", "c2");
    await page.keyboard.down("Shift");
    await draw(page, "e3", "e3");
    await page.keyboard.up("Shift");
    await eventually(() => drawn(page), ["arrow own green", "circle own red"], "drawings");
    await page.mouse.wheel(0, -120);
    await eventually(() => current(page), "C2=5", "the wheel back");
    await eventually(() => drawn(page), [], "they belong to their move");
    await page.mouse.wheel(0, 120);
    await eventually(() => current(page), "H8+7", "the wheel forth");
    const both = ["arrow own green", "circle own red"];
    await eventually(() => drawn(page), both, "and come back with it");
    await page.reload();
    await eventually(() => drawn(page), both, "also after a reload");
    await page.click("[data-point=e5]");
    await eventually(() => drawn(page), [], "a click clears them");
    await page.keyboard.press("Control+z");
    await eventually(() => drawn(page), both, "undone");
    // PGN stores them, and for other formats their loss is reported.
    const file = await save(page, "pgn");
    assert(/\{\[%csl Re3\] \[%cal Gb0c2\]\}/.test(fs.readFileSync(file, "utf8")), fs.readFileSync(file, "utf8"));
    await save(page, "xqf");
    await toasted(page, "warning", "drawings 1");
    await openGame(page, file);
    await eventually(() => current(page), "Start", "the game is opened");
    await page.keyboard.press("End");
    await eventually(async () => (await drawn(page)).sort(), both, "opened again");
    assertEqual((await kept(page)).tree.nodes[1].comment ?? "", "", "the comment");
    // They are not drawn in the position editor and the puzzle trainer, which are visible once the position has been answered.
    for (const [open, shown, close] of [["#menu-setup", ".faults p", "#leave-setup"], ["#menu-puzzle", ".cell.movable", "#leave-puzzles"]]) {
      await page.click(open);
      await page.waitForSelector(close);
      await page.waitForSelector(shown);
      assertEqual(await drawn(page), [], `drawings behind ${open}`);
      await page.click(close);
      await eventually(async () => (await drawn(page)).length, 2, `drawings after ${close}`);
    }
    await page.keyboard.press("?");
    await page.waitForSelector("#keys-dialog");
    await axe(page, "the list of keys");
    // Shortcuts work again as soon as the dialogue is closed, before it is removed from the page.
    await page.evaluate(() => {
      document.querySelector("dialog").close();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true }));
    });
    await toasted(page, "info", "Sounds are off");
    await closed(page);
    await page.keyboard.press("?");
    await page.waitForSelector("#keys-dialog");
    await escape(page);
    await page.keyboard.press("s");
    await toasted(page, "info", "Sounds are on");
    // The wheel goes back two moves, and no further.
    await page.mouse.move(...(await middle(page, "e5")));
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -120);
    await eventually(() => current(page), "Start", "the start");
    return page;
  },

  async "sounds come with moves, and nothing runs between them"(browser) {
    const before = () => {
      const Original = window.AudioContext;
      Object.assign(window, { contexts: [], sounds: 0 });
      window.AudioContext = class extends Original {
        constructor(...parts) {
          super(...parts);
          window.contexts.push(this);
        }
      };
      for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
        const { start } = kind.prototype;
        kind.prototype.start = function (...parts) {
          window.sounds += 1;
          return start.apply(this, parts);
        };
      }
    };
    const page = await open(browser, server.address, { before });
    const state = () => page.evaluate(() => [window.contexts.map((context) => context.state), window.sounds]);
    const rested = () => page.waitForFunction(() => window.contexts[0]?.state === "suspended");
    assertEqual(await state(), [[], 0], "nothing before the first move");
    await play(page, "h2e2");
    await page.waitForFunction(() => window.sounds === 1);
    await rested();
    await play(page, "h7e7");
    await page.waitForFunction(() => window.sounds === 2);
    // Takes a pawn with check: knock and tone.
    await play(page, "e2e6");
    await page.waitForFunction(() => window.sounds === 4);
    await rested();
    await page.keyboard.press("s");
    await play(page, "d9e8");
    await page.waitForSelector(".cell.movable");
    // With sounds off there is none; a delayed one would be counted with that of the next move.
    await page.keyboard.press("s");
    await play(page, "h0g2");
    await page.waitForFunction(() => window.sounds > 4);
    await rested();
    assertEqual(await state(), [["suspended"], 5], "switched off and on");
    return page;
  },

  async "a long press draws"(browser) {
    const page = await open(browser, server.address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const session = await page.context().newCDPSession(page);
    const touch = async (type, point) => {
      const [x, y] = point ? await middle(page, point) : [];
      await session.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [{ x, y }] : [] });
    };
    for (const [index, [from, to]] of [["e5", "e7"], ["h2", "h2"]].entries()) {
      await touch("touchStart", from);
      // A circle appears under the finger once it has rested long enough.
      await eventually(async () => (await drawn(page)).length, index + 1, "a drawing under the finger");
      await touch("touchMove", to);
      await touch("touchEnd");
    }
    await eventually(() => drawn(page), ["arrow own green", "circle own green"], "drawings");
    assertEqual(await moves(page), [], "no move was made");
    // A further one that begins on an empty point keeps them, and so does a finger that scrolls the page.
    await touch("touchStart", "c5");
    await eventually(async () => (await drawn(page)).length, 3, "a third drawing");
    await touch("touchEnd");
    await touch("touchStart", "e5");
    for (const point of ["e6", "e7", "e8"]) await touch("touchMove", point);
    await touch("touchEnd");
    await page.tap("[data-point=e9]");
    await eventually(() => drawn(page), ["arrow own green", "circle own green", "circle own green"], "drawings after scrolling, and after a tap on a piece");
    await page.tap("[data-point=e5]");
    await eventually(() => drawn(page), [], "a tap clears them");
    await page.tap("[data-point=h2].movable");
    await page.tap("[data-point=e2]");
    await eventually(() => moves(page), ["C2=5"], "a move");
    // A second finger takes another piece, and that of the first one goes back to its point.
    await page.waitForSelector("[data-point=a9].movable");
    const fingers = async (type, ...points) => {
      const touchPoints = await Promise.all(points.map(async (point, id) => {
        const [x, y] = await middle(page, point);
        return { id, x, y };
      }));
      await session.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    await fingers("touchStart", "a9");
    await fingers("touchMove", "a8");
    await fingers("touchStart", "a8", "i9");
    await fingers("touchMove", "a7", "i9");
    await fingers("touchEnd", "a7");
    await fingers("touchEnd");
    await rest(page);
    const places = await page.$$eval(".man", (men) => men.map((man) => man.style.transform.match(/[\d.]+/g).map((place) => (place - 78) % 100)));
    assertEqual([await page.$$eval(".held", (held) => held.length), places.flat().filter((beside) => beside).length, await moves(page)], [0, 0, ["C2=5"]], "pieces beside their points");
    return page;
  },

  async "a comment that is being typed stays with its move"(browser) {
    const page = await open(browser, server.address);
    await openText(page, "h2e2 h9g7");
    await page.click("#do-last");
    await page.click("#comment");
    await page.keyboard.type("a");
    // As when the engine moves meanwhile: the keys that follow are no shortcuts, and no comment on another move.
    await page.hover("#board");
    await page.mouse.wheel(0, -120);
    await eventually(() => current(page), "C2=5", "the move before");
    await page.keyboard.type("fs");
    await page.keyboard.press("Tab");
    await eventually(() => page.getAttribute("#comment", "aria-label"), "Comment on C2=5", "the field of the move on the board");
    const { tree, flipped } = await kept(page);
    assertEqual([tree.nodes.map(({ comment }) => comment ?? ""), flipped, await page.inputValue("#comment")], [["", "afs"], false, ""], "comments");
    return page;
  },

  async "the menu works over the position editor and the puzzles"(browser) {
    const page = await open(browser, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
    await openText(page, "h2e2 h9g7");
    const fen = async () => {
      await page.click("#menu-save");
      await page.click("#copy-fen");
      await toasted(page, "info", "Copied");
      await escape(page);
      return (await copied(page)).split(" ")[0];
    };
    const typed = "4k4/9/9/9/9/9/9/9/R8/3K5";
    await page.click("#menu-setup");
    await page.click("#clear");
    await page.waitForSelector("#use-setup:disabled");
    // A phone can discard the page while the user looks the position up.
    await page.click("[data-point=e0]");
    await page.reload();
    await eventually(() => page.inputValue("#fen"), "9/9/9/9/9/9/9/9/9/4R4 w - - 0 1", "the position after a reload");
    // Checked while it is typed: a click on a button that is still disabled would be lost.
    await page.fill("#fen", `${typed} w`);
    await page.waitForSelector("#use-setup:not(:disabled)");
    assertEqual(await fen(), typed, "the position that is being set up");
    await page.click("#menu-new");
    await page.selectOption("#opponent", "human");
    await page.click("#begin");
    await closed(page);
    await eventually(async () => (await kept(page)).tree.start.split(" ")[0], typed, "a game from it");
    await eventually(() => page.evaluate(() => history.state), null, "the history after it");
    await page.click("#menu-puzzle");
    await page.waitForSelector("#puzzle-hint");
    const puzzle = await fen();
    assert(puzzle !== typed, "the position of the puzzle");
    await page.click("#menu-setup");
    await page.waitForSelector("#use-setup");
    assertEqual((await page.inputValue("#fen")).split(" ")[0], puzzle, "the puzzle is set up");
    await page.click("#menu-puzzle");
    await page.waitForSelector("#puzzle-hint");
    await page.click("#menu-games");
    await page.click("#my-games .about");
    await closed(page);
    await page.waitForSelector(".cell.movable");
    assertEqual([await page.$("#puzzle-hint"), await fen()], [null, typed], "the game on the board");
    // The back button of the browser leaves them, and the next one the page.
    for (const [open, leave] of [["#menu-puzzle", "#leave-puzzles"], ["#menu-setup", "#leave-setup"]]) {
      await page.click(open);
      await page.waitForSelector(leave);
      await page.evaluate(() => history.back());
      await page.waitForSelector(leave, { state: "detached" });
      await page.click(open);
      await page.click(leave);
      await eventually(() => page.evaluate(() => history.state), null, `the history after ${leave}`);
    }
    assertEqual(await fen(), typed, "the game after going back");
    // Puzzles of Black turn the board, but not the game behind it or the next one.
    const near = () => page.$eval(".cells .row:last-child", (row) => row.lastChild.dataset.point);
    fs.writeFileSync(inFolder("black.jsonl"), '{"fen":"9/7N1/3kb4/9/9/9/9/9/9/5K3 b","goal":"draw","solution":["d7d8"]}');
    await page.click("#menu-puzzle");
    await page.setInputFiles("#puzzle-file", inFolder("black.jsonl"));
    await eventually(near, "a9", "Black is below");
    assertEqual((await kept(page)).flipped, false, "the game after a reload");
    await openText(page, "h2e2");
    await eventually(near, "i0", "Red is below");
    return page;
  },

  async "resigning asks, draws are offered"(browser) {
    const page = await open(browser, server.address);
    assert(!(await page.isVisible("#do-resign")) && !(await page.isVisible("#do-offerDraw")), "without a game there is nothing to resign");
    await page.click("#menu-new");
    await page.selectOption("#level", "1");
    await page.click("#begin");
    await page.click("#do-offerDraw");
    await toasted(page, "info", "chuhe declines the draw: the game is still in the opening.");
    await page.click("#do-offerDraw");
    await toasted(page, "info", "just declined");
    await page.click("#do-resign");
    await page.waitForSelector("#resign-dialog");
    await axe(page, "the question before resigning");
    await page.keyboard.press("Enter");
    await closed(page);
    const head = () => page.textContent(".status .head");
    assert(/Red to move/.test(await head()), "Enter plays on");
    await page.click("#do-resign");
    await page.click("#resign-dialog-yes");
    await eventually(async () => /0-1/.test(await head()), true, "resigned");
    // If the endgame table shows that the engine cannot win, it accepts the draw.
    await openText(page, "3ak4/9/b3ba3/9/9/9/9/9/9/3KR4 w");
    await eventually(async () => /Red to move/.test(await head()), true, "the position");
    await page.click("#menu-new");
    await page.selectOption("#from", "here");
    await page.click("#begin");
    await closed(page);
    assert(!(await page.isVisible(".endgame-move")), "no endgame table during a game");
    await page.click("#do-offerDraw");
    await eventually(async () => /1\/2-1\/2 · draw agreed/.test(await head()), true, "the engine agrees");
    await page.waitForSelector(".endgame-move");
    // Two people agree.
    await page.click("#menu-new");
    await page.selectOption("#opponent", "human");
    await page.click("#begin");
    await eventually(async () => /Red to move/.test(await head()), true, "another game");
    await page.click("#do-offerDraw");
    await page.click("#draw-dialog-yes");
    await eventually(async () => /1\/2-1\/2 · draw agreed/.test(await head()), true, "the other agrees");
    return page;
  },

  async "a diagram has no moves"(browser) {
    const page = await open(browser, server.address);
    const status = () => page.textContent(".status");
    await openText(page, "h2e2 h9g7");
    await page.waitForSelector(".book-move");
    // Books for printing begin with an empty board.
    await openText(page, "9/9/9/9/9/9/9/9/9/9 w");
    await eventually(status, "A diagram, not a position of a gameGames cannot be played from it: Red has no king. Black has no king.", "an empty board");
    assertEqual([await page.$$eval(".book-move", (rows) => rows.length), await moves(page)], [0, []], "nothing of the previous position");
    assertEqual(await page.evaluate(() => window.toasts.filter((toast) => toast.startsWith("toast error"))), [], "errors");
    // No game starts from it.
    await page.click("#menu-new");
    await page.selectOption("#from", "here");
    await page.click("#begin");
    await toasted(page, "error", "Red has no king.");
    await escape(page);
    await page.fill("#comment", "an introduction");
    const text = fs.readFileSync(await save(page, "pgn"), "utf8");
    assert(text.includes("9/9/9/9/9/9/9/9/9/9 w") && text.includes("{an introduction}"), text);
    await openText(page, "4k4/9/9/9/9/9/9/9/4R4/3K5 w");
    await eventually(async () => (await status()).endsWith("e9: the side to move could take the black king."), true, "a king that can be captured");
    await page.fill("#typed", "e1e2");
    await page.press("#typed", "Enter");
    await toasted(page, "error", "the start position is invalid: row 1 column 5: the side to move can take the black king");
    assertEqual(await moves(page), [], "moves of a diagram");
    return page;
  },

  async "a game continues while its record is read and edited"(browser) {
    const page = await open(browser, server.address);
    const game = async () => {
      const { tree, game } = await kept(page);
      // The moves up to the end of the game, from its path in the tree.
      let at = 0;
      return game.tip.map((index) => {
        const children = tree.nodes.map((node, place) => ({ ...node, place })).filter(({ parent }) => parent === at);
        at = children[index].place + 1;
        return `${index} ${children[index].move}`;
      });
    };
    const type = async (move) => {
      await page.fill("#typed", move);
      await page.press("#typed", "Enter");
    };
    const answered = (plies) => eventually(async () => (await game()).length, plies, "the engine's move");
    await page.click("#menu-new");
    await page.selectOption("#level", "6");
    await page.selectOption("#clock", "20+10");
    await page.click("#begin");
    await closed(page);
    // Another first move while the engine thinks about the answer to the first one.
    await play(page, "h2e2");
    await page.keyboard.press("Home");
    await play(page, "b0c2");
    await answered(2);
    assertEqual((await game())[0], "0 b0c2", "the game is the main line");
    assert((await kept(page)).tree.nodes.some(({ parent, move }) => parent === 0 && move === "h2e2"), "the other first move is a variation");
    // A line of the analysis is a variation of the game.
    await page.click("#analyse");
    await page.click(".lines .keep");
    await eventually(async () => (await moves(page)).length > 3, true, "the line is added");
    await page.click("#analyse");
    await type("a0a1");
    await answered(4);
    assertEqual((await game()).map((move) => move[0]), ["0", "0", "0", "0"], "the game is the main line");
    // Known moves step through the record, and neither shorten the game nor give time.
    const before = await game();
    const { red } = (await kept(page)).game.clock.left;
    await page.keyboard.press("Escape");
    await page.focus("#do-first");
    await page.keyboard.press("Enter");
    await type("b0c2");
    await eventually(() => page.inputValue("#typed"), "", "a known move");
    assertEqual((await kept(page)).path, [0], "the move on the board");
    assertEqual(await game(), before, "the game");
    assert((await kept(page)).game.clock.left.red <= red, "the clock");
    // The engine's moves are its own.
    await type("a6a5");
    await toasted(page, "warning", "It is chuhe’s turn");
    assertEqual([await page.inputValue("#typed"), await game()], ["a6a5", before], "a move of the engine");
    return page;
  },

  async "the whole board on every screen, and no note on it"(browser) {
    for (const [width, height, isTouch] of [[360, 640, true], [844, 390, true], [667, 375, true], [768, 1024, true], [1280, 800, false]]) {
      const page = await open(browser, server.address, { viewport: { width, height }, hasTouch: isTouch, isMobile: isTouch });
      const where = `${width} × ${height}`;
      const board = await page.$eval("#board", (element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return [left, top, right, bottom];
      });
      assert(board[0] >= 0 && board[1] >= 0 && board[2] <= width && board[3] <= height, `${where}: the board is at ${board.map(Math.round)}`);
      if (width > height) {
        const right = await page.$eval("#right", (element) => element.getBoundingClientRect().left);
        assert(right > board[2], `${where}: the panels are beside the board`);
      }
      assert((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${where}: nothing is wider than the screen`);
      // Several toasts, one of them long. They disappear after a while, the last one latest.
      await page.keyboard.press("s");
      await page.fill("#typed", "nonsense");
      await page.press("#typed", "Enter");
      await toasted(page, "error");
      await page.evaluate(() => {
        document.activeElement.blur();
        scrollTo(0, 0);
      });
      await page.keyboard.press("s");
      await toasted(page, "info", "Sounds are on");
      await eventually(() => covered(page), 0, `${where}: area of the board covered by toasts`);
      await axe(page, where);
      // In a game with the longest clocks the two clocks and all buttons are next to the board.
      await page.click("#menu-new");
      await page.selectOption("#opponent", "human");
      await page.selectOption("#clock", "60+30");
      await page.click("#begin");
      await closed(page);
      await page.waitForSelector("#do-resign:not([hidden])");
      const overlaps = await page.$$eval("#board, .player .time, #controls button:not([hidden])", (parts) => {
        const boxes = parts.map((part) => part.getBoundingClientRect());
        const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        const isIn = ({ left, right }) => left >= 0 && right <= innerWidth;
        return parts.filter((_, at) => !isIn(boxes[at]) || boxes.some((box, other) => other !== at && meet(box, boxes[at]))).map((part) => part.id || part.className);
      });
      assertEqual(overlaps, [], `${where}: clocks and buttons that overlap`);
      await page.context().close();
    }
  },

  async "moves speak the language of the page until the reader chooses"(browser) {
    const page = await open(browser, server.address);
    await play(page, "h2e2");
    await page.click("#menu-settings");
    for (const [language, move] of [["zh-Hans", "炮二平五"], ["en", "C2=5"]]) {
      await page.selectOption("#set-language", language);
      await eventually(() => moves(page), [move], `moves in ${language}`);
      await onlyOne(page);
    }
    await page.selectOption("#set-notation", "iccs");
    await eventually(() => moves(page), ["H2-E2"], "another notation");
    await page.selectOption("#set-language", "zh-Hans");
    await page.waitForFunction(() => document.querySelector("#menu-open").textContent.includes("打开"));
    await onlyOne(page);
    await escape(page);
    // The names of the moves are requested before the answer about the next position.
    await play(page, "h9g7");
    await page.waitForSelector(".cell.movable");
    assertEqual(await moves(page), ["H2-E2", "H9-G7"], "the reader's choice");
    // Also the move of an engine that has begun to think before.
    await page.click("#menu-new");
    await page.selectOption("#level", "12");
    await page.uncheck("#use-book");
    await page.click("#begin");
    await closed(page);
    await play(page, "h2e2");
    await page.click("#menu-settings");
    await page.selectOption("#set-notation", "chinese");
    await escape(page);
    await eventually(async () => (await moves(page)).map((move) => /^[^\x00-\x7f]+$/.test(move)), [true, true], "moves in characters");
    return page;
  },
});

/** Waits until the dialogue in the previous language is removed. */
const onlyOne = (page) => page.waitForFunction(() => document.querySelectorAll("dialog").length === 1);
