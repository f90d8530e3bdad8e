// The explorer: the moves played from the current position, with frequency, results and players. It searches the server's library, or
// the games available in the page: those stored by the browser, and those of opened files.

import { h, refill, select, toast } from "./dom.js";
import { preferences } from "./store.js";
import { START, numbersOf } from "./tree.js";
import { t } from "./words.js";

/** Milliseconds that a position must stay on the board before it is queried. */
const PAUSE = 150;
/** Most games sent with a query. */
const MOST_GAMES = 5000;

/** The main line of a tree, in the form of a request. */
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

/** The position hashes of lines in the form of a request, cached. */
const known = new WeakMap();

function has(line, number) {
  if (!known.has(line)) known.set(line, numbersOf({ ...line, moves: line.moves.split(" ").filter(Boolean) }));
  return known.get(line).includes(number);
}

/** The first node of the main line whose position has this hash. */
function find(tree, number) {
  const line = tree.mainLine();
  return [tree.root, ...line][numbersOf({ start: tree.start, moves: line.map(({ move }) => move) }).indexOf(number)] ?? tree.root;
}

export class Explorer {
  constructor(app) {
    this.app = app;
    /** The games of the opened files, by file name: `{ line, open }`. */
    this.files = new Map();
    /** The main lines of the games stored by the browser, by id and revision. */
    this.lines = new Map();
    this.hasOwn = false;
    this.isOpen = true;
    this.place = null;
  }

  get library() {
    return this.app.link.hello?.library ?? null;
  }

  /** The games available in the page, without the one on the board. Unchanged copies of games of a file or library are skipped, because the
   * original is searched. */
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

  /** Called when the set of available games has changed. */
  async changed() {
    this.hasOwn = (await this.own().catch(() => [])).length > 0;
    this.choose();
  }

  /** Builds the panel in the current language. */
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

  /** Updates the choice between the library and the page's own games. */
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

  /** Makes the games of an opened file available. */
  async opened(source, name) {
    const { app } = this;
    // A game opened from a text is stored by the browser, and one of the library is already in it.
    if ("text" in source || "library" in source) return;
    try {
      const lines = await app.link.ask("lines", { source });
      this.files.set(name, lines.map((line) => ({ line, open: () => app.opener.openSource(source, name, line.game) })));
    } catch (error) {
      toast(error.message, "error");
    }
    await this.changed();
  }

  /** Queries the current position after a short delay. */
  show() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PAUSE);
  }

  async look() {
    const { app, place } = this;
    const { node, tree } = app;
    // Another game is on the board, so the previous one is now available here.
    const { id } = app.keeper.game;
    if (id !== this.game) {
      this.game = id;
      return this.changed();
    }
    if (!place || !this.isOpen || !node) return;
    if (app.position?.diagram) return this.draw({ games: 0, moves: [], latest: [] });
    const asked = { line: tree.line(node), notation: preferences.notation };
    const number = numbersOf(asked.line).at(-1);
    this.asked = asked;
    let [own, found] = [];
    try {
      if (place === "own") {
        // Send only the games that contain the position, rather than thousands at every step.
        own = (await this.own()).filter(({ line }) => has(line, number));
        asked.games = own.map(({ line }, index) => ({ ...line, game: index + 1 }));
      }
      found = await app.link.ask("explore", asked);
    } catch (error) {
      if (this.asked === asked) this.moves.replaceChildren(h("li", { class: "soft" }, error.message));
      return;
    }
    if (this.asked !== asked) return;
    const open = (game) => (place === "own" ? own[game - 1].open() : app.opener.openSource({ library: game }, this.library));
    this.draw(found, open, number, node);
  }

  draw(found, open, number, node) {
    const { app } = this;
    this.count.textContent = t("gameCount", { n: found.games });
    refill(this.moves, found.moves.length ? found.moves.map((move) => h("li", {}, h("button", { type: "button", class: "explored-move", onclick: () => app.node === node && app.playLine([move.move], [move.text]) },
      h("b", {}, move.text), h("span", { class: "soft percent" }, move.games), results(move), h("span", { class: "soft" }, [move.last_year, ...move.players.map(({ name, games }) => `${name} ${games}`)].filter(Boolean).join(" · "))))) : h("li", { class: "soft" }, t(found.games ? "lastPosition" : "noGameHere")));
    this.latest.replaceChildren(...found.latest.map((game) => h("li", {}, h("button", { type: "button", onclick: async () => (await open(game.game)) && app.go(find(app.tree, number)) },
      h("b", {}, `${game.red || "?"} – ${game.black || "?"}`), ` ${game.result}`, h("span", { class: "soft" }, ` ${[game.date, game.event].filter(Boolean).join(" · ")}`)))));
  }
}

/** A bar of the results with a move, in the style of the engine's bar of chances; empty if no game has a result. */
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
