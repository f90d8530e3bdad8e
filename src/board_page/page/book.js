// Editing the opening book: adding, reweighting and removing moves. The server saves every change at once.

import { button, h, toast } from "./dom.js";
import { preferences } from "./store.js";
import { t } from "./words.js";

/** Largest weight of a move. */
const HEAVIEST = 1_000_000_000;

/** The position on the board, which its controls change also if another one follows before they are used. */
const here = (app) => ({ node: app.node, line: app.tree.line(app.node) });

const bookOf = async (app, line) => (await app.link.ask("position", { line, notation: preferences.notation, rules: preferences.rules })).book;

/** Changes a book move of a position, and shows the updated book if the position is still on the board. Resolves to whether it succeeded. */
async function change(app, { node, line }, { move, text }, weight) {
  const ask = { line, move, notation: preferences.notation, rules: preferences.rules, ...(weight !== null && { weight }) };
  let isChanged = false;
  try {
    const book = await app.link.ask("book", ask);
    isChanged = true;
    app.known.clear();
    app.channel?.postMessage({ isBook: true });
    if (weight !== null && !book.some((found) => found.move === move)) toast(t("bookMirror", { move: text }));
    if (app.node !== node || !app.position) return true;
    // The buttons of the other panels belong to this object.
    app.position.book = book;
  } catch (error) {
    toast(error.message, "error");
  }
  if (app.node === node && app.position) app.analysis.showBook(app.position);
  return isChanged;
}

const weightField = (properties) => h("input", { type: "number", min: "0", max: String(HEAVIEST), step: "1", ...properties });
const weightOf = (field) => Math.min(HEAVIEST, Math.max(0, Math.round(Number(field.value) || 0)));

/** The controls for a book move: its weight, and a button to remove it. */
export function editMove(app, move) {
  const { text, weight } = move;
  const at = here(app);
  const reweight = () => {
    // An empty field is no weight.
    if (field.value) change(app, at, move, weightOf(field));
    else field.value = String(weight);
  };
  const field = weightField({ class: "weight", "aria-label": `${text}: ${t("bookWeight")}`, value: String(weight), onchange: reweight });
  return [field, button("trash", t("removeMove", { move: text }), () => change(app, at, move, null), { class: "small remove", "aria-label": t("removeMove", { move: text }) })];
}

/** The form to add a move, or every move of a line, to the book. */
export function addMove(app) {
  const at = here(app);
  const typed = h("input", { type: "text", id: "book-move", autocomplete: "off", spellcheck: "false", placeholder: t("typeHint"), "aria-label": t("typeMove") });
  const field = weightField({ class: "weight", id: "book-weight", "aria-label": t("bookWeight"), value: "10", required: true });
  const add = async (event) => {
    event.preventDefault();
    const text = typed.value.trim();
    if (!text) return;
    try {
      const { moves } = await app.link.ask("read", { line: at.line, text, notation: preferences.notation });
      const weight = weightOf(field);
      let { node, line } = at;
      for (const [index, move] of moves.entries()) {
        // The moves that lead to the last one keep the weights that they have.
        const isKnown = index + 1 < moves.length && (await bookOf(app, line)).some((found) => found.move === move.move);
        if (!isKnown && !(await change(app, { node, line }, move, weight))) return;
        line = { ...line, moves: [...line.moves, move.move] };
        node = node && app.tree.child(node, move.move);
      }
      typed.value = "";
      if (moves.length > 1) toast(t("bookLine", { n: moves.length }));
    } catch (error) {
      toast(error.message, "error");
    }
  };
  return h("form", { class: "typed", id: "add-to-book", onsubmit: add }, typed, field, h("button", { type: "submit" }, t("addMove")));
}
