"use strict";
const CELL = 60, MARGIN = 48, BLUE = "#0072b2", NAMES = { k: "K", a: "A", b: "E", n: "H", r: "R", c: "C", p: "P" };
/* A board is an array of ninety FEN letters, rank 9 first. */
const boardOf = (fen) => fen.split(" ")[0].split("/")
  .flatMap((row) => [...row].flatMap((sign) => sign >= "1" && sign <= "9" ? Array(+sign).fill("") : [sign]));
const index = (point) => (9 - point[1]) * 9 + point.charCodeAt(0) - 97;
const played = (board, move) => {
  const after = board.slice();
  after[index(move.slice(2))] = after[index(move)];
  after[index(move)] = "";
  return after;
};
const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
const words = (text) => text.match(/.{4}/g) || [];
const make = (tag, className, text = "") => Object.assign(document.createElement(tag), { className, textContent: text });
/* A page contains letters (C2=5), and characters only where they cannot be derived. Keep in sync with Characters::written. */
const signs = JSON.parse(document.querySelector(".characters").textContent);
const written = (letters, red) => {
  const piece = (letter) => (red ? signs.red : signs.black)[signs.letters.indexOf(letter)];
  const digit = (sign) => (red ? "一二三四五六七八九" : "１２３４５６７８９")[sign - 1];
  const place = "+-".indexOf(letters[0]);
  const head = place < 0 ? piece(letters[0]) + digit(letters[1]) : signs.places[place] + piece(letters[1]);
  return head + signs.ways["+-=".indexOf(letters[2])] + digit(letters[3]);
};
/* A line in every notation; CSS shows the selected one. */
const inAll = (packed, red) => {
  const [letters, characters, third] = packed.split("|");
  const derived = () => letters.split(" ").map((text, at) => written(text, red === (at % 2 === 0))).join(" ");
  const texts = [letters, characters || (letters && derived())];
  if (third !== undefined) texts.push(third);
  return texts.map((text, number) => make("span", `n${number}`, text));
};
for (const game of document.querySelectorAll(".game")) {
  const data = JSON.parse(game.querySelector(".data").textContent);
  const find = (selector) => game.querySelector(selector);
  const viewer = find(".viewer"), at = find(".at"), list = find(".moves"), graph = find(".graph svg"), cursor = find(".cursor");
  for (const part of game.querySelectorAll(".controls, .note, .jump, .lines")) part.hidden = false;
  const start = data.fen || START, redFirst = !start.endsWith(" b");
  const best = data.best.match(/.{4}/g);
  const main = words(data.moves), last = main.length; /* plies of the main line */
  /* Node 0 is the start; nodes up to `last` are the main line, the others are variations. */
  const steps = main.map((move, ply) => [ply, move]).concat(data.variations || []);
  const buttons = [...list.querySelectorAll("li > button"), ...list.querySelectorAll(".variation button")];
  const nodes = new Map(buttons.map((button, index) => [button, index + 1]));
  const comments = [];
  for (const part of list.querySelectorAll("p.comment")) comments[part.dataset.node] = part.textContent;
  for (const part of list.querySelectorAll("span.comment")) comments[nodes.get(part.previousElementSibling)] = part.textContent;
  let node = 0, flipped = false;
  const boards = [boardOf(start)];
  const board = (node) => boards[node] ??= played(board(steps[node - 1][0]), steps[node - 1][1]);
  const next = (node) => {
    if (node < last) return node + 1;
    const child = node > last ? steps.findIndex((step) => step[0] === node) : -1;
    return child < 0 ? node : child + 1;
  };
  const red = (ply) => redFirst === (ply % 2 === 0);
  const number = (ply) => {
    const half = ply - 1 + (redFirst ? 0 : 1);
    return `${(half >> 1) + (data.first || 1)}${half % 2 ? "…" : "."} `;
  };
  /* The parts of a move's button: its text without the score, or the score alone. */
  const parts = (node, ofScore) => {
    const copy = buttons[node - 1].cloneNode(true), score = copy.querySelector("small");
    if (ofScore) return score ? [...score.childNodes] : [];
    if (score) score.remove();
    const text = [...copy.childNodes];
    return node <= last ? [number(node), ...text] : text;
  };
  const both = (english, chinese) => [make("span", "en", english), make("span", "zh", chinese)];
  const textOf = (node) => node ? parts(node) : both("Start", "起始局面");
  const scoreOf = (node) => node ? parts(node, true) : (data.score || []).map((text, unit) => make("span", unit ? "ev" : "cp", text));
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
    const step = node ? steps[node - 1] : null;
    let body = `<use href="#board"/><use href="#files${flipped ? "-flipped" : ""}"/>`;
    if (step) body += mark(step[1]);
    board(node).forEach((sign, place) => {
      if (!sign) return;
      const [x, y] = center(place % 9, 9 - Math.floor(place / 9)), low = sign.toLowerCase();
      body += `<use href="#${sign === low ? "b" : "r"}-${NAMES[low]}" x="${x}" y="${y}"/>`;
    });
    const isMain = node <= last;
    if (isMain && best && (best[node] || "").trim()) body += arrow(best[node]);
    viewer.querySelector("svg").innerHTML = body;
    at.replaceChildren(...textOf(node));
    const score = isMain ? scoreOf(node) : [];
    find(".note .score").replaceChildren(...(score.length ? score : ["–"]));
    const line = isMain && data.lines[node];
    find(".note .best").hidden = !line;
    find(".note .line").replaceChildren(...(line ? inAll(line, red(node)) : []));
    find(".note .comment").textContent = comments[node] || "";
    cursor.setAttribute("transform", `translate(${last ? Math.min(node, last) / last * 600 : 0} 0)`);
    cursor.style.display = isMain ? "" : "none";
    const now = list.querySelector(".now"), button = buttons[node - 1];
    if (now) { now.classList.remove("now"); now.removeAttribute("aria-current"); }
    if (!button) return;
    button.classList.add("now");
    button.setAttribute("aria-current", "true");
    const box = button.getBoundingClientRect(), frame = list.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - 80;
  };
  const go = (to) => { node = Math.max(0, Math.min(steps.length, to)); draw(); };
  const back = () => node ? steps[node - 1][0] : 0;
  game.addEventListener("click", (event) => {
    const step = event.target.closest("[data-go]"), link = event.target.closest("button.jump"), move = nodes.get(event.target.closest(".moves button"));
    if (step) {
      const name = step.dataset.go;
      if (name === "flip") { flipped = !flipped; draw(); }
      else go({ first: 0, back: back(), next: next(node), last }[name]);
    } else if (move) {
      go(move);
    } else if (link) {
      go(+link.dataset.node);
      viewer.scrollIntoView({ block: "nearest" });
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
  const lines = find(".lines");
  lines.addEventListener("toggle", () => {
    const body = lines.querySelector("tbody");
    if (body.childNodes.length) return;
    data.lines.forEach((line, ply) => {
      const row = body.insertRow();
      row.insertCell().append(...textOf(ply));
      row.insertCell().append(...scoreOf(ply));
      row.insertCell().append(...(line ? inAll(line, red(ply)) : []));
    });
  });
  draw();
}
const checked = (id) => { const input = document.getElementById(id); if (input) input.checked = true; };
document.querySelectorAll("[name=language]").forEach((input) => input.addEventListener("change", () => {
  const chinese = input.id === "lang-zh";
  document.documentElement.lang = chinese ? "zh-Hans" : "en";
  checked(chinese ? "n1" : "n0");
}));
/* Filters games and players; a quoted name must match a player's full name. */
const filter = document.querySelector(".filter");
if (filter) {
  const input = filter.querySelector("input"), count = filter.querySelector(".matches");
  document.documentElement.classList.add("scripted");
  filter.hidden = false;
  const games = [...document.querySelectorAll(".games tbody tr")].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    players: (row.dataset.players || "").split("\n"),
    article: document.getElementById(row.querySelector("a").hash.slice(1)),
  }));
  const people = [...document.querySelectorAll(".players tbody tr")].map((row) => ({
    row, name: row.querySelector(".name")?.textContent, text: row.cells[0].textContent.toLowerCase(),
  }));
  const apply = () => {
    const value = input.value.trim(), exact = value.match(/^"(.+)"$/)?.[1], words = value.toLowerCase().split(/\s+/);
    const has = (text) => words.every((word) => text.includes(word));
    const seen = new Set();
    let shown = 0;
    for (const { row, text, players, article } of games) {
      const fits = exact === undefined ? has(text) : players.includes(exact);
      row.hidden = article.hidden = !fits;
      if (!fits) continue;
      shown += 1;
      players.forEach((name) => seen.add(name));
    }
    for (const { row, name, text } of people) row.hidden = !(value === "" || has(text) || name !== undefined && seen.has(name));
    count.textContent = value ? `${shown}/${games.length}` : "";
  };
  input.addEventListener("input", apply);
  document.querySelectorAll(".name").forEach((button) => button.addEventListener("click", () => {
    input.value = `"${button.textContent}"`;
    apply();
  }));
}
