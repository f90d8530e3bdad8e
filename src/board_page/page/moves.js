// The move list: the main line in two columns, variations and comments below their moves.

import { $, button, h, refill } from "./dom.js";
import { t } from "./words.js";

/** The symbols of numeric annotation glyphs. */
export const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+" };
/** The keys of the names of the marks to choose from, in their order. */
const CHOICES = [[1, "good"], [3, "brilliant"], [5, "interesting"], [6, "inaccuracy"], [2, "mistake"], [4, "blunder"]];
/** Most moves shown at once; opening libraries can have hundreds of thousands. */
const MOST = 1500;

const marksOf = (node) => node.glyphs.map((glyph) => MARKS[glyph] ?? `$${glyph}`).join(" ");

export class Moves {
  constructor(root, { ongo }) {
    this.root = root;
    this.ongo = ongo;
    this.buttons = new Map();
    root.addEventListener("click", (event) => {
      const node = event.target.closest("[data-node]")?.node;
      if (node) ongo(node);
    });
  }

  /** Rebuilds the list. `judged` maps plies of the main line to judgements. */
  build(tree, current, judged = new Map()) {
    this.tree = tree;
    this.judged = judged;
    this.buttons.clear();
    this.left = MOST;
    this.onWay = new Set();
    for (let at = current; at; at = at.parent) this.onWay.add(at);
    const start = this.move(tree.root, t("start"));
    start.classList.add("start");
    const parts = tree.root.children.length ? [start] : [];
    if (tree.root.comment) parts.push(this.comment(tree.root));
    parts.push(...this.mainLine());
    if (!tree.root.children.length) parts.push(h("p", { class: "soft" }, t("noMoves")));
    this.root.replaceChildren(...parts);
    this.mark(current, false);
  }

  /** Highlights the current move. */
  mark(current, mayBuild = true) {
    this.now?.removeAttribute("aria-current");
    this.now?.setAttribute("tabindex", "-1");
    // The move is in a part of the list that is not shown.
    if (mayBuild && current.parent && !this.buttons.has(current) && this.tree) return this.build(this.tree, current, this.judged);
    this.now = this.buttons.get(current);
    this.now?.setAttribute("aria-current", "true");
    // The only move at which the Tab key stops: there can be hundreds before the next field.
    this.now?.setAttribute("tabindex", "0");
    if (this.isScrolling) return;
    this.isScrolling = true;
    // In the next frame, which lays out the page anyway; doing it here would cause an additional layout.
    requestAnimationFrame(() => {
      this.isScrolling = false;
      const box = this.root.getBoundingClientRect();
      const own = this.now?.getBoundingClientRect();
      if (own && (own.top < box.top || own.bottom > box.bottom)) this.root.scrollTop += own.top - box.top - box.height / 3;
    });
  }

  /** Highlights the moves named by a ruling. */
  accuse(nodes) {
    this.root.querySelectorAll(".accused").forEach((element) => element.classList.remove("accused"));
    nodes.forEach((node) => this.buttons.get(node)?.classList.add("accused"));
  }

  move(node, text = node.text) {
    const judgement = this.tree.isMain(node) ? this.judged.get(node.ply) : undefined;
    const own = marksOf(node);
    const sign = own || { blunder: "??", mistake: "?", inaccuracy: "?!" }[judgement];
    const element = h("button", { type: "button", class: `mv ${judgement ?? ""}`, tabindex: "-1", "data-node": "" }, text, sign && h("span", { class: "mark" }, sign));
    element.node = node;
    if (judgement && !["good", "book", "unjudged"].includes(judgement)) element.title = t(judgement);
    this.buttons.set(node, element);
    this.left -= 1;
    return element;
  }

  comment(node) {
    return h("p", { class: "remark" }, node.comment);
  }

  mainLine() {
    const parts = [];
    let list = null;
    const close = () => {
      list = null;
    };
    for (const node of this.tree.mainLine()) {
      const isBlack = this.tree.side(node) === "red";
      if (!list) {
        list = h("div", { class: "pairs" });
        parts.push(list);
        if (isBlack) list.append(h("span", { class: "number" }, `${this.tree.round(node)}.`), h("span", { class: "gap" }, "…"));
      }
      if (!isBlack) list.append(h("span", { class: "number" }, `${this.tree.round(node)}.`));
      list.append(this.move(node));
      const variations = node.parent.children.slice(1);
      if (node.comment || variations.length) {
        if (!isBlack) list.append(h("span", { class: "gap" }, node.children.length ? "…" : ""));
        if (node.comment) parts.push(this.comment(node));
        if (variations.length) parts.push(h("div", { class: "variations" }, variations.map((other) => h("div", { class: "variation" }, this.line(other)))));
        close();
      }
    }
    return parts;
  }

  /** A variation, including nested ones, as running text. Iterates over the moves of a line, and recurses only for nested variations. */
  line(first) {
    const parts = [];
    let needsNumber = true;
    for (let node = first; node; node = node.children[0]) {
      if (this.left <= 0 && !this.onWay.has(node)) {
        const rest = h("button", { type: "button", class: "mv rest", "data-node": "" }, "…");
        rest.node = node;
        rest.title = t("more");
        parts.push(rest);
        break;
      }
      const isRed = this.tree.side(node) === "black";
      if (isRed) parts.push(h("span", { class: "number" }, `${this.tree.round(node)}.`));
      else if (needsNumber) parts.push(h("span", { class: "number" }, `${this.tree.round(node)}…`));
      needsNumber = false;
      parts.push(this.move(node));
      if (node.comment) {
        parts.push(h("span", { class: "remark" }, node.comment));
        needsNumber = true;
      }
      if (node !== first && node.parent.children[0] === node) {
        for (const other of node.parent.children.slice(1)) {
          parts.push(h("span", { class: "bracket" }, "("), this.nested(other), h("span", { class: "bracket" }, ")"));
          needsNumber = true;
        }
      }
    }
    return parts;
  }

  nested(first) {
    this.deep = (this.deep ?? 0) + 1;
    // Limit the nesting, whatever the file contains.
    const parts = this.deep > 40 ? [this.move(first)] : this.line(first);
    this.deep -= 1;
    return h("span", { class: "nested" }, parts);
  }
}

/** The editor for a move's comment and marks. */
export class Remarks {
  constructor(root, { onedit, onremove, onpromote, onundo }) {
    this.root = root;
    this.actions = { onedit, onremove, onpromote, onundo };
  }

  show(tree, node) {
    const isTyping = document.activeElement?.id === "comment";
    // The engine can move, and other positions be shown, while a comment is typed: the field stays that of its move until it is left.
    if (isTyping && node !== this.node && tree === this.tree) {
      this.next = node;
      return;
    }
    this.next = null;
    // What is being typed is not for another game.
    if (isTyping && node !== this.node) document.activeElement.blur();
    // The field of the same move stays, also for input methods.
    const kept = node === this.node ? this.root.firstChild : null;
    Object.assign(this, { tree, node });
    const name = node.parent ? t("commentOf", { move: node.text }) : t("commentStart");
    const area = kept ?? h("textarea", { id: "comment", rows: "2", oninput: (event) => this.actions.onedit(this.node, { comment: event.target.value }), onblur: () => setTimeout(() => this.next && this.show(this.tree, this.next)) });
    area.setAttribute("aria-label", name);
    area.placeholder = name;
    if (area.value !== node.comment) area.value = node.comment;
    const marks = h("div", { class: "marks", role: "group", "aria-label": t("marks") },
      // Screen readers skip signs such as "!".
      CHOICES.map(([glyph, key]) => h("button", { type: "button", title: t(key), "aria-label": `${MARKS[glyph]} ${t(key)}`, "aria-pressed": String(node.glyphs.includes(glyph)), disabled: !node.parent, onclick: () => this.toggle(glyph) }, MARKS[glyph])));
    const tools = h("div", { class: "tools" },
      !tree.isMain(node) && button("up", t("promote"), () => this.actions.onpromote(this.node), { class: "small", id: "promote" }),
      node.parent && button("trash", t("remove"), () => this.actions.onremove(this.node), { class: "small", id: "remove" }),
      button("undo", t("undo"), () => this.actions.onundo(), { class: "small", id: "undo" }));
    if (kept) refill(this.root.lastChild, [marks, tools]);
    else refill(this.root, [area, h("div", { class: "remark-row" }, marks, tools)]);
  }

  toggle(glyph) {
    const node = this.node;
    const rest = node.glyphs.filter((own) => own !== glyph);
    // The six marks exclude one another.
    const glyphs = node.glyphs.includes(glyph) ? rest : [...rest.filter((own) => own > 6), glyph];
    this.actions.onedit(node, { glyphs });
    const at = CHOICES.findIndex(([own]) => own === glyph);
    $("comment").parentElement.querySelectorAll(".marks button")[at]?.focus();
  }
}
