/** Game records: opening, traversing, editing and saving. */

import { read_games } from "./wasm/module.js";
import { fromBase64, toBase64 } from "./bytes.js";
import { Game, START_FEN } from "./game.js";
import { ask, ChuheError } from "./load.js";
import type { GameEntry, Notation, Opened, Tree, TreeNode } from "./messages.js";

/** A move of a record, or its start. The first child continues the line; the others are variations. */
export class RecordNode {
  readonly children: RecordNode[] = [];
  /** The comment after the move. */
  comment = "";
  /** Numeric annotation glyphs of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`. */
  glyphs: number[] = [];

  /** @internal */
  constructor(
    /** The record to which it belongs. */
    readonly record: GameRecord,
    /** The preceding move; null for the start. */
    readonly parent: RecordNode | null,
    /** The move, such as `h2e2`; null for the start. */
    readonly move: string | null,
  ) {}

  /** The moves from the start to this one. */
  path(): string[] {
    const moves: string[] = [];
    for (let node: RecordNode | null = this; node?.parent; node = node.parent) moves.push(node.move!);
    return moves.reverse();
  }

  /** The game up to this move. */
  game(): Game {
    return Game.of({ start: this.record.start, moves: this.path() });
  }

  /** Adds a move in any notation after this one; if it already exists, the existing node is returned. */
  add(text: string, options: { notation?: Notation } = {}): RecordNode {
    const { move } = this.game().move(text, options);
    const existing = this.children.find((child) => child.move === move);
    if (existing) return existing;
    const node = new RecordNode(this.record, this, move);
    this.children.push(node);
    return node;
  }

  #siblings(): RecordNode[] {
    if (!this.parent) throw new ChuheError("the start of a record cannot be moved or removed");
    if (!this.parent.children.includes(this)) throw new ChuheError(`${this.move} has already been removed from its record`);
    return this.parent.children;
  }

  /** Removes the move and everything after it. */
  remove(): void {
    const siblings = this.#siblings();
    siblings.splice(siblings.indexOf(this), 1);
  }

  /** Moves the variation that begins here one place to the front. */
  promote(): void {
    const siblings = this.#siblings();
    const at = siblings.indexOf(this);
    if (at > 0) siblings.splice(at - 1, 2, this, siblings[at - 1]!);
  }

  /** Makes the line through this move the main line. */
  promoteToMain(): void {
    for (let node: RecordNode = this; node.parent; node = node.parent) {
      const siblings = node.#siblings();
      siblings.splice(siblings.indexOf(node), 1);
      siblings.unshift(node);
    }
  }

  /** Yields the move and all moves after it, parents before children. */
  *walk(): Generator<RecordNode> {
    // Not recursive, because lines can have thousands of moves.
    const open: RecordNode[] = [this];
    for (let node = open.pop(); node; node = open.pop()) {
      yield node;
      open.push(...[...node.children].reverse());
    }
  }
}

/** Options for saving a record. */
export interface SaveOptions {
  /** Notation of the moves in PGN (default: `wxr`). */
  notation?: Notation;
  /** Encoding of text formats (default: `utf-8`). */
  encoding?: "utf-8" | "gbk" | "big5";
}

/** A saved file. */
export interface SavedFile {
  /** Suggested file name, from the players or the title. */
  name: string;
  mime: string;
  bytes: Uint8Array;
  /** What the format cannot store, with counts; null if nothing is lost. */
  losses: string | null;
}

/** A game with its tags, comments, marks and variations. */
export class GameRecord {
  /** FEN of the first position. */
  readonly start: string;
  /** The result, as in PGN. */
  result = "*";
  /** Names and values, in order; a name may occur several times. */
  tags: [string, string][] = [];
  /** The start of the game: its children are the first moves. */
  readonly root: RecordNode;
  /** Warnings about parts that could not be read. */
  readonly warnings: string[] = [];

  /** A record without moves, from a position. */
  constructor(start: string = START_FEN) {
    this.start = start;
    this.root = new RecordNode(this, null, null);
  }

  /** The record of a game. */
  static of(game: Game): GameRecord {
    const { start, moves } = game.line();
    const record = new GameRecord(start);
    let node = record.root;
    for (const move of moves) {
      const next = new RecordNode(record, node, move);
      node.children.push(next);
      node = next;
    }
    record.result = game.result();
    return record;
  }

  /** Creates a record from its message form. */
  static fromTree(tree: Tree, warnings: string[] = []): GameRecord {
    const record = new GameRecord(tree.start);
    record.result = tree.result || "*";
    record.tags = (tree.tags ?? []).map(([name, value]) => [name, value]);
    record.warnings.push(...warnings);
    const nodes = [record.root];
    record.root.comment = tree.comment ?? "";
    record.root.glyphs = [...(tree.glyphs ?? [])];
    for (const { parent, move, comment = "", glyphs = [] } of tree.nodes ?? []) {
      const above = nodes[parent];
      if (!above) throw new ChuheError(`move ${nodes.length}: its parent is not before it`);
      const node = new RecordNode(record, above, move);
      node.comment = comment;
      node.glyphs = [...glyphs];
      above.children.push(node);
      nodes.push(node);
    }
    return record;
  }

  /** The message form of the record. */
  tree(): Required<Tree> {
    const numbers = new Map<RecordNode, number>();
    const nodes: TreeNode[] = [];
    for (const node of this.root.walk()) {
      numbers.set(node, numbers.size);
      if (!node.parent) continue;
      nodes.push({ parent: numbers.get(node.parent)!, move: node.move!, comment: node.comment, glyphs: [...node.glyphs] });
    }
    const { comment, glyphs } = this.root;
    return { start: this.start, result: this.result, tags: this.tags.map(([name, value]) => [name, value]), comment, glyphs: [...glyphs], nodes };
  }

  /** The first tag of this name, which is case-insensitive, as in files. */
  #tag(name: string): [string, string] | undefined {
    return this.tags.find(([own]) => own.toLowerCase() === name.toLowerCase());
  }

  /** The first value of a tag. The name is case-insensitive. */
  tag(name: string): string | undefined {
    return this.#tag(name)?.[1];
  }

  /** Sets or adds a tag. The name is case-insensitive. */
  setTag(name: string, value: string): void {
    const tag = this.#tag(name);
    if (tag) tag[1] = value;
    else this.tags.push([name, value]);
  }

  /** The moves of the main line. */
  mainline(): RecordNode[] {
    const line: RecordNode[] = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  /** The names of all moves in a notation. */
  names(notation: Notation = "wxr"): Map<RecordNode, string> {
    const names = ask({ names: { tree: this.tree(), notation } }, "names");
    const nodes = [...this.root.walk()].slice(1);
    return new Map(nodes.map((node, index) => [node, names[index]!]));
  }

  /** The record as a file: `pgn`, `xqf`, `cbr`, `cbl`, `cbf`, `ubb`, `wxf`, `txq` or `fen`. Throws if the format cannot store it. */
  save(format: string, options: SaveOptions = {}): SavedFile {
    const saved = ask({ save: { tree: this.tree(), format, ...options } }, "saved");
    return { ...saved, bytes: fromBase64(saved.bytes) };
  }

  /** The record as PGN. */
  pgn(options: Omit<SaveOptions, "encoding"> = {}): string {
    return new TextDecoder().decode(this.save("pgn", options).bytes);
  }
}

/** A file or a text with one or more games. */
export class RecordFile {
  readonly #source: object;
  /** All games as JSON, once one other than the first was opened: to read one of them takes as long as to read all. */
  #texts: string[] | undefined;

  /** @internal */
  constructor(
    source: object,
    /** The format; null for a line of moves. */
    readonly format: string | null,
    /** The first 5 000 games. */
    readonly games: GameEntry[],
    /** Number of further games, which can be opened by number. */
    readonly moreGames: number,
    readonly first: { number: number; record: GameRecord },
  ) {
    this.#source = source;
  }

  /** The number of games. */
  get length(): number {
    return this.games.length + this.moreGames;
  }

  /** Opens a game by its number, from 1 (default: the first that can be read). Every call but those for that game returns a new record. */
  record(number: number = this.first.number): GameRecord {
    if (number === this.first.number) return this.first.record;
    const text = (this.#texts ??= textsOf(this.#source))[number - 1];
    if (text === undefined) throw new ChuheError(`there is no game ${number}, the file has ${this.length}`);
    const game = JSON.parse(text) as [Tree, string[]] | string;
    if (typeof game === "string") throw new ChuheError(game);
    return GameRecord.fromTree(...game);
  }
}

/** The games of a source that could be opened, as JSON: their trees and warnings, or errors. */
function textsOf(source: object): string[] {
  const texts: string[] = [];
  read_games(JSON.stringify(source), (text: string) => texts.push(text));
  return texts;
}

/**
 * Opens records, given as the bytes of a file in any format, such as `await file.arrayBuffer()`, or as a text: a record, a FEN, or moves in any
 * notation. The extension of `name` helps to detect the format.
 */
export function openRecords(data: Uint8Array | ArrayBuffer | string, name = ""): RecordFile {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  const source = typeof bytes === "string" ? { text: bytes } : { file: { name, bytes: toBase64(bytes) } };
  const opened: Opened = ask({ open: { source } }, "opened");
  const first = { number: opened.game, record: GameRecord.fromTree(opened.tree, opened.warnings) };
  return new RecordFile(source, opened.format, opened.games, opened.more_games, first);
}
