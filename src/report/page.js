"use strict";
document.getElementById("style").onclick = () => {
  document.body.classList.toggle("letters");
  document.body.classList.toggle("characters");
};
const CELL = 60, MARGIN = 48, NAMES = { k: "K", a: "A", b: "E", n: "H", r: "R", c: "C", p: "P" };
for (const game of document.querySelectorAll(".game")) {
  const data = JSON.parse(game.querySelector(".data").textContent);
  const viewer = game.querySelector(".viewer"), at = game.querySelector(".at"), note = game.querySelector(".note");
  const graph = game.querySelector(".graph svg"), cursor = game.querySelector(".cursor");
  const last = data.moves.length;
  let ply = last, flipped = false;
  const center = (file, rank) => flipped
    ? [MARGIN + (8 - file) * CELL, MARGIN + rank * CELL]
    : [MARGIN + file * CELL, MARGIN + (9 - rank) * CELL];
  const point = (text) => center(text.charCodeAt(0) - 97, +text[1]);
  const mark = (move) => {
    const [x, y] = point(move), [u, v] = point(move.slice(2));
    let corners = "";
    for (const [a, b] of [[-1, -1], [-1, 1], [1, -1], [1, 1]])
      corners += `M${u + 28 * a} ${v + 14 * b}v${14 * b}h${-14 * a}`;
    return `<circle cx="${x}" cy="${y}" r="12" fill="#0072b2" fill-opacity=".25" stroke="#0072b2" stroke-width="3" stroke-dasharray="4 4"/>` +
      `<path d="${corners}" fill="none" stroke="#0072b2" stroke-width="4"/>`;
  };
  const arrow = (move) => {
    const [x, y] = point(move), [u, v] = point(move.slice(2)), length = Math.hypot(u - x, v - y) || 1;
    const on = (d) => `${x + (u - x) / length * d} ${y + (v - y) / length * d}`;
    return `<path d="M${on(24)}L${on(length - 12)}" stroke="#0072b2" stroke-width="8" stroke-opacity=".85" marker-end="url(#better)"/>`;
  };
  const draw = () => {
    let body = '<use href="#board"/>';
    for (let i = 0; i < 9; i++)
      body += `<text x="${center(i, 0)[0]}" y="627" font-size="13" text-anchor="middle" fill="#5b4636">${"abcdefghi"[i]}</text>`;
    for (let i = 0; i < 10; i++)
      body += `<text x="9" y="${center(0, i)[1] + 5}" font-size="13" text-anchor="middle" fill="#5b4636">${i}</text>`;
    if (ply > 0) body += mark(data.moves[ply - 1][0]);
    data.boards[ply].split("/").forEach((row, index) => {
      let file = 0;
      for (const sign of row) {
        if (sign >= "1" && sign <= "9") { file += +sign; continue; }
        const [x, y] = center(file++, 9 - index), low = sign.toLowerCase();
        body += `<use href="#${sign === low ? "b" : "r"}-${NAMES[low]}" x="${x}" y="${y}"/>`;
      }
    });
    const next = data.moves[ply];
    if (next && next[3]) body += arrow(next[3]);
    viewer.innerHTML = `<svg class="diagram" viewBox="0 0 576 636">${body}</svg>`;
    const now = ply ? data.moves[ply - 1] : null;
    at.textContent = now ? now[1] : "Start";
    note.textContent = `Red’s expected score ${(ply ? now[2] : data.start).toFixed(0)} %` +
      (now && now[4] ? ` · better was ${now[4]}` : "");
    cursor.setAttribute("transform", `translate(${last ? ply / last * 600 : 0} 0)`);
    for (const link of game.querySelectorAll(".moves a")) {
      const chosen = +link.dataset.ply === ply;
      link.classList.toggle("now", chosen);
      const list = link.closest(".moves");
      if (chosen && (link.offsetTop < list.scrollTop + list.offsetTop || link.offsetTop > list.scrollTop + list.offsetTop + list.clientHeight - 40))
        list.scrollTop = link.offsetTop - list.offsetTop - 80;
    }
  };
  const go = (to) => { ply = Math.max(0, Math.min(last, to)); draw(); };
  game.addEventListener("click", (event) => {
    const step = event.target.closest("[data-go]"), link = event.target.closest("[data-ply]");
    if (step) {
      const name = step.dataset.go;
      if (name === "flip") { flipped = !flipped; draw(); }
      else go({ first: 0, back: ply - 1, next: ply + 1, last }[name]);
    } else if (link) {
      go(+link.dataset.ply);
      if (!link.closest(".moves")) viewer.scrollIntoView({ behavior: "smooth", block: "nearest" });
    }
  });
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    go(Math.round((event.clientX - box.left) / box.width * last));
  });
  game.tabIndex = 0;
  game.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) { event.preventDefault(); go(to); }
  });
  draw();
}
