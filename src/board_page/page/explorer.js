// The explorer: what was played from the position on the board, how often, with which results and by whom. It looks through the
// library of the server, or through the games that are at hand here: those that the browser keeps, and those of the files that were opened.

import { h, select, toast } from "./dom.js";
import { preferences } from "./store.js";
import { START, numbersOf } from "./tree.js";
import { t } from "./words.js";

/** Milliseconds that a position stays on the board before it is looked up. */
const PAUSE = 150;
/** Games that are sent to be looked through. */
const MOST_GAMES = 5000;

/** The main line of a tree, as it is sent. */
function lineOf({ start, result, tags, nodes }) {
  const moves = [];
  let at = 0;
  nodes.forEach((node, index) => {
    if (node.parent !== at) return;
    moves.push(node.move);
    at = index + 1;
  });
  const tag = (name) => (tags ?? []).find(([own]) => own.toLowerCase() === name)?.[1] ?? "";
  return { ...(start !== START && { start }), moves: moves.join(" "), red: tag("red"), black: tag("black"), date: tag("date"), event: tag("event"), result: result || "*" };
}

/** The numbers of the positions of lines as they are sent. */
const known = new WeakMap();

function has(line, number) {
  if (!known.has(line)) known.set(line, numbersOf({ ...line, moves: line.moves.split(" ").filter(Boolean) }));
  return known.get(line).includes(number);
}

/** The first node of the main line with the position of this number. */
function find(tree, number) {
  const line = tree.mainLine();
  return [tree.root, ...line][numbersOf({ start: tree.start, moves: line.map(({ move }) => move) }).indexOf(number)] ?? tree.root;
}

export class Explorer {
  constructor(app) {
    this.app = app;
    /** The games of the files that were opened, by the name of the file: `{ line, open }`. */
    this.files = new Map();
    /** The main lines of the games that the browser keeps, by id and revision. */
    this.lines = new Map();
    this.hasOwn = false;
    this.isOpen = true;
    this.place = null;
  }

  get library() {
    return this.app.link.hello?.library ?? null;
  }

  /** The games at hand here, those that are not on the board. What lies unchanged in a file or library is looked up there. */
  async own() {
    const { app } = this;
    const isOther = ({ id, source }) => id !== app.keeper.game.id && !(source && (this.files.has(source.name) || source.name === this.library));
    const games = [];
    for (const { id, revision } of (await app.library.list()).filter(isOther).slice(0, MOST_GAMES)) {
      const key = `${id} ${revision}`;
      if (!this.lines.has(key)) {
        const kept = await app.library.read(id);
        this.lines.set(key, kept && lineOf(kept.record.tree));
      }
      const line = this.lines.get(key);
      if (line?.moves) games.push({ line, open: () => app.openKept(id) });
    }
    return [...games, ...[...this.files.values()].flat()].slice(0, MOST_GAMES);
  }

  /** Other games are at hand. */
  async changed() {
    this.hasOwn = (await this.own().catch(() => [])).length > 0;
    this.choose();
  }

  /** The panel, in the present language. */
  build() {
    this.count = h("span", { class: "soft" });
    this.moves = h("ul", { class: "book explored" });
    this.latest = h("ul", { class: "choices explored" });
    this.choice = h("div", { class: "explored-in" });
    this.panel = h("details", { class: "panel", id: "explorer", open: this.isOpen, hidden: true, ontoggle: () => {
      this.isOpen = this.panel.open;
      this.show();
    } }, h("summary", {}, t("explorer"), " ", this.count), this.choice, this.moves, this.latest);
    this.choose();
  }

  /** Where the games are from, if there is a choice. */
  choose() {
    const places = [this.library && ["library", this.library], this.hasOwn && ["own", t("ownGames")]].filter(Boolean);
    if (!places.some(([place]) => place === this.place)) this.place = places[0]?.[0] ?? null;
    this.panel.hidden = !places.length;
    const change = (place) => {
      this.place = place;
      this.show();
    };
    this.choice.replaceChildren(...(places.length > 1 ? [h("label", { for: "explored-in", class: "unseen" }, t("explorer")), select("explored-in", places, this.place, change)] : []));
    this.show();
  }

  /** A file has been opened: its games can be explored from now on. */
  async opened(source, name) {
    const { app } = this;
    // Games of a text are kept, those of the library are in it.
    if ("text" in source || "library" in source) return;
    try {
      const lines = await app.link.ask("lines", { source });
      this.files.set(name, lines.map((line) => ({ line, open: () => app.openSource(source, name, line.game) })));
    } catch (error) {
      toast(error.message, "error");
    }
    await this.changed();
  }

  /** Looks the position on the board up, once it has stayed there for a moment. */
  show() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PAUSE);
  }

  async look() {
    const { app, place } = this;
    const { node, tree } = app;
    // Another game has come onto the board, and the one before it is at hand.
    const { id } = app.keeper.game;
    if (id !== this.game) {
      this.game = id;
      return this.changed();
    }
    if (!place || !this.isOpen || !node) return;
    const asked = { line: tree.line(node), notation: preferences.notation };
    const number = numbersOf(asked.line).at(-1);
    this.asked = asked;
    let [own, found] = [];
    try {
      if (place === "own") {
        // Only those that have the position: thousands of games need not be sent at every step.
        own = (await this.own()).filter(({ line }) => has(line, number));
        asked.games = own.map(({ line }, index) => ({ ...line, game: index + 1 }));
      }
      found = await app.link.ask("explore", asked);
    } catch (error) {
      if (this.asked === asked) this.moves.replaceChildren(h("li", { class: "soft" }, error.message));
      return;
    }
    if (this.asked !== asked) return;
    const open = (game) => (place === "own" ? own[game - 1].open() : app.openSource({ library: game }, this.library));
    this.draw(found, open, number);
  }

  draw(found, open, number) {
    const { app } = this;
    this.count.textContent = t("gameCount", { n: found.games });
    this.moves.replaceChildren(...(found.moves.length ? found.moves.map((move) => h("li", {}, h("button", { type: "button", class: "explored-move", onclick: () => app.playLine([move.move], [move.text]) },
      h("b", {}, move.text), h("span", { class: "soft percent" }, move.games), results(move), h("span", { class: "soft" }, [move.last_year, ...move.players.map(({ name, games }) => `${name} ${games}`)].filter(Boolean).join(" · "))))) : [h("li", { class: "soft" }, t(found.games ? "lastPosition" : "noGameHere"))]));
    this.latest.replaceChildren(...found.latest.map((game) => h("li", {}, h("button", { type: "button", onclick: async () => (await open(game.game)) && app.go(find(app.tree, number)) },
      h("b", {}, `${game.red || "?"} – ${game.black || "?"}`), ` ${game.result}`, h("span", { class: "soft" }, ` ${[game.date, game.event].filter(Boolean).join(" · ")}`)))));
  }
}

/** A bar of the results with a move, as the engine's bar of chances shows them; nothing where no game has one. */
function results({ red_wins: won, draws: drawn, black_wins: lost }) {
  const all = won + drawn + lost;
  if (!all) return h("span", { class: "results" });
  const share = (count) => Math.round((100 * count) / all);
  const part = (name, count) => {
    const bar = h("span", { class: name });
    bar.style.flexGrow = count;
    return bar;
  };
  const label = t("chances", { w: share(won), d: share(drawn), l: share(lost) });
  return h("span", { class: "results", role: "img", "aria-label": label, title: label }, part("won", won), part("drawn", drawn), part("lost", lost));
}
