// The list of the games stored by the browser.

import { bytesOf, button, h, iconButton, refill, toast } from "./dom.js";
import { confirm, download, offer, show } from "./dialogs.js";
import { keyOf } from "./analysis.js";
import { preferences } from "./store.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

/** The search field is shown from this number of games on. */
const MANY = 8;

/** The display title of a game: its name, the title of its record, or its first moves. */
export const titleOf = (head) => head.name || head.title || head.moves || t("unnamed");

export async function myGames(app) {
  // Ask the browser not to evict the games when it is short of space.
  navigator.storage?.persist?.().catch(() => {});
  const list = h("ul", { class: "choices my-games" });
  const gone = h("details", { hidden: true });
  const filter = h("input", { type: "text", id: "find-game", autocomplete: "off", placeholder: t("find"), "aria-label": t("find"), hidden: true, oninput: () => fill() });
  const none = h("p", { class: "soft", role: "status" });
  const all = button("save", t("exportAll"), () => exportAll(), { id: "export-all" });
  const dialog = show("my-games", t("myGames"), !app.isStored && h("p", { class: "warning" }, t("noLibrary")), filter, none, list, h("div", { class: "row-of-buttons" }, all), gone);
  let [heads, elsewhere] = [[], new Set()];
  /** Whether a name is being edited, which a change of another tab must not interrupt. */
  let isRenaming = false;

  /** Why the list could not be changed, for which a full storage has no room either. */
  const report = (error) => toast(error.message || error.name, "error");

  /** Reloads the list from the library. */
  async function load() {
    heads = await app.library.list();
    const locks = await navigator.locks?.query().catch(() => null);
    elsewhere = new Set((locks?.held ?? []).map(({ name }) => name.replace("chuhe-game-", "")));
    const deleted = await app.library.deleted();
    gone.hidden = !deleted.length;
    gone.replaceChildren(h("summary", {}, t("deletedGames", { n: deleted.length })), h("ul", { class: "choices" }, deleted.map((head) => h("li", { class: "game-row" },
      h("span", { class: "about" }, h("b", {}, titleOf(head)), facts(head)), button("undo", t("bringBack"), () => bringBack(head).catch(report), { class: "small" })))),
    h("div", { class: "row-of-buttons" }, button("trash", t("removeDeleted"), () => empty(deleted.length).catch(report), { class: "small", id: "remove-deleted" })));
    fill();
  }

  const facts = (head) => h("span", { class: "soft" }, ` ${[t("plies", { n: head.plies }), head.result !== "*" && head.result, head.isPlaying && head.result === "*" && t("playing"), new Date(head.changed).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })].filter(Boolean).join(" · ")}`);

  function fill() {
    if (isRenaming) return;
    filter.hidden = heads.length < MANY;
    const wanted = filter.value.trim().toLowerCase();
    const found = heads.filter((head) => `${titleOf(head)} ${head.source?.name ?? ""}`.toLowerCase().includes(wanted));
    none.textContent = found.length ? "" : t(heads.length ? "notFound" : "noGames");
    all.disabled = !heads.length;
    refill(list, found.map(row));
  }

  function row(head) {
    const title = titleOf(head);
    const isHere = head.id === app.keeper.game.id;
    const where = isHere ? t("onBoard") : elsewhere.has(head.id) ? t("otherTab") : "";
    const item = h("li", { class: "game-row" },
      h("button", { type: "button", class: "about", "aria-current": isHere ? "true" : null, onclick: async () => (await app.openKept(head.id)) && dialog.close() },
        h("b", {}, title), where && h("span", { class: "badge" }, where), facts(head)),
      iconButton("setup", `${t("rename")}: ${title}`, () => rename(item, head)),
      iconButton("save", `${t("saveGameAs")}: ${title}`, () => exportOne(head)),
      iconButton("trash", `${t("delete")}: ${title}`, () => remove(head).catch(report)));
    return item;
  }

  function rename(item, head) {
    const input = h("input", { type: "text", value: titleOf(head), "aria-label": t("rename") });
    let isOver = false;
    const finish = async (isTaken) => {
      if (isOver) return;
      isOver = true;
      isRenaming = false;
      const name = input.value.trim();
      try {
        if (isTaken && name !== titleOf(head)) {
          await app.library.rename(head.id, name);
          app.named(head.id, name);
        }
      } catch (error) {
        report(error);
      }
      await load();
    };
    input.addEventListener("keydown", (event) => {
      // While an input method composes characters, the keys are its own. In Safari the last of them follows the composition, with the code 229.
      if (event.isComposing || event.keyCode === 229 || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      event.stopPropagation();
      finish(event.key === "Enter");
    });
    input.addEventListener("blur", () => finish(true));
    isRenaming = true;
    item.replaceChildren(input);
    input.select();
    input.focus();
  }

  async function remove(head) {
    const isKept = await app.library.delete(head.id);
    const wasHere = head.id === app.keeper.game.id;
    if (wasHere) app.clearBoard();
    await load();
    (list.querySelector("button") ?? dialog.querySelector(".close")).focus();
    toast(t("deleted", { name: titleOf(head) }), "info", isKept && { name: t("undo"), act: () => bringBack(head, wasHere).catch(report) });
  }

  async function empty(count) {
    if (!(await confirm("remove-dialog", t("removeTitle", { n: count }), t("removeDeleted"), t("cancel")))) return;
    await app.library.empty();
    await load();
    dialog.querySelector(".close").focus();
  }

  async function bringBack(head, onBoard = false) {
    await app.library.restore(head.id);
    if (onBoard) await app.openKept(head.id);
    if (dialog.isConnected) await load();
  }

  const saved = async ({ id, name }) => {
    const game = await app.library.read(id);
    const { tree: form, drawings, review } = game.record;
    const tree = Tree.of(form);
    tree.setDrawings(drawings);
    const isReviewed = review?.key === keyOf(tree);
    return app.link.ask("save", { tree: tree.fileForm(name, true), format: "pgn", notation: preferences.notation, ...(isReviewed && { results: review.results, rules: review.rules ?? preferences.rules }) });
  };

  async function exportOne(head) {
    try {
      download(await saved(head));
    } catch (error) {
      toast(`${titleOf(head)}: ${error.message}`, "error");
    }
  }

  async function exportAll() {
    const [games, faults] = [[], []];
    for (const head of heads) {
      try {
        games.push(bytesOf((await saved(head)).bytes));
      } catch (error) {
        faults.push(`${titleOf(head)}: ${error.message}`);
      }
    }
    const day = new Date().toISOString().slice(0, 10);
    offer(`chuhe-${day}.pgn`, new Blob(games.flatMap((game, index) => (index ? ["\n", game] : [game])), { type: "application/vnd.chess-pgn" }));
    if (faults.length) toast(`${t("notExported", { n: faults.length })} ${faults[0]}`, "error");
    else toast(t("saved", { name: `chuhe-${day}.pgn` }));
  }

  const hear = () => load();
  app.channel?.addEventListener("message", hear);
  dialog.addEventListener("close", () => app.channel?.removeEventListener("message", hear));
  // The list includes the latest move, even right after the page was loaded.
  await app.opening;
  app.keepNow();
  await app.keeper.writing;
  await load();
}
