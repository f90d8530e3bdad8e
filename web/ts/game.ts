/** Positions and the moves that led to them. */

import { ask, ChuheError, dataVersion, loaded } from "./load.js";
import type { BookMove, Color, Endgame, Language, Line, Move, Name, Notation, PositionAnswer, RuleSet, Ruling, SetupAnswer } from "./messages.js";

/** FEN of the standard starting position. */
export const START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/** A piece: `K`, `A`, `B` (elephant), `N` (horse), `R`, `C`, `P`. */
export interface Piece {
  type: "K" | "A" | "B" | "N" | "R" | "C" | "P";
  color: Color;
}

/** The result of a game, as in PGN. */
export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** Options of a diagram. */
export interface DiagramOptions {
  /** Piece style (default: traditional characters). */
  pieces?: "characters" | "simplified" | "letters";
  /** Whether Black is at the bottom. */
  flipped?: boolean;
  /** Moves drawn as arrows, such as `h2e2`. */
  arrows?: string[];
}

/**
 * A game: a start position and the moves played from it. Points range from `a0` (Red's left corner, seen from Red) to `i9`, moves are written
 * as `h2e2`; {@link Game.move} reads every notation.
 */
export class Game {
  #start = START_FEN;
  #moves: string[] = [];
  #known = new Map<string, PositionAnswer>();

  /** A game from a position (default: the standard starting position). Throws a {@link ChuheError} if the position is not legal. */
  constructor(fen: string = START_FEN) {
    this.#begin(fen, []);
  }

  /** A game after these moves, such as `h2e2`. */
  static of(line: Line): Game {
    const game = new Game(line.start);
    game.#begin(game.#start, line.moves ?? []);
    return game;
  }

  /** An independent copy of the game. */
  clone(): Game {
    return Game.of(this.line());
  }

  /** Starts a new game from a position. */
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

  /** Starts a new game from the standard starting position. */
  reset(): void {
    this.load(START_FEN);
  }

  #position(notation: Notation = "uci", language: Language = "en", rules: RuleSet = "world"): PositionAnswer {
    const key = `${dataVersion} ${notation} ${language} ${rules}`;
    let known = this.#known.get(key);
    if (!known) {
      known = ask({ position: { line: this.line(), notation, language, rules } }, "position");
      this.#known.set(key, known);
    }
    return known;
  }

  /** The first position and the moves from it, in the form of messages. */
  line(): Required<Line> {
    return { start: this.#start, moves: [...this.#moves] };
  }

  /** The FEN of the position. */
  fen(): string {
    return this.#position().fen;
  }

  /** The side to move. */
  turn(): Color {
    return this.#position().side;
  }

  /** The legal moves in a notation (default: `uci`, such as `h2e2`). */
  moves(options: { notation?: Notation } = {}): string[] {
    return this.legal(options.notation ?? "uci").map((move) => move.text);
  }

  /** The legal moves with their names in a notation. */
  legal(notation: Notation = "wxr"): Move[] {
    return structuredClone(this.#position(notation).legal);
  }

  /**
   * Plays a move given in any notation: `h2e2`, `C2=5`, `炮二平五`. For an ambiguous text `notation` takes precedence; the returned move is
   * written in it. Throws a {@link ChuheError} if the text is not a legal move.
   */
  move(text: string, options: { notation?: Notation } = {}): Move {
    const read = this.#read(text, options.notation ?? "wxr");
    const [move] = read;
    if (!move || read.length !== 1) throw new ChuheError(`'${text}' is ${read.length} moves, expected one`);
    this.#push([move]);
    return move;
  }

  /** Plays several moves given in any notation, with or without move numbers: all of them, or none if any is invalid. */
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

  /** Takes back the last move and returns it; null if there is none. */
  undo(): string | null {
    const last = this.#moves.pop() ?? null;
    this.#known.clear();
    return last;
  }

  /** The moves played so far in a notation (default: `uci`). */
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

  /** Whether the side to move is checkmated. */
  isCheckmate(): boolean {
    return this.ruling().cause === "checkmate";
  }

  /** Whether the side to move has no legal move and is not in check, which loses. */
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

  /** The result, as in PGN. */
  result(rules: RuleSet = "world"): GameResult {
    switch (this.ruling({ rules }).verdict) {
      case "red-loses": return "0-1";
      case "black-loses": return "1-0";
      case "draw": return "1/2-1/2";
      default: return "*";
    }
  }

  /** The ruling on the position, with reasons as text. */
  ruling(options: { rules?: RuleSet; language?: Language; notation?: Notation } = {}): Ruling {
    const { rules = "world", language = "en", notation = "wxr" } = options;
    return structuredClone(this.#position(notation, language, rules).ruling);
  }

  /** The moves of the loaded opening book, by descending weight. */
  book(notation: Notation = "wxr"): BookMove[] {
    return structuredClone(this.#position(notation).book);
  }

  /** The name of the opening; null if unknown. */
  opening(): Name | null {
    return this.#position().opening;
  }

  /** The exact result of the position and of every move; null if no table contains the position. Requires `load({ endgames })`. */
  endgame(notation: Notation = "wxr"): Endgame | null {
    if (!loaded.endgames) throw new ChuheError("the endgame tables are not loaded: expected `await load({ endgames })` before, with those of chuhe-endgames");
    return structuredClone(this.#position(notation).endgame);
  }

  /** The piece on a point such as `e0`; null if it is empty. */
  get(square: string): Piece | null {
    const at = /^([a-i])([0-9])$/.exec(square);
    if (!at) throw new ChuheError(`'${square}' is no point, expected a0 to i9`);
    return this.board()[9 - Number(at[2])]?.[at[1]!.charCodeAt(0) - 97] ?? null;
  }

  /** The board as rows from Black's back rank (9) down, each from file a to i. */
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

  /** The board as text, with Red at the bottom. */
  ascii(): string {
    const letter = (piece: Piece | null) => (piece ? (piece.color === "red" ? piece.type : piece.type.toLowerCase()) : ".");
    const rows = this.board().map((row, index) => `${9 - index} ${row.map(letter).join(" ")}`);
    return [...rows, "  a b c d e f g h i"].join("\n");
  }

  /** An SVG diagram of the position, with the last move marked. */
  svg(options: DiagramOptions = {}): string {
    return drawn(this.line(), options);
  }
}

function drawn(line: Line, options: DiagramOptions): string {
  const { bytes } = ask({ draw: { line, format: "svg", ...options } }, "saved");
  return new TextDecoder().decode(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
}

/** An SVG diagram of a position, which need not be legal. */
export function diagram(fen: string, options: DiagramOptions = {}): string {
  return drawn({ start: fen }, options);
}

/** Whether the position of a FEN is legal, and if not, every reason. */
export function validateFen(fen: string): SetupAnswer {
  return ask({ setup: { fen } }, "setup");
}
