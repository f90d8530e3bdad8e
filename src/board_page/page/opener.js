// Opens games: of files, texts, links, and of the server's files and library.

import * as dialogs from "./dialogs.js";
import { base64Of, toast } from "./dom.js";
import { readAddress } from "./share.js";
import { preferences } from "./store.js";
import { Tree } from "./tree.js";
import { headed, joined, scripted, t, tongue } from "./words.js";

export class Opener {
  constructor(app) {
    this.app = app;
  }

  /** Opens a source, whose games are listed unless one of them is chosen. */
  async openSource(source, name, game) {
    const { app } = this;
    try {
      const opened = await app.link.ask("open", { source, game: game ?? 1, notation: preferences.notation });
      app.keepNow();
      app.file = opened.format || "library" in source ? { source, name, games: opened.games, moreGames: opened.more_games, game: opened.game } : null;
      const tree = Tree.of(opened.tree, opened.names);
      tree.takeDrawings();
      app.replaceTree(tree, { keepsFile: true, node: opened.format ? tree.root : tree.end(tree.root) });
      const warnings = tongue() === "zh" ? opened.warnings_chinese.map(scripted) : opened.warnings;
      toast(warnings.length ? headed(t("warnings"), joined(warnings.slice(0, 3))) : t("opened", { name }), warnings.length ? "warning" : "info");
      dialogs.closeAll();
      if (!game && opened.format) app.explorer.opened(source, name);
      if (opened.games.length > 1 && !game) dialogs.games(app);
      return true;
    } catch (error) {
      toast(error.large ? t("tooLarge", { n: Math.floor((error.large * 0.75) / 1048576) }) : t("unreadable", { name, message: error.message }), "error");
      return false;
    }
  }

  async openFile(file) {
    const { app } = this;
    // Unknown before the greeting, and checked again when the request is sent.
    const most = app.link.hello?.longest_message ?? Infinity;
    if (file.size > most * 0.74) {
      toast(t("tooLarge", { n: Math.floor((most * 0.75) / 1048576) }), "error");
      return false;
    }
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      toast(t("noFile", { name: file.name }), "error");
      return false;
    }
    return this.openSource({ file: { name: file.name, bytes: base64Of(bytes) } }, file.name);
  }

  /** Opens the first of the dropped files, or a dropped text. */
  async drop(data) {
    const { files } = data;
    if (!files.length) return data.getData("text") && this.openText(data.getData("text"));
    const [file] = files;
    const { length } = files;
    if ((await this.openFile(file)) && length > 1) toast(t("oneFile", { name: file.name, n: length - 1 }), "warning");
  }

  /** Opens a game or position contained in the fragment of the URL. The fragment is then removed, so that a reload does not reset the
   * game. */
  async openAddress() {
    const { app } = this;
    const { hash } = location;
    let found;
    try {
      found = await readAddress(hash);
      if (!found) return false;
      if ("fen" in found) {
        const checked = await app.link.ask("setup", { fen: found.fen });
        if (!checked.playable) throw Object.assign(new Error(headed(found.fen || "FEN", app.setup.whyNot(checked.faults))), { key: "text" });
        app.replaceTree(new Tree(checked.fen), { keepsFile: false });
      } else {
        const { notation } = preferences;
        const tree = Tree.of(found.tree, await app.link.ask("names", { tree: found.tree, notation }));
        tree.setDrawings(found.drawings);
        app.replaceTree(tree, { keepsFile: false, node: [tree.root, ...tree.nodes()][found.shown] });
      }
      toast(t("openedLink"));
    } catch (error) {
      toast(t(error.key ?? "badLink", { message: error.message }), "error");
    }
    if (location.hash === hash) history.replaceState(null, "", location.pathname + location.search);
    return true;
  }

  openText(text) {
    return this.openSource({ text }, t("pasted"));
  }
}
