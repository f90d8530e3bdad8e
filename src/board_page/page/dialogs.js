// The dialogues: a new game, opening, saving, settings.

import { $, button, bytesOf, field, h, select, toast } from "./dom.js";
import { chooseLanguage, choosePreference, keepPreferences, preferences } from "./store.js";
import { LONG, gameAddress, positionAddress } from "./share.js";
import { Tree, boardFen } from "./tree.js";
import { LANGUAGES, levelNames, lossText, problemText, sideName, t, titled } from "./words.js";

/** Shows a dialogue, which is removed when it is closed. */
export function show(id, title, ...content) {
  const heading = `${id}-title`;
  const dialog = h("dialog", { id, "aria-labelledby": heading },
    h("div", { class: "dialog-head" }, h("h2", { id: heading }, title), h("button", { type: "button", class: "close", "aria-label": t("close"), onclick: () => dialog.close() }, "×")),
    h("div", { class: "dialog-body" }, content));
  // A modal dialogue makes everything outside it inert, so toasts are shown inside.
  const toasts = $("toasts");
  dialog.append(toasts);
  dialog.addEventListener("close", () => {
    if (dialog.contains(toasts)) ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(toasts);
    dialog.remove();
  });
  // A click outside closes it. The press alone does not: one on the scroll bar of the dialogue has the same target, and on a touch screen the
  // click that follows would be one on what is below.
  let isOutside = false;
  dialog.addEventListener("pointerdown", (event) => (isOutside = event.target === dialog));
  dialog.addEventListener("click", (event) => isOutside && event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes all dialogues. */
export const closeAll = () => document.querySelectorAll("dialog").forEach((dialog) => dialog.close());

/** Asks for confirmation; resolves to true or false. */
export function confirm(id, title, yes, no) {
  return new Promise((resolve) => {
    let isSure = false;
    const dialog = show(id, title, h("div", { class: "row-of-buttons" },
      button("", yes, () => {
        isSure = true;
        dialog.close();
      }, { class: "primary", id: `${id}-yes` }), button("", no, () => dialog.close(), { id: `${id}-no`, autofocus: true })));
    dialog.addEventListener("close", () => resolve(isSure));
  });
}

/** Lists the keyboard shortcuts. */
export function keys() {
  const rows = [[["←", "→"], "keySteps"], [["↑", "↓"], "keyVariations"], [["Home", "End"], "keyEnds"], [["f"], "flip"], [["a"], "analysis"], [["h"], "hint"], [["s"], "sounds"], [["g"], "myGames"], [["Ctrl Z"], "undo"], [["Enter"], "keyEnter"], [["Esc"], "keyEscape"], [["?"], "keys"]];
  const mouse = ["mouseWheel", "mouseDraw", "touchDraw"];
  show("keys-dialog", t("keys"),
    h("dl", { class: "keys" }, rows.map(([signs, name]) => h("div", {}, h("dt", {}, signs.map((sign) => h("kbd", {}, sign))), h("dd", {}, t(name))))),
    h("ul", { class: "hints" }, mouse.map((name) => h("li", {}, t(name)))));
}

/** The day at this place, as in PGN. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, "0")).join(".");
}

const CLOCKS = { none: null, "3+2": [3, 2], "5+3": [5, 3], "10+5": [10, 5], "20+10": [20, 10], "60+30": [60, 30] };

export function newGame(app) {
  const levels = levelNames(app.link.hello).map((text, index) => [String(index + 1), `${index + 1} · ${text}`]);
  const opponent = select("opponent", [["engine", t("engine")], ["human", t("human")], ["nobody", t("nobody")]], "engine", (value) => (ofEngine.hidden = value !== "engine"));
  const side = select("side", [["red", sideName("red")], ["black", sideName("black")], ["random", t("random")]], preferences.side, () => {});
  const level = select("level", levels, String(preferences.level), () => {});
  const clocks = Object.entries(CLOCKS).map(([id, clock]) => [id, clock ? t("minutes", { m: clock[0], s: clock[1] }) : t("noClock")]);
  const clock = select("clock", clocks, preferences.clock, () => {});
  const from = select("from", [["start", t("fromStart")], ["here", t("fromHere")]], app.setup.isOpen ? "here" : "start", () => {});
  const book = h("input", { type: "checkbox", id: "use-book", checked: true });
  const ofEngine = h("div", {}, field("side", t("yourSide"), side), field("level", t("level"), level), h("div", { class: "check" }, book, h("label", { for: "use-book" }, t("useBook"))));
  const begin = async () => {
    const isHere = from.value === "here";
    const { tree: former, node } = shown(app);
    const position = isHere && (await app.positionOf(node, former).catch(() => null));
    if (isHere && (!position || position.diagram)) return toast(app.setup.whyNot(position?.diagram ?? []), "error");
    const isEngine = opponent.value === "engine";
    // The engine would never move.
    if (isHere && isEngine && !position.searchable) return toast(t("noSearch"), "error");
    const own = side.value === "random" ? (Math.random() < 0.5 ? "red" : "black") : side.value;
    // Before the greeting there are no levels to choose from.
    const wanted = Number(level.value) || preferences.level;
    Object.assign(preferences, { side: side.value, level: wanted, clock: clock.value });
    keepPreferences();
    dialog.close();
    const tree = new Tree(position ? position.fen : undefined);
    app.replaceTree(tree, { keepsFile: false });
    if (opponent.value === "nobody") return;
    tree.setTag("Date", today());
    const [minutes, increment] = CLOCKS[clock.value] ?? [];
    if (isEngine) {
      const engine = own === "red" ? "black" : "red";
      tree.setTag(engine === "red" ? "Red" : "Black", `${app.link.hello?.program ?? "chuhe"} (${t("level").toLowerCase()} ${wanted})`);
      app.startGame({ engine, level: wanted, book: book.checked, minutes, increment });
      app.setFlipped(own === "black");
    } else app.startGame({ engine: null, level: 0, book: false, minutes, increment });
  };
  const dialog = show("new-game", t("newGame"), field("opponent", t("opponent"), opponent), ofEngine, field("clock", t("clock"), clock), field("from", t("from"), from),
    h("div", { class: "row-of-buttons" }, button("", t("begin"), begin, { class: "primary", id: "begin" })));
}

export function open(app) {
  const input = h("input", { type: "file", id: "file", onchange: async () => {
    const [file] = input.files;
    if (file && (await app.opener.openFile(file))) dialog.close();
    // Browsers report only another choice; the same file can be chosen again when it is corrected.
    else input.value = "";
  } });
  const text = h("textarea", { id: "pasted", rows: "5", spellcheck: "false" });
  const given = app.link.hello?.files ?? [];
  const dialog = show("open-dialog", t("openTitle"),
    given.length > 0 && h("section", {}, h("h3", {}, t("given")), h("ul", { class: "choices" }, given.map((name, index) => h("li", {}, h("button", { type: "button", onclick: async () => (await app.opener.openSource({ given_file: { name, number: index } }, name)) && dialog.close() }, name))))),
    h("section", {}, h("label", { for: "file" }, t("drop")), input),
    h("section", {}, h("label", { for: "pasted" }, t("paste")), text,
      h("div", { class: "row-of-buttons" }, button("", t("openPasted"), async () => (await app.opener.openText(text.value)) && dialog.close(), { class: "primary", id: "open-pasted" }))),
    h("section", {}, h("div", { class: "row-of-buttons" }, button("games", t("myGames"), () => {
      dialog.close();
      app.showGames();
    }, { id: "open-mine" }))));
}

/** Lists the games of the open file. */
export function games(app) {
  const { file } = app;
  const rows = file.games.map((game, index) => h("li", {}, h("button", { type: "button", disabled: !!game.error, title: game.error ? t("unreadable", { name: t("untitled", { n: index + 1 }), message: problemText({ message: game.error, message_chinese: game.error_chinese }) }) : "", "aria-current": index + 1 === file.game ? "true" : null, onclick: async () => (await app.opener.openSource(file.source, file.name, index + 1)) && dialog.close() },
    h("b", {}, `${index + 1}. ${game.title || t("untitled", { n: index + 1 })}`), ` ${game.result}`, h("span", { class: "soft" }, ` ${[game.event, game.plies && t("plies", { n: game.plies })].filter(Boolean).join(" · ")}`))));
  const dialog = show("games", t("games", { name: file.name }), h("ul", { class: "choices" }, rows), file.moreGames > 0 && h("p", { class: "soft" }, t("moreGames", { n: file.moreGames })));
}

/** Downloads a blob as a file. */
export function offer(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** Downloads a file created by the server, and reports what its format cannot store. */
export function download(saved) {
  offer(saved.name, new Blob([bytesOf(saved.bytes)], { type: saved.mime }));
  toast(saved.losses ? t("losses", { name: saved.name, losses: lossText(saved.losses) }) : t("saved", { name: saved.name }), saved.losses ? "warning" : "info");
}

/** Converts an SVG file to PNG. */
async function rasterized(saved) {
  // In pixels; sharp in print and on every screen, and equal to the server's.
  const WIDTH = 1152;
  const image = new Image();
  image.src = `data:${saved.mime};base64,${saved.bytes}`;
  await image.decode();
  const canvas = h("canvas", { width: WIDTH, height: Math.round((WIDTH * image.height) / image.width) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return { name: saved.name.replace(/svg$/, "png"), mime: "image/png", bytes: canvas.toDataURL("image/png").split(",")[1], losses: null };
}

/** What is on the board: the game, or what the position editor or the puzzle trainer shows. */
const shown = (app) => app.setup.shown ?? app.trainer.shown ?? app;

/** The FEN of the position on the board. Until the server has answered, for example without a connection, the move counters are unknown. */
const fenOf = ({ node, position, tree }) => position?.fen ?? (node.parent ? `${boardFen(tree.placement(node))} ${tree.side(node) === "red" ? "w" : "b"} - - 0 1` : tree.start);

/** The URL of the game, or of the position on the board. */
async function addressOf(app, kind) {
  const base = location.href.split("#")[0];
  if (kind === "position") return `${base}#${positionAddress(fenOf(shown(app)))}`;
  const nodes = [app.tree.root, ...app.tree.nodes()];
  return `${base}#${await gameAddress(app.tree.form(), app.tree.drawings(), nodes.indexOf(app.node))}`;
}

/** Shares a URL: through the phone's share dialogue, or by copying it to the clipboard. */
async function share(app, kind) {
  try {
    const url = await addressOf(app, kind);
    const isPhone = matchMedia("(pointer: coarse)").matches;
    if (isPhone && navigator.share) return await navigator.share({ url }).catch((error) => error.name === "AbortError" || Promise.reject(error));
    await copy(t("copyLink"), url);
    if (url.length > LONG) toast(t("longLink", { n: url.length }), "warning");
  } catch (error) {
    toast(t(error.key ?? "text", { message: error.message }), "error");
  }
}

/** Copies a text, or shows it if the browser does not allow copying. */
async function copy(name, text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    prompt(name, text);
  }
}

export function save(app) {
  const { hello } = app.link;
  const among = h("input", { type: "checkbox", id: "among" });
  const review = app.analysis.kept();
  const isReviewed = review && review.key === app.analysis.key();
  const withReview = h("input", { type: "checkbox", id: "with-review", checked: true });
  const encoding = select("encoding", [["utf-8", "UTF-8"], ["gbk", "GBK"], ["big5", "Big5"]], "utf-8", () => {});
  const run = async (kind, body, convert = (saved) => saved) => {
    const { file } = app;
    try {
      const saved = await convert(await app.link.ask(kind, body));
      download(saved);
      // The next game of the file is saved with this one as it is now. What was left out would change the numbers of the games.
      if (body.among && !saved.losses && "file" in file.source) file.source = { file: { name: saved.name, bytes: saved.bytes } };
      dialog.close();
    } catch (error) {
      toast(error.message, "error");
    }
  };
  // Only PGN can store drawings.
  const drawings = app.tree.drawings().length;
  const withoutDrawings = (saved) => (drawings ? { ...saved, losses: [saved.losses, `drawings ${drawings}`].filter(Boolean).join(", ") } : saved);
  const formats = (hello?.formats ?? []).filter((format) => format.written).map((format) => h("li", {}, button("", `${format.id.toUpperCase()} · ${titled("format", format)}`, () =>
    run("save", { tree: app.tree.fileForm(app.name, format.id === "pgn"), format: format.id, notation: preferences.notation, encoding: encoding.value, ...(isReviewed && withReview.checked && { results: review.results, rules: review.rules ?? preferences.rules }), ...(among.checked && { among: { source: app.file.source, game: app.file.game } }) }, format.id === "pgn" ? undefined : withoutDrawings), { "data-format": format.id })));
  // Without PNG support, request SVG and convert it in the browser.
  const { tree, node } = shown(app);
  const drawing = (format) => run("draw", { line: tree.line(node), format: hello?.png ? format : "svg", pieces: preferences.pieces, flipped: app.board.flipped, arrows: app.arrows.engine.filter((arrow) => arrow.kind === "best").map((arrow) => arrow.move) }, format === "png" && !hello?.png ? rasterized : undefined);
  const report = () => run("report", { tree: app.tree.form(), results: review.results, notation: preferences.notation, language: preferences.language === "en" ? "en" : "zh", pieces: preferences.pieces, rules: review.rules ?? preferences.rules });
  const dialog = show("save-dialog", t("saveTitle"),
    h("section", {}, h("h3", {}, t("saveGame")), h("ul", { class: "choices" }, formats),
      field("encoding", t("encoding"), encoding),
      isReviewed && h("div", { class: "check" }, withReview, h("label", { for: "with-review" }, t("withReview"))),
      app.file?.games.length > 1 && h("div", { class: "check" }, among, h("label", { for: "among" }, t("withOthers", { name: app.file.name })))),
    h("section", {}, h("h3", {}, t("savePosition")), h("div", { class: "row-of-buttons" },
      button("", "SVG", () => drawing("svg"), { "data-format": "svg" }), button("", "PNG", () => drawing("png"), { "data-format": "png" }),
      button("", t("copyFen"), () => copy(t("copyFen"), fenOf(shown(app))), { id: "copy-fen" }))),
    h("section", {}, h("h3", {}, t("shareTitle")), h("p", { class: "soft" }, t("shareHelp")), h("div", { class: "row-of-buttons" },
      button("link", t("linkGame"), () => share(app, "game"), { id: "link-game" }), button("link", t("linkPosition"), () => share(app, "position"), { id: "link-position" }))),
    h("section", {}, h("h3", {}, t("saveReport")), isReviewed ? h("div", { class: "row-of-buttons" }, button("", "HTML", report, { "data-format": "report" })) : h("p", { class: "soft" }, t("reportFirst"))));
}

export function settings(app) {
  const set = (name, apply) => (value) => {
    choosePreference(name, value);
    apply?.(value);
  };
  const check = (name) => h("div", { class: "check" }, h("input", { type: "checkbox", id: `set-${name}`, checked: preferences[name], onchange: (event) => set(name, () => app.applyLook())(event.target.checked) }), h("label", { for: `set-${name}` }, t(name)));
  const notations = (app.link.hello?.notations ?? []).map(({ id, title, example, historical }) => [id, `${example} · ${titled("notation", { id, title })}${historical ? ` (${t("historical")})` : ""}`]);
  const rules = (app.link.hello?.rules ?? []).map((rules) => [rules.id, titled("rules", rules)]);
  const dialog = show("settings-dialog", t("settings"),
    field("set-language", t("language"), select("set-language", LANGUAGES, preferences.language, (language) => {
      chooseLanguage(language);
      dialog.close();
      app.relanguage();
      app.applyLook();
      settings(app);
    })),
    field("set-notation", t("notation"), select("set-notation", notations, preferences.notation, set("notation", () => app.rename()))),
    field("set-pieces", t("pieces"), select("set-pieces", ["characters", "simplified", "letters"].map((id) => [id, t(id)]), preferences.pieces, set("pieces", () => app.applyLook()))),
    field("set-edges", t("edges"), select("set-edges", ["files", "points", "none"].map((id) => [id, t(id)]), preferences.edges, set("edges", () => app.applyLook()))),
    field("set-theme", t("theme"), select("set-theme", ["auto", "light", "dark"].map((id) => [id, t(id)]), preferences.theme, set("theme", () => app.applyLook()))),
    field("set-rules", t("rules"), select("set-rules", rules, preferences.rules, set("rules", () => app.go(app.node)))),
    check("arrows"), check("animate"), check("sounds"),
    h("div", { class: "row-of-buttons" }, button("", t("keys"), () => {
      dialog.close();
      keys();
    }, { id: "show-keys" })));
}

export function tags(app) {
  const NAMES = ["Red", "Black", "Event", "Site", "Date", "Round", "Title"];
  const others = app.tree.tags.map(([name]) => name).filter((name) => !NAMES.some((known) => known.toLowerCase() === name.toLowerCase()));
  const one = (name, index) => {
    const id = `tag-${index}`;
    const word = name === "Red" || name === "Black" ? sideName(name.toLowerCase()) : NAMES.includes(name) ? t(name) : name;
    return field(id, word, h("input", { id, type: "text", value: app.tree.tag(name), onchange: (event) => app.change(() => app.tree.setTag(name, event.target.value)) }));
  };
  show("tags-dialog", t("tags"), [...NAMES, ...new Set(others)].map(one),
    field("tag-result", t("result"), select("tag-result", ["*", "1-0", "0-1", "1/2-1/2"].map((token) => [token, token]), app.tree.result, (value) => app.change(() => (app.tree.result = value)))));
}
