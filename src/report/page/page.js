"use strict";
const CELL = 60, MARGIN = 48, BLUE = "#0072b2", NAMES = { k: "K", a: "A", b: "E", n: "H", r: "R", c: "C", p: "P" };
/* A board is a list of ninety letters, rank 9 first, as FEN writes it. */
const boardOf = (fen) => fen.split(" ")[0].split("/")
  .flatMap((row) => [...row].flatMap((sign) => sign >= "1" && sign <= "9" ? Array(+sign).fill("") : [sign]));
const index = (point) => (9 - point[1]) * 9 + point.charCodeAt(0) - 97;
const played = (board, move) => {
  const after = board.slice();
  after[index(move.slice(2))] = after[index(move)];
  after[index(move)] = "";
  return after;
};
for (const game of document.querySelectorAll(".game")) {
  const data = JSON.parse(game.querySelector(".data").textContent);
  const find = (selector) => game.querySelector(selector);
  const viewer = find(".viewer"), at = find(".at"), list = find(".moves"), graph = find(".graph svg"), cursor = find(".cursor");
  const last = data.found.length - 1; /* plies of the main line */
  for (const part of game.querySelectorAll(".controls, .note, .jump")) part.hidden = false;
  const start = at.cloneNode();
  start.innerHTML = '<span class="en">Start</span><span class="zh">开始局面</span>';
  /* Node 0 is the start; nodes up to `last` are the main line, the others are variations. */
  let node = 0, flipped = false;
  const boards = [boardOf(data.fen)];
  const board = (node) => boards[node] ??= played(board(data.steps[node - 1].from), data.steps[node - 1].move);
  const next = (node) => {
    if (node < last) return node + 1;
    const child = node > last ? data.steps.findIndex((step) => step.from === node) : -1;
    return child < 0 ? node : child + 1;
  };
  const center = (file, rank) => flipped
    ? [MARGIN + (8 - file) * CELL, MARGIN + rank * CELL]
    : [MARGIN + file * CELL, MARGIN + (9 - rank) * CELL];
  const point = (text) => center(text.charCodeAt(0) - 97, +text[1]);
  const mark = (move) => {
    const [x, y] = point(move), [u, v] = point(move.slice(2));
    let corners = "";
    for (const [a, b] of [[-1, -1], [-1, 1], [1, -1], [1, 1]])
      corners += `M${u + 28 * a} ${v + 14 * b}v${14 * b}h${-14 * a}`;
    return `<circle cx="${x}" cy="${y}" r="12" fill="${BLUE}" fill-opacity=".25" stroke="${BLUE}" stroke-width="3" stroke-dasharray="4 4"/>` +
      `<path d="${corners}" fill="none" stroke="${BLUE}" stroke-width="4"/>`;
  };
  const arrow = (move) => {
    const [x, y] = point(move), [u, v] = point(move.slice(2)), length = Math.hypot(u - x, v - y) || 1;
    const on = (d, s) => `${x + ((u - x) * d - (v - y) * s) / length} ${y + ((v - y) * d + (u - x) * s) / length}`;
    return `<g opacity=".85"><path d="M${on(24, 0)}L${on(length - 22, 0)}" stroke="${BLUE}" stroke-width="8"/>` +
      `<path d="M${on(length - 30, 13)}L${on(length - 4, 0)}L${on(length - 30, -13)}L${on(length - 24, 0)}Z" fill="${BLUE}"/></g>`;
  };
  const draw = () => {
    const step = node ? data.steps[node - 1] : null, found = data.found[node];
    let body = `<use href="#board"/><use href="#files${flipped ? "-flipped" : ""}"/>`;
    if (step) body += mark(step.move);
    board(node).forEach((sign, place) => {
      if (!sign) return;
      const [x, y] = center(place % 9, 9 - Math.floor(place / 9)), low = sign.toLowerCase();
      body += `<use href="#${sign === low ? "b" : "r"}-${NAMES[low]}" x="${x}" y="${y}"/>`;
    });
    if (found && found.best) body += arrow(found.best);
    viewer.querySelector("svg").innerHTML = body;
    if (step) at.textContent = step.text; else at.innerHTML = start.innerHTML;
    const score = find(".note .score");
    score.innerHTML = '<span class="cp"></span><span class="ev"></span>';
    score.firstChild.textContent = found ? found.cp : "–";
    score.lastChild.textContent = found ? found.ev : "–";
    find(".note .best").hidden = !(found && found.line);
    find(".note .line").textContent = found ? found.line : "";
    find(".note .comment").textContent = step ? step.comment || "" : "";
    cursor.setAttribute("transform", `translate(${last ? Math.min(node, last) / last * 600 : 0} 0)`);
    cursor.style.display = node > last ? "none" : "";
    for (const button of list.querySelectorAll(".move")) {
      const chosen = +button.dataset.node === node;
      button.classList.toggle("now", chosen);
      if (!chosen) { button.removeAttribute("aria-current"); continue; }
      button.setAttribute("aria-current", "true");
      const box = button.getBoundingClientRect(), frame = list.getBoundingClientRect();
      if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - 80;
    }
  };
  const go = (to) => { node = Math.max(0, Math.min(data.steps.length, to)); draw(); };
  const back = () => node ? data.steps[node - 1].from : 0;
  game.addEventListener("click", (event) => {
    const step = event.target.closest("[data-go]"), link = event.target.closest("[data-node]");
    if (step) {
      const name = step.dataset.go;
      if (name === "flip") { flipped = !flipped; draw(); }
      else go({ first: 0, back: back(), next: next(node), last }[name]);
    } else if (link) {
      go(+link.dataset.node);
      if (!link.closest(".moves")) viewer.scrollIntoView({ block: "nearest" });
    }
  });
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    go(Math.min(last, Math.round((event.clientX - box.left) / box.width * last)));
  });
  game.tabIndex = 0;
  game.addEventListener("keydown", (event) => {
    if (event.target.closest("input, summary")) return;
    const to = { ArrowLeft: back(), ArrowRight: next(node), Home: 0, End: last }[event.key];
    if (to !== undefined) { event.preventDefault(); go(to); }
  });
  draw();
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
document.querySelectorAll("[name=language]").forEach((input) => input.addEventListener("change", () => {
  document.documentElement.lang = input.id === "lang-zh" ? "zh-Hans" : "en";
}));
