// The connection to the server, or to workers of this page (socket.js). The game is held by the page and answers depend on the question
// alone, so that open requests are simply sent again after a reconnection.

import { connect } from "./socket.js";
import { problemText, t } from "./words.js";

const LAST = { analyse: ["done"], move: ["move", "done"], review: ["review", "done"], draw_offer: ["draw_reply", "done"] };

export class Link {
  /** `onstate(isOpen, reason)` is called when the state changes, with the key of the reason in words.js if the connection is lost, `onhello(hello)` with every greeting, `onmore()` when answers about positions may
   * have changed. */
  constructor(onstate, onhello, onmore) {
    this.onstate = onstate;
    this.onhello = onhello;
    this.onmore = onmore;
    this.open = new Map();
    this.number = 0;
    this.pause = 250;
    this.hello = null;
    this.reason = "offline";
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => document.hidden || this.connect());
    this.connect();
  }

  connect() {
    if (this.socket && this.socket.readyState <= 1) return;
    clearTimeout(this.timer);
    const socket = connect(this.onmore);
    this.socket = socket;
    socket.onmessage = (event) => this.take(JSON.parse(event.data));
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.isReady = false;
      // "Try again later".
      const isFull = code === 1013;
      this.onstate(false, isFull ? "full" : this.reason);
      if (!isFull) this.findReason();
      this.timer = setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(4000, this.pause * 1.7);
    };
  }

  /** Finds out whether a server runs that does not know the address of this page: that of `--lan` changes with every start. */
  async findReason() {
    const answer = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (this.isReady) return;
    const reason = answer?.status === 404 ? "moved" : "offline";
    if (reason !== this.reason) this.onstate(false, reason);
    this.reason = reason;
  }

  take({ id, answer }) {
    const [kind, body] = Object.entries(answer)[0];
    if (kind === "hello") {
      this.hello = body;
      this.isReady = true;
      this.pause = 250;
      this.reason = "offline";
      this.onhello(body);
      this.onstate(true);
      // Send the search last; only one runs at a time.
      for (const asked of [...this.open.values()].sort((a, b) => (a.kind in LAST) - (b.kind in LAST))) this.send(asked);
      return;
    }
    const asked = this.open.get(id);
    if (!asked) return;
    const isLast = kind === "error" || !(asked.kind in LAST) || LAST[asked.kind].includes(kind);
    if (!isLast) return asked.onpart?.(body, kind);
    this.open.delete(id);
    if (kind === "error") asked.reject(Object.assign(new Error(body.busy ? t("busyServer", body) : problemText(body)), { busy: body.busy }));
    else asked.resolve({ kind, body });
  }

  send(asked) {
    const text = JSON.stringify({ id: asked.id, ask: { [asked.kind]: asked.body } });
    const most = this.hello?.longest_message ?? Infinity;
    asked.sent += 1;
    // A message that makes the server close the connection must not be resent forever.
    const isTooLong = text.length > most || (text.length > most / 4 && new TextEncoder().encode(text).length > most);
    if (isTooLong || (asked.sent > 4 && text.length > 1e6)) {
      this.open.delete(asked.id);
      asked.reject(Object.assign(new Error("too large"), { large: most }));
      return;
    }
    this.socket.send(text);
  }

  /** Sends a request; resolves to the body of the final answer. */
  async ask(kind, body, onpart) {
    return (await this.request(kind, body, onpart)).body;
  }

  /** Like `ask`, but resolves to the kind and body of the answer. */
  request(kind, body, onpart) {
    return new Promise((resolve, reject) => {
      const asked = { id: ++this.number, kind, body, onpart, resolve, reject, sent: 0 };
      // A new search replaces the old one.
      if (kind in LAST) this.forget();
      this.open.set(asked.id, asked);
      if (this.isReady) this.send(asked);
    });
  }

  /** Drops the running search; its further answers are ignored. */
  forget() {
    for (const [id, asked] of this.open) {
      if (!(asked.kind in LAST)) continue;
      this.open.delete(id);
      asked.resolve({ kind: "done", body: { stopped: true } });
    }
  }

  /** Stops the running search. */
  stop() {
    this.forget();
    if (this.isReady) this.ask("stop", {});
  }
}
