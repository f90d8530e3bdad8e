// Helpers to create elements. Text is always inserted as text nodes, so nothing from a file can become markup.

import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "value" || name === "checked" || name === "selected" || name === "indeterminate") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Creates an HTML element: `h("button", {type: "button", onclick}, "text")`. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
/** Creates an SVG element. */
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);
/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** A button with an icon and a name; the name is hidden where there is no space for it. */
export function button(sign, name, onclick, properties = {}) {
  return h("button", { type: "button", title: name, onclick, ...properties },
    sign && h("span", { class: "sign", "aria-hidden": "true" }, icon(sign)), h("span", { class: "name" }, name));
}

/** A button with only an icon. */
export const iconButton = (sign, name, onclick) => h("button", { type: "button", class: "icon", title: name, "aria-label": name, onclick }, h("span", { class: "sign", "aria-hidden": "true" }, icon(sign)));

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", next: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M7 20V5M3.5 8.5 7 5l3.5 3.5M17 4v15M13.5 15.5 17 19l3.5-3.5", new: "M12 5v14M5 12h14",
  open: "M3 7V5h6l2 2.500h10V19H3zM3 10h18", save: "M12 4v11M7 10.500l5 5 5-5M4 20h16", setup: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5", hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.500c.8.8 1 1.500 1 2.500h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3z",
  undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-2", flag: "M6 21V4h12l-3 4 3 4H6", up: "M12 20V5M5 12l7-7 7 7", trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  games: "M5 4h14v4H5zM5 10h14v4H5zM5 16h14v4H5z",
  half: "M18 4L6 20M7 4v7M5 5.500L7 4M14 14.500c1-2 4-1.500 4 .5 0 1.800-4 3-4 5h4.500", link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
  puzzle: "M4 9h5a2.500 2.500 0 1 1 5 0h6v11H4zM9 20v-3a2 2 0 1 1 4 0v3",
  play: "M8 5l11 7-11 7z", stop: "M6 6h12v12H6z", chart: "M4 20V4M4 20h16M7 15l4-5 3 3 5-7", close: "M6 6l12 12M18 6L6 18",
};

function icon(name) {
  const svg = s("svg", { viewBox: "0 0 24 24", width: "20", height: "20" });
  svg.append(s("path", { d: ICONS[name], fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linejoin": "round", "stroke-linecap": "round" }));
  return svg;
}

/** A select element with options `[value, text]`. */
export function select(id, choices, chosen, onchange) {
  return h("select", { id, onchange: (event) => onchange(event.target.value) },
    choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/** Replaces the children of an element. If one of them has the keyboard focus, the child with its name gets it, or otherwise the one in its
 * place. */
export function refill(root, children) {
  const all = () => [...root.querySelectorAll("a, button:not(:disabled), input, select, textarea")];
  const nameOf = (one) => one?.id || one?.getAttribute("aria-label");
  const was = root.contains(document.activeElement) && document.activeElement;
  const index = was && all().indexOf(was);
  root.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!was) return;
  const now = all();
  const isSame = (one) => nameOf(was) && nameOf(one) === nameOf(was);
  ((!isSame(now[index]) && now.find(isSame)) || now[index] || now.at(-1) || root.closest("details")?.firstChild)?.focus({ preventScroll: true });
}

/** Moves the keyboard focus to an element if the one that had it is gone. */
export const focusIfLost = (id) => document.activeElement === document.body && $(id).focus();

/** A labelled input. */
export const field = (id, name, input) => h("div", { class: "field" }, h("label", { for: id }, name), input);

/** Shows a toast. Errors, and toasts with an `action` (`{ name, act }`), stay longer. */
export function toast(text, kind = "info", action = null) {
  const note = h("p", { class: `toast ${kind}` }, h("span", {}, text));
  const act = () => {
    note.remove();
    action.act();
  };
  if (action) note.append(h("button", { type: "button", class: "action", onclick: act }, action.name));
  note.append(h("button", { type: "button", "aria-label": t("close"), onclick: () => note.remove() }, "×"));
  $("toasts").append(note);
  placeToasts();
  setTimeout(() => note.remove(), kind === "error" || action ? 12000 : 5000);
}

/** Width and height needed for a toast of two lines. */
const LEAST = [240, 64];

/** Places the toasts beside, below or above the board, and on it only if there is no space elsewhere. */
export function placeToasts() {
  const box = $("toasts");
  if (!box.firstChild) return;
  const board = $("board").getBoundingClientRect();
  const [beside, below, above] = [innerWidth - board.right, innerHeight - board.bottom, board.top];
  const isBeside = beside >= LEAST[0];
  const isAbove = !isBeside && below < LEAST[1] && above > below;
  const room = isBeside ? innerHeight : Math.max(isAbove ? above : below, LEAST[1]);
  box.classList.toggle("above", isAbove);
  box.style.maxWidth = isBeside ? `${Math.min(448, beside - 16)}px` : "";
  box.style.maxHeight = `${room - 8}px`;
}

/** Waits for the next frame, unless the page is hidden. */
export const afterFrame = async () => document.hidden || new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Announces a text to screen readers only. */
export function announce(text) {
  const live = $("live");
  // A repeated text must differ to be announced again.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Decodes Base64. */
export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Encodes bytes as Base64, in chunks because the number of arguments of a call is limited. */
export function base64Of(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8190) text += btoa(String.fromCharCode(...bytes.subarray(i, i + 8190)));
  return text;
}
