// The game tree of a record. The server provides the names of moves and decides which are legal.

import { inComment, ofComment } from "./drawings.js";

export const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

let numbers = 0;

class Node {
  constructor(parent, move, text) {
    this.id = ++numbers;
    this.parent = parent;
    this.move = move;
    this.text = text ?? move;
    this.comment = "";
    this.glyphs = [];
    /** The user's drawings on the board, see drawings.js. */
    this.shapes = [];
    this.children = [];
    this.ply = parent ? parent.ply + 1 : 0;
  }
}

/** The pieces of a FEN: an array of 90 letters or nulls, from a0. */
export function placement(fen) {
  const board = Array(90).fill(null);
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "9") file += Number(letter);
      else if (file < 9 && index < 10) board[(9 - index) * 9 + file++] = letter;
    }
  });
  return board;
}

/** The pieces as the first field of a FEN. */
export function boardFen(board) {
  const rows = [];
  for (let rank = 9; rank >= 0; rank--) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < 9; file++) {
      const piece = board[rank * 9 + file];
      if (!piece) empty += 1;
      else {
        row += (empty || "") + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

/** The index of a square such as `h2`. */
export const squareOf = (name) => name.charCodeAt(0) - 97 + 9 * Number(name[1]);
/** The name of a square. */
export const nameOf = (square) => String.fromCharCode(97 + (square % 9)) + Math.floor(square / 9);
/** The squares of a move such as `h2e2`. */
export const pointsOf = (move) => [squareOf(move.slice(0, 2)), squareOf(move.slice(2, 4))];
/** The side to move of a FEN. */
export const sideOf = (fen) => (/\sb\b/.test(fen) ? "black" : "red");
export const other = (side) => (side === "red" ? "black" : "red");

/** A fixed pseudo-random number for a piece on a square (the finalizer of splitmix32). */
function numberOf(piece, point) {
  let number = Math.imul(piece.charCodeAt(0) * 128 + point, 0x9e3779b9);
  number = Math.imul(number ^ (number >>> 16), 0x21f0aaad);
  number = Math.imul(number ^ (number >>> 15), 0x735a2d97);
  return number ^ (number >>> 15);
}

/** A 32-bit hash of every position of a line, equal for a position and its mirror image. */
export function numbersOf({ start = START, moves }) {
  const pieces = placement(start);
  const numbers = [];
  let [here, image] = [0, 0];
  let side = sideOf(start) === "red" ? 0 : 1;
  // Applied twice, this removes the piece.
  const put = (piece, point) => {
    if (!piece) return;
    here ^= numberOf(piece, point);
    image ^= numberOf(piece, point - 2 * (point % 9) + 8);
  };
  pieces.forEach(put);
  numbers.push(Math.min(here, image) ^ side);
  for (const move of moves) {
    const [from, to] = pointsOf(move);
    put(pieces[to], to);
    put(pieces[from], from);
    put(pieces[from], to);
    pieces[to] = pieces[from];
    pieces[from] = null;
    side ^= 1;
    numbers.push(Math.min(here, image) ^ side);
  }
  return Int32Array.from(numbers);
}

export class Tree {
  constructor(start = START) {
    this.start = start;
    this.result = "*";
    this.tags = [];
    this.root = new Node(null, null, "");
  }

  /** Creates a tree from its message form. */
  static of(form, names = []) {
    const tree = new Tree(form.start);
    tree.result = form.result || "*";
    tree.tags = (form.tags ?? []).map(([name, value]) => [name, value]);
    tree.root.comment = form.comment ?? "";
    tree.root.glyphs = form.glyphs ?? [];
    const nodes = [tree.root];
    (form.nodes ?? []).forEach((own, index) => {
      const parent = nodes[own.parent] ?? tree.root;
      const node = new Node(parent, own.move, names[index]);
      node.comment = own.comment ?? "";
      node.glyphs = own.glyphs ?? [];
      parent.children.push(node);
      nodes.push(node);
    });
    return tree;
  }

  /** All nodes except the root, each after its parent, and a line before its variations. */
  nodes() {
    const list = [];
    const waiting = [...this.root.children].reverse();
    while (waiting.length) {
      const node = waiting.pop();
      list.push(node);
      for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]);
    }
    return list;
  }

  /** The message form; `withDrawings` includes the drawings in the comments, as in PGN. */
  form(withDrawings = false) {
    const list = this.nodes();
    const places = new Map(list.map((node, index) => [node, index + 1]));
    const textOf = (node) => (withDrawings ? inComment(node.comment, node.shapes) : node.comment);
    const bare = (node) => ({ ...(textOf(node) && { comment: textOf(node) }), ...(node.glyphs.length && { glyphs: node.glyphs }) });
    const nodes = list.map((node) => ({ parent: places.get(node.parent) ?? 0, move: node.move, ...bare(node) }));
    return { start: this.start, result: this.result, tags: this.tags, ...bare(this.root), nodes };
  }

  /** The message form for a file. The name that the user has given the game becomes its title, unless it has one: files have no other place. */
  fileForm(name, withDrawings = false) {
    const form = this.form(withDrawings);
    if (!name || this.tag("Title")) return form;
    return { ...form, tags: [...form.tags.filter(([tag]) => tag.toLowerCase() !== "title"), ["Title", name]] };
  }

  /** The drawings with the numbers of their nodes (0: the root): `[[number, shapes]]`. */
  drawings() {
    return [this.root, ...this.nodes()].map((node, number) => [number, node.shapes]).filter(([, shapes]) => shapes.length);
  }

  /** Extracts the drawings from the comments of an opened record. */
  takeDrawings() {
    for (const node of [this.root, ...this.nodes()]) if (node.comment.includes("[%")) Object.assign(node, ofComment(node.comment));
  }

  setDrawings(drawings) {
    const nodes = [this.root, ...this.nodes()];
    for (const [number, shapes] of drawings ?? []) if (nodes[number]) nodes[number].shapes = [...shapes];
  }

  names() {
    return this.nodes().map((node) => node.text);
  }

  /** The moves from the root to a node. */
  moves(node) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) moves.push(at.move);
    return moves.reverse();
  }

  /** The line that leads to a node, in the form of a request. */
  line(node) {
    return { start: this.start, moves: this.moves(node) };
  }

  /** The pieces on the board at a node. */
  placement(node) {
    const board = placement(this.start);
    for (const move of this.moves(node)) {
      const [from, to] = pointsOf(move);
      board[to] = board[from];
      board[from] = null;
    }
    return board;
  }

  side(node) {
    const first = sideOf(this.start);
    return node.ply % 2 ? other(first) : first;
  }

  /** The move number displayed before a move. */
  round(node) {
    const first = Number(this.start.split(" ").at(-1)) || 1;
    return first + Math.floor((node.ply - 1 + (sideOf(this.start) === "black" ? 1 : 0)) / 2);
  }

  /** The nodes on the way to a node that have the plies of these moves, as named by a ruling. */
  nodesAt(node, moves) {
    const plies = new Set(moves.map(({ ply }) => ply));
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) if (plies.has(at.ply)) nodes.push(at);
    return nodes;
  }

  mainLine() {
    const line = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  isMain(node) {
    for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }

  end(node) {
    let at = node;
    while (at.children.length) at = at.children[0];
    return at;
  }

  /** The child with this move, if there is one. */
  child(parent, move) {
    return parent.children.find((child) => child.move === move);
  }

  /** The child with this move, which is created if necessary. */
  add(parent, move, text) {
    const known = this.child(parent, move);
    if (known) return known;
    const node = new Node(parent, move, text);
    parent.children.push(node);
    return node;
  }

  remove(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /** Promotes a variation above the line it branches from. */
  promote(node) {
    let at = node;
    while (at.parent && at.parent.children[0] === at) at = at.parent;
    if (!at.parent) return;
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }

  /** The path from the root to a node, as indices of children. */
  path(node) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.push(at.parent.children.indexOf(at));
    return path.reverse();
  }

  at(path) {
    let node = this.root;
    for (const index of path ?? []) node = node.children[index] ?? node;
    return node;
  }

  tag(name) {
    return this.tags.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1] ?? "";
  }

  setTag(name, value) {
    const known = this.tags.find(([own]) => own.toLowerCase() === name.toLowerCase());
    if (known) known[1] = value;
    else if (value) this.tags.push([name, value]);
  }

  isEmpty() {
    return !this.root.children.length && !this.root.comment && !this.root.shapes.length && this.start === START;
  }
}
