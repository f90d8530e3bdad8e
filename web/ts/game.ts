/** Positions and the moves that led to them. */

import { arrivals, ask, ChuheError, loaded } from "./load.js";
import type { BookMove, Color, Endgame, Language, Line, Move, Name, Notation, PositionAnswer, RuleSet, Ruling, SetupAnswer } from "./messages.js";

/** FEN of the start of the game. */
export const START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/** A piece: `K`, `A`, `B` (elephant), `N` (horse), `R`, `C`, `P`. */
export interface Piece {
  type: "K" | "A" | "B" | "N" | "R" | "C" | "P";
  color: Color;
}

/** How a game has ended. */
export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** How a diagram looks. */
export interface DiagramOptions {
  /** What is drawn on the pieces (default: traditional characters). */
  pieces?: "characters" | "simplified" | "letters";
  /** Black's side at the bottom. */
  flipped?: boolean;
  /** Moves drawn as arrows, such as `h2e2`. */
  arrows?: string[];
}

/**
 * A game as it is played: a position and the moves that led to it. Points are `a0` (Red's left corner, seen from Red) to `i9`, moves
 * such as `h2e2`; {@link Game.move} reads every notation.
 */
export class Game {
  #start = START_FEN;
  #moves: string[] = [];
  #known = new Map<string, PositionAnswer>();

  /** A game from a position (default: the start of the game). Throws a {@link ChuheError} where no game can be played from it. */
  constructor(fen: string = START_FEN) {
    this.#begin(fen, []);
  }

  /** A game after these moves, such as `h2e2`. */
  static of(line: Line): Game {
    const game = new Game(line.start);
    game.#begin(game.#start, line.moves ?? []);
    return game;
  }

  /** Another game with the same moves. */
  clone(): Game {
    return Game.of(this.line());
  }

  /** Begins anew from a position. */
  load(fen: string): void {
    this.#begin(fen, []);
  }

  #begin(start: string, moves: readonly string[]): void {
    const before = { start: this.#start, moves: this.#moves };
    [this.#start, this.#moves] = [start, [...moves]];
    this.#known.clear();
    try {
      this.#position();
    } catch (error) {
      [this.#start, this.#moves] = [before.start, before.moves];
      throw error;
    }
  }

  /** Begins anew from the start of the game. */
  reset(): void {
    this.load(START_FEN);
  }

  #position(notation: Notation = "uci", language: Language = "en", rules: RuleSet = "world"): PositionAnswer {
    const key = `${arrivals} ${notation} ${language} ${rules}`;
    let known = this.#known.get(key);
    if (!known) {
      known = ask({ position: { line: this.line(), notation, language, rules } }, "position");
      this.#known.set(key, known);
    }
    return known;
  }

  /** The first position and the moves from it, as messages have them. */
  line(): Required<Line> {
    return { start: this.#start, moves: [...this.#moves] };
  }

  /** The position as FEN. */
  fen(): string {
    return this.#position().fen;
  }

  /** The side to move. */
  turn(): Color {
    return this.#position().side;
  }

  /** The legal moves, in a notation (default: `uci`, as `h2e2`). */
  moves(options: { notation?: Notation } = {}): string[] {
    return this.legal(options.notation ?? "uci").map((move) => move.text);
  }

  /** The legal moves with their names in a notation. */
  legal(notation: Notation = "wxr"): Move[] {
    return structuredClone(this.#position(notation).legal);
  }

  /**
   * Plays a move, written in any notation: `h2e2`, `C2=5`, `炮二平五`. What several notations can read is read in `notation`, whose name
   * of the move is returned too. Throws a {@link ChuheError} when it is no legal move.
   */
  move(text: string, options: { notation?: Notation } = {}): Move {
    const read = this.#read(text, options.notation ?? "wxr");
    const [move] = read;
    if (!move || read.length !== 1) throw new ChuheError(`'${text}' is ${read.length} moves, expected one`);
    this.#push([move]);
    return move;
  }

  /** Plays several moves, written in any notation, numbered or not: all of them or, when one is wrong, none. */
  play(text: string, options: { notation?: Notation } = {}): Move[] {
    const read = this.#read(text, options.notation ?? "wxr");
    this.#push(read);
    return read;
  }

  #read(text: string, notation: Notation): Move[] {
    return ask({ read: { line: this.line(), text, notation } }, "read").moves;
  }

  #push(moves: Move[]): void {
    this.#moves.push(...moves.map((move) => move.move));
    this.#known.clear();
  }

  /** Takes the last move back and returns it; null when there is none. */
  undo(): string | null {
    const last = this.#moves.pop() ?? null;
    this.#known.clear();
    return last;
  }

  /** The moves played so far, in a notation (default: `uci`). */
  history(options: { notation?: Notation } = {}): string[] {
    const notation = options.notation ?? "uci";
    if (notation === "uci") return [...this.#moves];
    const nodes = this.#moves.map((move, parent) => ({ parent, move }));
    return ask({ names: { tree: { start: this.#start, nodes }, notation } }, "names");
  }

  /** Whether the side to move is in check. */
  isCheck(): boolean {
    return this.#position().check;
  }

  /** Whether the side to move is mated. */
  isCheckmate(): boolean {
    return this.ruling().cause === "checkmate";
  }

  /** Whether the side to move has no move and is not in check, which loses. */
  isStalemate(): boolean {
    return this.ruling().cause === "stalemate";
  }

  /** Whether the rules end the game as a draw. */
  isDraw(): boolean {
    return this.ruling().verdict === "draw";
  }

  /** Whether the game is over: mate, stalemate, repetition, the natural limit or bare material. */
  isGameOver(): boolean {
    return this.result() !== "*";
  }

  /** The result as PGN writes it. */
  result(rules: RuleSet = "world"): GameResult {
    switch (this.ruling({ rules }).verdict) {
      case "red-loses": return "0-1";
      case "black-loses": return "1-0";
      case "draw": return "1/2-1/2";
      default: return "*";
    }
  }

  /** What the rules say, with the reasons in words. */
  ruling(options: { rules?: RuleSet; language?: Language; notation?: Notation } = {}): Ruling {
    const { rules = "world", language = "en", notation = "wxr" } = options;
    return structuredClone(this.#position(notation, language, rules).ruling);
  }

  /** The moves of the built-in opening book, the heaviest first. */
  book(notation: Notation = "wxr"): BookMove[] {
    return structuredClone(this.#position(notation).book);
  }

  /** The name of the opening; null where none is known. */
  opening(): Name | null {
    return this.#position().opening;
  }

  /** The exact result and that of every move; null where no table has the position. Needs `load({ endgames })`. */
  endgame(notation: Notation = "wxr"): Endgame | null {
    if (!loaded.endgames) throw new ChuheError("the endgame tables are not loaded: expected `await load({ endgames })` before, with those of chuhe-endgames");
    return structuredClone(this.#position(notation).endgame);
  }

  /** The piece on a point such as `e0`; null on an empty one. */
  get(square: string): Piece | null {
    const at = /^([a-i])([0-9])$/.exec(square);
    if (!at) throw new ChuheError(`'${square}' is no point, expected a0 to i9`);
    return this.board()[9 - Number(at[2])]?.[at[1]!.charCodeAt(0) - 97] ?? null;
  }

  /** The board by rows, Black's back rank (9) first, each from file a to i. */
  board(): (Piece | null)[][] {
    const [placement = ""] = this.fen().split(" ");
    return placement.split("/").map((row) =>
      [...row].flatMap((letter): (Piece | null)[] => {
        if (letter >= "1" && letter <= "9") return Array.from({ length: Number(letter) }, () => null);
        const type = letter.toUpperCase() as Piece["type"];
        return [{ type, color: letter === type ? "red" : "black" }];
      }),
    );
  }

  /** The board as text, Red below. */
  ascii(): string {
    const letter = (piece: Piece | null) => (piece ? (piece.color === "red" ? piece.type : piece.type.toLowerCase()) : ".");
    const rows = this.board().map((row, index) => `${9 - index} ${row.map(letter).join(" ")}`);
    return [...rows, "  a b c d e f g h i"].join("\n");
  }

  /** A drawing of the position as SVG, with the last move marked. */
  svg(options: DiagramOptions = {}): string {
    return drawn(this.line(), options);
  }
}

function drawn(line: Line, options: DiagramOptions): string {
  const { bytes } = ask({ draw: { line, format: "svg", ...options } }, "saved");
  return new TextDecoder().decode(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
}

/** A drawing of a position as SVG; it need not be a legal one. */
export function diagram(fen: string, options: DiagramOptions = {}): string {
  return drawn({ start: fen }, options);
}

/** Whether a FEN is a legal position, with every reason why not. */
export function validateFen(fen: string): SetupAnswer {
  return ask({ setup: { fen } }, "setup");
}
