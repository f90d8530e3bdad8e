// The graph of Red's expected score over a game.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 130;

export class Graph {
  constructor({ ongo }) {
    this.ongo = ongo;
    this.plies = 1;
    this.area = s("polygon", { class: "area" });
    this.curve = s("polyline", { class: "curve" });
    this.dots = s("g", {});
    this.cursor = s("path", { class: "cursor", d: "M0 0" });
    this.svg = s("svg", { viewBox: `-4 -6 ${WIDTH + 8} ${HEIGHT + 12}`, role: "img", "aria-label": t("graph") },
      s("rect", { class: "sky", width: WIDTH, height: HEIGHT, rx: "6" }), this.area, s("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }), this.curve, this.dots, this.cursor);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * (WIDTH + 8) - 4) / WIDTH;
      ongo(Math.round(Math.min(1, Math.max(0, share)) * this.plies));
    });
    this.element = h("figure", { class: "graph" }, this.svg, h("figcaption", { class: "soft" }, t("graphHelp")));
  }

  /** `scores[ply]` in percent, with gaps; `judged` by ply. */
  show(scores, plies, judged) {
    this.plies = Math.max(1, plies);
    const x = (ply) => (ply / this.plies) * WIDTH;
    const y = (score) => ((100 - score) / 100) * HEIGHT;
    const known = scores.map((score, ply) => [ply, score]).filter(([, score]) => score !== undefined && score !== null);
    const points = known.map(([ply, score]) => `${x(ply).toFixed(1)},${y(score).toFixed(1)}`).join(" ");
    this.curve.setAttribute("points", points);
    const end = known.length ? x(known.at(-1)[0]).toFixed(1) : 0;
    this.area.setAttribute("points", known.length ? `0,${HEIGHT} ${points} ${end},${HEIGHT}` : "");
    const dots = [];
    for (const [ply, { judgement, side }] of judged) {
      if (scores[ply] === undefined) continue;
      const [cx, cy] = [x(ply), y(scores[ply])];
      if (judgement === "blunder") dots.push(s("rect", { class: side, x: cx - 5.5, y: cy - 5.5, width: "11", height: "11" }));
      else if (judgement === "mistake") dots.push(s("circle", { class: side, cx, cy, r: "4.5" }));
    }
    this.dots.replaceChildren(...dots);
  }

  mark(ply) {
    const at = ply === null ? null : ((ply / this.plies) * WIDTH).toFixed(1);
    this.cursor.setAttribute("d", at === null ? "M0 0" : `M${at} 0V${HEIGHT}`);
  }
}
