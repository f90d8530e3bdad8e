// The page: one game on one board. The page holds the game tree; the server answers questions about it.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import * as dialogs from "./dialogs.js";
import { $, announce, button, h, placeToasts, toast } from "./dom.js";
import { Explorer } from "./explorer.js";
import { Game } from "./game.js";
import { DatabaseStore, Library, MemoryStore, fingerprint, newId } from "./games.js";
import { Keeper, textOf } from "./keeper.js";
import { Link } from "./link.js";
import { Moves, Remarks } from "./moves.js";
import { myGames } from "./mygames.js";
import { Opener } from "./opener.js";
import { Trainer } from "./puzzles.js";
import { Setup } from "./setup.js";
import { prepareSound, sound } from "./sounds.js";
import { choosePreference, forgetFormerGames, formerGames, keepSession, keepSessionGame, preferences, session, sessionGame } from "./store.js";
import { Tree, other, pointsOf, sideOf } from "./tree.js";
import { Wheel } from "./wheel.js";
import { headed, named, scripted, setLanguage, sideName, t, tongue } from "./words.js";

/** Maximum number of undo steps; fewer are kept of trees with more than LARGE nodes. */
const MOST_UNDO = 60;
const LARGE = 3000;
/** Delay in milliseconds before a change is saved, so that the frame that shows it is drawn first. */
const AFTER_FRAME = 40;

/** What the panels show of a position without an answer. */
const NOTHING = { book: [], legal: [] };

const app = {
  tree: new Tree(),
  node: null,
  /** The server's answer about the position on the board; null until it arrives. */
  position: null,
  /** The file from which the game was opened. */
  file: null,
  /** The game as opened from a file: the file name, the number of the game, and a fingerprint of its tree. */
  origin: null,
  /** The name given to the game by the user. */
  name: "",
  /** The stored title of a saved game whose file is no longer available. */
  formerTitle: "",
  /** The notation of the move names in the tree. */
  notation: preferences.notation,
  /** Whether games are stored in the browser's database. */
  isStored: true,
  library: new Library(new MemoryStore()),
  arrows: { engine: [], hint: [], loop: [] },
  undone: [],
  known: new Map(),

  // ---------------------------------------------------------------------------------------------------- the board

  /** Whether the position editor or the puzzle trainer uses the board. */
  get isCovered() {
    return app.setup.isOpen || app.trainer.isOpen;
  },

  /** Clears the board for the position editor or the puzzle trainer: searches end, and the clocks of the game wait. The browser's back button
   * returns to the game. */
  cover() {
    if (!history.state?.isCovered) history.pushState({ isCovered: true }, "");
    app.game.suspend();
    if (!app.analysis.isReviewing) app.link.stop();
    app.analysis.clear();
    for (const kind of ["hint", "loop"]) app.setArrows(kind, []);
    app.board.showShapes(null);
  },

  /** Closes the position editor or the puzzle trainer. */
  uncover() {
    for (const cover of [app.setup, app.trainer]) if (cover.isOpen) cover.close();
  },

  /** The same for good: the next step back leaves the page again. */
  leaveCover() {
    app.uncover();
    if (history.state?.isCovered) history.back();
  },

  /** Shows a node on the board. */
  go(node) {
    if (app.isCovered) return;
    const isNew = node !== app.node;
    app.node = node;
    if (isNew) {
      app.analysis.pause();
      app.setArrows("hint", []);
      // A move that was played has already been announced.
      if (node !== app.soundOf) app.speak(node);
    }
    app.board.showShapes(node.shapes);
    app.position = null;
    app.showBoard();
    app.moves.mark(node);
    app.remarks.show(app.tree, node);
    app.analysis.markGraph();
    app.game.showPlayers();
    app.showPosition(node);
    app.keep();
  },

  showBoard() {
    const { node, position, tree } = app;
    const pieces = tree.placement(node);
    let check = null;
    if (position?.check) check = pieces.indexOf(position.side === "red" ? "K" : "k");
    const legal = position?.legal.filter(({ move }) => app.game.mayPlay(node, [move]));
    app.board.show({ pieces, last: node.move, check, legal });
  },

  /** Queries the position at a node. Recent answers are cached, unless other pages can change them by editing the book. A position from which
   * no game can be played, such as the empty board of an introduction, is a `diagram`: the reasons, and no moves. */
  async positionOf(node, tree = app.tree) {
    const line = tree.line(node);
    const ask = { line, notation: preferences.notation, language: tongue(), rules: preferences.rules };
    const key = JSON.stringify(ask);
    const known = !app.link.hello?.book && app.known.get(key);
    if (known) return known;
    let position;
    try {
      position = await app.link.ask("position", ask);
    } catch (error) {
      const { playable, fen, faults } = await app.link.ask("setup", { fen: line.start });
      if (playable) throw error;
      position = { ...NOTHING, fen: fen ?? line.start, side: sideOf(line.start), diagram: faults, ruling: { verdict: "undecided", lines: [], moves: [] } };
    }
    if (app.known.size > 400) app.known.delete(app.known.keys().next().value);
    app.known.set(key, position);
    return position;
  },

  /** Called when the opening book has changed or, like the endgame tables, has been loaded: queries the position again, without restarting
   * the search. */
  async refresh() {
    app.known.clear();
    const { node } = app;
    const position = await app.positionOf(node).catch(() => null);
    if (!position || app.node !== node || app.isCovered) return;
    app.position = position;
    app.showStatus();
    app.showPosed(position);
  },

  /** Shows the book and the endgame tables of a position. */
  showPosed(position) {
    app.analysis.showBook(position);
    app.analysis.showEndgame(position);
  },

  /** Queries the position at a node and shows it. */
  async showPosition(node) {
    let position;
    try {
      position = await app.positionOf(node);
    } catch (error) {
      if (app.node === node && !app.isCovered) {
        // Nothing of the previous position remains.
        app.status.replaceChildren(h("p", { class: "head" }, h("b", {}, error.message)));
        app.showPosed(NOTHING);
      }
      return toast(error.message, "error");
    }
    if (app.soundOf === node) {
      app.soundOf = null;
      const isCapture = node.parent && app.tree.placement(node.parent)[pointsOf(node.move)[1]];
      const isOver = position.ruling.verdict !== "undecided";
      // The game plays its own sound when it ends.
      if (!isOver || !app.game.isRunning) sound(isOver ? "end" : position.check ? "check" : isCapture ? "capture" : "move");
    }
    app.game.arrived(node, position);
    if (app.node !== node || app.isCovered) return;
    app.position = position;
    app.showBoard();
    app.showStatus();
    app.showPosed(position);
    app.explorer.show();
    app.analysis.restart();
  },

  setArrows(kind, arrows) {
    app.arrows[kind] = arrows;
    app.board.showArrows([...app.arrows.loop, ...app.arrows.engine, ...app.arrows.hint]);
  },

  /** Stores the shapes that the user has drawn on the board. */
  draw(shapes) {
    app.remember();
    app.node.shapes = shapes;
    app.board.showShapes(shapes);
    app.keepChange();
  },

  setFlipped(flipped) {
    app.board.setFlipped(flipped);
    $("bar").classList.toggle("flipped", flipped);
    app.game.showPlayers();
  },

  // ---------------------------------------------------------------------------------------------------- moves

  /** Plays a move made on the board. */
  playMove(from, to) {
    if (app.trainer.isOpen) return app.trainer.play(from, to);
    const move = app.position?.legal.find(({ move }) => move === from + to);
    if (!move) return;
    app.playLine([move.move], [move.text]);
  },

  /** Plays moves from the current node, as a variation if it already has other moves. With `staysHere` they are only added to the tree.
   * Returns whether they were played. */
  playLine(moves, texts, staysHere = false) {
    const { game, node: before, tree } = app;
    if (!staysHere && !game.mayPlay(before, moves)) return app.refuse();
    let isChanged = false;
    let node = before;
    moves.forEach((move, index) => {
      const isNew = !tree.child(node, move);
      // A known move elsewhere than at the end of the game only steps through the record.
      const isPlayed = !staysHere && game.isRunning && (isNew || node === game.tip);
      if ((isNew || isPlayed) && !isChanged) {
        app.remember();
        isChanged = true;
      }
      node = tree.add(node, move, texts[index]);
      if (isPlayed) game.moved(node);
    });
    if (!staysHere) app.announceMove(node);
    if (isChanged) app.treeChanged(true);
    app.go(staysHere ? before : node);
    return true;
  },

  /** Rejects a move that the engine has to make. */
  refuse() {
    toast(t("engineTurn"), "warning");
    return false;
  },

  /** Announces a move: its sound, and its name for screen readers. */
  announceMove(node) {
    app.soundOf = node;
    app.speak(node);
  },

  speak(node) {
    app.spoken = node.parent ? headed(sideName(other(app.tree.side(node))), node.text) : t("start");
    announce(app.spoken);
  },

  async typeMove(input) {
    const text = input.value.trim();
    const { node } = app;
    if (!text) return;
    if (node === app.game.tip && !app.game.mayPlay(node, [""])) return app.refuse();
    try {
      const { moves } = await app.link.ask("read", { line: app.tree.line(node), text, notation: preferences.notation });
      if (app.node === node && app.playLine(moves.map(({ move }) => move), moves.map(({ text }) => text))) input.value = "";
    } catch (error) {
      toast(error.message, "error");
      announce(error.message);
    }
  },

  // ---------------------------------------------------------------------------------------------------- the tree

  /** Saves the current tree, and the notation of its names, for `undo`. Consecutive changes of the same kind form a single step. */
  remember(kind) {
    if (kind && kind === app.lastKind) return;
    app.lastKind = kind;
    const form = app.tree.form();
    if (form.nodes.length > LARGE && app.undone.length > 4) app.undone.splice(0, app.undone.length - 4);
    app.undone.push({ form, drawings: app.tree.drawings(), names: app.tree.names(), notation: app.notation, path: app.tree.path(app.node), game: app.game.kept() });
    if (app.undone.length > MOST_UNDO) app.undone.shift();
  },

  undo() {
    const step = app.undone.pop();
    if (!step) return;
    app.game.stopThinking();
    Object.assign(app, { lastKind: null, tree: Tree.of(step.form, step.names), notation: step.notation });
    app.tree.setDrawings(step.drawings);
    if (step.game) app.game.restore({ ...step.game, clock: app.game.clocks.kept() ?? step.game.clock });
    app.treeChanged();
    app.go(app.tree.at(step.path));
    if (app.node !== app.game.tip) app.game.resume();
    if (app.notation !== preferences.notation) app.rename();
    toast(t("undone"));
  },

  change(work, kind) {
    app.remember(kind);
    work();
    app.treeChanged();
  },

  /** Called when the tree has changed. `isGoing`: another of its nodes is shown next. */
  treeChanged(isGoing = false) {
    const judged = new Map([...app.analysis.judged()].map(([ply, move]) => [ply, move.judgement]));
    app.moves.build(app.tree, app.node ?? app.tree.root, judged);
    if (!isGoing && app.node && app.reachable(app.node)) app.remarks.show(app.tree, app.node);
    app.analysis.showReview();
    app.showTitle();
    app.keepChange();
  },

  reachable(node) {
    let at = node;
    while (at.parent) {
      if (!at.parent.children.includes(at)) return false;
      at = at.parent;
    }
    return at === app.tree.root;
  },

  /** Replaces the game on the board, after saving it. */
  replaceTree(tree, { keepsFile, node }) {
    app.keepNow();
    app.leaveTree();
    if (!keepsFile) app.file = null;
    app.formerTitle = "";
    app.origin = app.file && !("text" in app.file.source) ? { name: app.file.name, game: app.file.game, print: fingerprintOf(tree) } : null;
    app.keeper.take();
    app.putTree(tree, node ?? tree.root);
  },

  leaveTree() {
    if (app.trainer.isOpen) app.trainer.leave();
    if (app.setup.isOpen) app.setup.leave();
    app.leaveCover();
    app.game.leave();
    app.analysis.stopReview(false);
    app.name = "";
  },

  putTree(tree, node) {
    app.tree = tree;
    app.undone = [];
    app.lastKind = null;
    app.node = node;
    app.treeChanged();
    app.go(node);
  },

  startGame(options) {
    app.game.start(options);
    app.treeChanged();
    app.go(app.tree.root);
  },

  // ---------------------------------------------------------------------------------------------------- keeping

  /** Saves the state of the tab for a reload, after a delay because users step through a game quickly. */
  keep() {
    clearTimeout(app.keeping);
    app.keeping = setTimeout(app.keepNow, app.hasChanged && app.size < LARGE ? AFTER_FRAME : 150);
  },

  /** Saves a change of the game; large trees are saved after a delay because users type quickly. */
  keepChange() {
    app.hasChanged = true;
    app.keep();
  },

  keepNow() {
    clearTimeout(app.keeping);
    const record = app.record();
    app.size = record.names.length;
    const whole = { ...record, name: app.name, origin: app.origin, analysing: app.analysis.isOn, setup: app.setup.shown?.tree.start };
    const isKept = keepSession(whole) || keepSession({ ...whole, review: null, file: null });
    if (app.hasChanged) app.keeper.changed();
    app.hasChanged = false;
    if (!isKept && !app.isStored && !app.wasWarned) toast(t("notStored"), "warning");
    app.wasWarned = !isKept;
  },

  /** Saves everything, including the clocks, because the page may be closed. */
  keepAll() {
    app.keepNow();
    if (app.game.isRunning && app.game.clocks.left) app.keeper.changed(true);
  },

  /** The game on the board with all its state. */
  record() {
    const { file: chosen, text } = app.file?.source ?? {};
    const file = app.file && (chosen?.bytes ?? text ?? "").length < 500_000 ? app.file : null;
    return { title: app.recordTitle(), tree: app.tree.form(), drawings: app.tree.drawings(), names: app.tree.names(), notation: app.notation, game: app.game.kept(), review: app.analysis.kept(), file, path: app.tree.path(app.node), flipped: app.trainer.isOpen ? app.trainer.wasFlipped : app.board.flipped };
  },

  /** The game in the form stored in the library; null if it is empty. */
  snapshot() {
    const { tree, game, origin } = app;
    if (tree.isEmpty() && (game.on || !tree.tags.length)) return null;
    const record = app.record();
    const isUntouched = origin && !record.review && origin.print === fingerprintOf(tree);
    const line = tree.mainLine();
    const moves = line.slice(0, 4).map((node) => node.text).join(" ");
    return { record, head: { title: app.recordTitle(), moves, plies: line.length, result: tree.result, isPlaying: game.on && !game.over, ...(isUntouched && { source: origin }) } };
  },

  restore() {
    const kept = session();
    if (kept) {
      app.setRecord(kept);
      app.name = kept.name ?? "";
      app.origin = kept.origin ?? null;
      app.analysis.isOn = !!kept.analysing;
      app.formerSetup = kept.setup;
    }
    const game = sessionGame();
    const now = app.snapshot();
    // A change that may not have been written is written at the first opportunity.
    Object.assign(app, { hasChanged: !!game?.isDirty, formerId: game?.id });
    if (game && now) app.keeper.take({ ...game, text: game.isDirty ? null : textOf(now.record) });
    else app.keeper.take();
    return !!kept;
  },

  setRecord(record) {
    app.tree = Tree.of(record.tree, record.names);
    app.tree.setDrawings(record.drawings);
    app.node = app.tree.at(record.path);
    app.file = record.file ?? null;
    const given = app.file?.source.given;
    // From an earlier version: only the place in a list, which the next run of the server may not have.
    if (given !== undefined) app.file.source = { given_file: { name: app.file.name, number: given } };
    app.formerTitle = record.title ?? "";
    app.notation = record.notation ?? preferences.notation;
    app.board.setFlipped(!!record.flipped);
    app.game.restore(record.game);
    app.analysis.restore(record.review);
  },

  /** Shows a saved game on the board. */
  putRecord(record, head) {
    app.leaveTree();
    app.setRecord(record);
    app.name = head?.name ?? "";
    app.origin = head?.source ?? null;
    app.setFlipped(app.board.flipped);
    app.putTree(app.tree, app.node);
    if (app.notation !== preferences.notation) app.rename();
    app.game.resume();
  },

  /** Opens a game of the library. */
  async openKept(id) {
    if (id === app.keeper.game.id) {
      app.uncover();
      return true;
    }
    app.keepNow();
    await app.keeper.writing;
    const kept = await app.library.read(id).catch(() => null);
    if (!kept) {
      toast(t("notFound"), "error");
      return false;
    }
    app.keeper.take({ id, revision: kept.head.revision, text: textOf(kept.record) });
    app.putRecord(kept.record, kept.head);
    return true;
  },

  /** Clears the board after its game was deleted. */
  clearBoard() {
    clearTimeout(app.keeping);
    app.hasChanged = false;
    app.leaveTree();
    Object.assign(app, { file: null, origin: null, formerTitle: "" });
    app.keeper.take();
    const tree = new Tree();
    app.putTree(tree, tree.root);
  },

  showGames() {
    myGames(app).catch((error) => toast(error.message, "error"));
  },

  /** Called when a game was renamed in the list. */
  named(id, name) {
    if (id !== app.keeper.game.id) return;
    app.name = name;
    app.showTitle();
    app.keep();
  },

  /** Sets whether another page owns this game. */
  setElsewhere(isElsewhere) {
    if (!!app.isElsewhere === isElsewhere) return;
    app.isElsewhere = isElsewhere;
    app.game.setElsewhere(isElsewhere);
    app.showElsewhere();
  },

  showElsewhere() {
    app.elsewhere.hidden = !app.isElsewhere;
    app.elsewhere.replaceChildren(...(app.isElsewhere ? [h("p", {}, t("elsewhere")), button("", t("takeOver"), () => app.keeper.takeOver(), { id: "take-over", class: "small" })] : []));
  },

  makeKeeper() {
    app.channel = globalThis.BroadcastChannel ? new BroadcastChannel("chuhe-games") : null;
    app.channel?.addEventListener("message", ({ data }) => data.isBook && app.refresh());
    app.keeper = new Keeper({
      locks: navigator.locks,
      channel: app.channel,
      snapshot: app.snapshot,
      onload: (record) => {
        // A user who is at the last move follows the game to its new end.
        const isAtEnd = app.node === app.tree.end(app.tree.root) || app.node === app.game.tip;
        const own = { ...record, flipped: app.board.flipped, ...(!isAtEnd && { path: app.tree.path(app.node) }) };
        if (!app.isCovered) return app.putRecord(own, { name: app.name });
        // The setup or the trainer covers the board: update the game behind it.
        app.game.leave();
        app.setRecord(own);
        app.undone = [];
        app.treeChanged();
        if (app.notation !== preferences.notation) app.rename();
      },
      onelsewhere: (isElsewhere) => app.setElsewhere(isElsewhere),
      oncopy: () => {
        app.game.leave();
        app.setElsewhere(false);
        toast(t("copied-game"), "warning");
      },
      onfail: (error) => {
        if (!app.hasFailed) toast(`${t("notStored")} (${error.message ?? error})`, "warning");
        app.hasFailed = true;
      },
      onkept: keepSessionGame,
    });
  },

  /** Opens the database of games. A new page shows the game that its tab had no room to keep, or else the last one, unless another page owns it. */
  async openLibrary(isNew) {
    try {
      app.library = new Library(await DatabaseStore.open());
    } catch {
      app.isStored = false;
      toast(t("noLibrary"), "warning");
    }
    const { library } = app;
    await app.keeper.start(library);
    for (const { at, title, tree, names } of formerGames()) {
      const head = { id: newId(at), revision: 1, created: at, changed: at, title, moves: names.slice(0, 4).join(" "), plies: Tree.of(tree).mainLine().length, result: tree.result || "*" };
      await library.put(head, { tree, names, notation: preferences.notation, path: [] });
    }
    if (app.isStored) forgetFormerGames();
    const held = new Set(((await navigator.locks?.query().catch(() => null))?.held ?? []).map(({ name }) => name));
    await library.tidy((id) => id === app.keeper.game.id || held.has(`chuhe-game-${id}`));
    const [last] = (await library.list()).sort((a, b) => (b.id === app.formerId) - (a.id === app.formerId));
    if (isNew && last && app.tree.isEmpty() && !app.game.on && !held.has(`chuhe-game-${last.id}`)) await app.openKept(last.id);
    app.explorer.changed();
  },

  // ---------------------------------------------------------------------------------------------------- display

  /** Shows the result, ruling and remarks next to the board. */
  showStatus(isNews = false) {
    const { position, game, node } = app;
    if (!position || app.isCovered) return;
    const parts = [];
    const ruling = position.ruling;
    const isOver = ruling.verdict !== "undecided";
    let head;
    if (game.over && node === game.tip) head = `${game.over.result} · ${game.overText()}`;
    else if (position.diagram) head = t("diagram");
    else if (isOver) head = `${t(ruling.verdict)} · ${t(ruling.cause)}`;
    else head = `${t("toMove", { side: sideName(position.side) })}${position.check ? ` · ${t("check")}` : ""}`;
    parts.push(h("p", { class: "head" }, h("span", { class: `dot ${position.side}`, "aria-hidden": "true" }), h("b", {}, head), position.opening && h("span", { class: "soft opening" }, named(position.opening))));
    if (position.diagram) parts.push(h("p", { class: "soft" }, app.setup.whyNot(position.diagram)));
    const remark = app.analysis.remark(node);
    if (remark) parts.push(h("p", { class: "judgement" }, remark));
    if (ruling.provisional) parts.push(h("p", { class: "warning" }, t("warning", { verdict: t(ruling.provisional) })));
    if (ruling.lines.length && (isOver || ruling.provisional)) {
      parts.push(h("details", { class: "ruling", open: isOver }, h("summary", {}, headed(t("ruling"), t(isOver ? ruling.verdict : ruling.provisional))), h("ol", { tabindex: "0", "aria-label": t("ruling") }, ruling.lines.map((line) => h("li", {}, scripted(line))))));
    }
    app.status.replaceChildren(...parts);
    app.status.classList.toggle("over", isOver || (!!game.over && node === game.tip));
    const loop = app.tree.nodesAt(node, ruling.moves);
    app.moves.accuse(loop);
    app.setArrows("loop", [...new Set(ruling.moves.map(({ move }) => move))].map((move) => ({ move, kind: "loop", width: 8 })));
    const tells = [position.check && t("check"), (isOver || isNews) && head].filter(Boolean).join(". ");
    if (tells && node.parent) announce(`${app.spoken ?? ""}. ${tells}`);
    app.spoken = "";
  },

  /** The title of the record, or of its file. */
  recordTitle() {
    const [red, black] = [app.tree.tag("Red"), app.tree.tag("Black")];
    if (red || black) return `${red || sideName("red")} – ${black || sideName("black")}`;
    const { file } = app;
    const own = app.tree.tag("Title") || app.tree.tag("Event");
    // A file too large to be stored leaves only its name in `formerTitle`.
    if (own || !file || "text" in file.source) return own || app.formerTitle;
    const name = file.name.replace(/^.*[/\\]/, "").replace(/\.\w{1,8}$/, "");
    return file.games.length > 1 ? `${name} · ${file.game}` : name;
  },

  showTitle() {
    const title = app.name || app.recordTitle();
    document.title = title ? `${title} · chuhe 楚河` : "chuhe 楚河";
    const { file } = app;
    const several = file && file.games.length > 1;
    app.title.replaceChildren(
      h("button", { type: "button", class: "title", title: t("tags"), onclick: () => dialogs.tags(app) }, title || t("tags"), app.tree.result !== "*" && h("span", { class: "soft" }, ` ${app.tree.result}`)),
      ...(several ? [h("button", { type: "button", class: "games-button", onclick: () => dialogs.games(app) }, t("gameOf", { n: file.game, of: file.games.length + file.moreGames }))] : []));
  },

  /** Shows the panels of the right column: those of the game, or the given ones instead. */
  showPanels(panels) {
    $("right").replaceChildren(...(panels ?? [app.statusPanel, app.analysis.engine, app.movesPanel, app.analysis.endgame, app.analysis.book, app.explorer.panel, app.analysis.reviewPanel]));
    document.body.classList.toggle("other-panels", !!panels);
  },

  /** Builds everything that contains text. */
  build() {
    setLanguage(preferences.language);
    const menu = [["new", "newGame", () => dialogs.newGame(app)], ["open", "open", () => dialogs.open(app)], ["save", "save", () => dialogs.save(app)], ["games", "myGames", () => app.showGames()], ["setup", "setup", () => app.setup.open()], ["puzzle", "puzzles", () => app.trainer.open()], ["settings", "settings", () => dialogs.settings(app)]];
    $("menu").replaceChildren(...menu.map(([sign, name, act]) => button(sign, t(name), act, { id: `menu-${sign}`, "aria-label": t(name) })));
    const go = (find) => () => app.go(find(app.node) ?? app.node);
    const controls = [["first", "first", go(() => app.tree.root)], ["back", "back", go((node) => node.parent)], ["next", "next", go((node) => node.children[0])], ["last", "last", go((node) => app.tree.end(node))], ["flip", "flip", () => app.setFlipped(!app.board.flipped)], ["hint", "hint", () => app.analysis.hint()], ["undo", "takeBack", () => app.game.takeBack()], ["half", "offerDraw", () => app.game.offerDraw()], ["flag", "resign", () => app.game.resign()]];
    $("controls").setAttribute("aria-label", t("controls"));
    $("controls").replaceChildren(...controls.map(([sign, name, act]) => button(sign, t(name), act, { id: `do-${name}`, "aria-label": t(name) })));
    app.game.showControls();
    $("offline").textContent = t("offline");
    app.status = h("div", { class: "status" });
    app.title = h("div", { class: "title-row" });
    app.elsewhere = h("div", { id: "elsewhere", role: "status", hidden: true });
    app.showElsewhere();
    app.statusPanel = h("section", { class: "panel", "aria-label": t("state") }, app.elsewhere, app.title, app.status);
    const list = h("div", { class: "moves", tabindex: "0", role: "group", "aria-label": t("moves") });
    const remarks = h("div", { class: "remarks" });
    const typed = h("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false", placeholder: t("typeHint") });
    const form = h("form", { class: "typed", onsubmit: (event) => {
      event.preventDefault();
      app.typeMove(typed);
    } }, h("label", { for: "typed", class: "unseen" }, t("typeMove")), typed, h("button", { type: "submit" }, t("play")));
    app.moves = new Moves(list, { ongo: (node) => app.go(node) });
    app.remarks = new Remarks(remarks, {
      onedit: (node, parts) => {
        app.remember(`${Object.keys(parts)[0]} ${node.id}`);
        Object.assign(node, parts);
        app.moves.build(app.tree, app.node, new Map([...app.analysis.judged()].map(([ply, move]) => [ply, move.judgement])));
        if (parts.glyphs) app.remarks.show(app.tree, node);
        app.keepChange();
      },
      onremove: (node) => {
        app.change(() => app.tree.remove(node));
        if (app.game.on && !app.reachable(app.game.tip)) app.game.leave();
        app.go(node.parent);
      },
      onpromote: (node) => {
        app.change(() => app.tree.promote(node));
        app.go(node);
      },
      onundo: () => app.undo(),
    });
    app.movesPanel = h("section", { class: "panel moves-panel", "aria-label": t("moves") }, list, form, remarks);
    app.analysis.build();
    app.explorer.build();
    app.board.makeCells();
    app.showPanels(app.setup.isOpen ? [app.setup.panel] : null);
    app.treeChanged();
  },

  relanguage() {
    if (app.trainer.isOpen) app.trainer.close();
    app.build();
    if (app.setup.isOpen) app.setup.rebuild();
    app.rename();
  },

  /** Converts all move names to the current notation. */
  async rename() {
    const { tree } = app;
    const { notation } = preferences;
    // Those of the question: moves can be added and removed before the answer.
    const nodes = tree.nodes();
    try {
      const names = await app.link.ask("names", { tree: tree.form(), notation });
      nodes.forEach((node, index) => (node.text = names[index] ?? node.move));
      if (app.tree === tree) app.notation = notation;
      await app.analysis.rename(notation);
    } catch (error) {
      toast(error.message, "error");
    }
    if (app.tree !== tree) return;
    app.treeChanged();
    if (!app.setup.isOpen) app.go(app.node);
  },

  applyLook() {
    document.documentElement.dataset.theme = preferences.theme;
    document.body.classList.toggle("still", !preferences.animate);
    app.board.setLook(preferences.pieces, preferences.edges);
    if (!preferences.arrows) app.setArrows("engine", []);
  },

  setSounds(isOn) {
    choosePreference("sounds", isOn);
    toast(t(isOn ? "soundsOn" : "soundsOff"));
  },

  key(event) {
    const { target } = event;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (app.trainer.isOpen && event.key === "Escape") app.leaveCover();
    if (app.isCovered || event.key === "Escape") return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !/INPUT|TEXTAREA/.test(target.tagName)) {
      event.preventDefault();
      return app.undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(target.tagName)) return;
    const steps = { ArrowLeft: (node) => node.parent, ArrowRight: (node) => node.children[0], Home: () => app.tree.root, End: (node) => app.tree.end(node), ArrowDown: (node) => sibling(node, 1), ArrowUp: (node) => sibling(node, -1) };
    if (steps[event.key]) {
      event.preventDefault();
      app.go(steps[event.key](app.node) ?? app.node);
    } else if (event.key === "f") app.setFlipped(!app.board.flipped);
    else if (event.key === "a") app.analysis.toggle();
    else if (event.key === "h") app.analysis.hint();
    else if (event.key === "s") app.setSounds(!preferences.sounds);
    else if (event.key === "g") app.showGames();
    else if (event.key === "?") dialogs.keys();
  },
};

/** The fingerprint of a game in the form it has in its file. */
const fingerprintOf = (tree) => fingerprint(JSON.stringify(tree.form(true)));

const sibling = (node, step) => node.parent && node.parent.children[node.parent.children.indexOf(node) + step];

function start() {
  setLanguage(preferences.language);
  app.node = app.tree.root;
  app.board = new Board($("board"), { onmove: (from, to) => app.playMove(from, to), onedit: (point, isErasing) => app.setup.edit(point, isErasing), ondraw: app.draw });
  const wheel = new Wheel();
  $("board").addEventListener("wheel", (event) => {
    if (app.isCovered) return;
    const step = wheel.take(event);
    if (step === null) return;
    event.preventDefault();
    if (step) app.go((step > 0 ? app.node.children[0] : app.node.parent) ?? app.node);
  }, { passive: false });
  app.setup = new Setup(app);
  app.trainer = new Trainer(app);
  app.analysis = new Analysis(app);
  app.explorer = new Explorer(app);
  app.game = new Game(app);
  app.opener = new Opener(app);
  app.link = new Link((isOpen, reason) => {
    Object.assign($("offline"), { textContent: t(reason ?? "offline"), hidden: isOpen });
    app.game.setConnected(isOpen);
    document.body.classList.toggle("lost", !isOpen);
  }, () => {
    // A server that was started again may have another book and another library.
    app.known.clear();
    app.explorer.choose();
    if (app.position) app.refresh();
  }, () => app.refresh());
  app.makeKeeper();
  const isRestored = app.restore();
  app.applyLook();
  app.build();
  app.go(app.node);
  if (app.file) app.explorer.opened(app.file.source, app.file.name);
  app.game.resume();
  if (app.notation !== preferences.notation) app.rename();
  if (app.formerSetup) app.setup.open(app.formerSetup);
  const isLinked = /^#(fen|game)=/.test(location.hash);
  if (isLinked) app.opener.openAddress();
  addEventListener("hashchange", () => app.opener.openAddress());
  addEventListener("popstate", app.uncover);
  app.opening = app.openLibrary(!isRestored && !isLinked).catch((error) => toast(error.message, "error"));
  document.addEventListener("keydown", app.key);
  prepareSound();
  addEventListener("pagehide", app.keepAll);
  for (const event of ["scroll", "resize"]) addEventListener(event, placeToasts, { passive: true });
  document.addEventListener("visibilitychange", () => document.hidden && app.keepAll());
  document.addEventListener("paste", (event) => {
    if (/INPUT|TEXTAREA/.test(event.target.tagName) || app.setup.isOpen || document.querySelector("dialog[open]:not(#open-dialog)")) return;
    const text = event.clipboardData.getData("text");
    if (text.trim()) app.opener.openText(text);
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    // A text dropped on a field is for the field.
    if (!event.dataTransfer.files.length && /INPUT|TEXTAREA/.test(event.target.tagName)) return;
    event.preventDefault();
    app.opener.drop(event.dataTransfer);
  });
}

start();
