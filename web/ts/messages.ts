/**
 * The messages of the module, which are those of `chuhe serve`: docs/src/developers/serve.md tells what they mean.
 */

/** An id of a notation, such as `wxr`, `chinese` or `uci`. */
export type Notation = string;
/** An id of a set of rules of repetition, such as `world`. */
export type RuleSet = string;
/** The language of words: English or Chinese. */
export type Language = "en" | "zh";
/** A side. */
export type Color = "red" | "black";

/** A move as `h2e2`, and as the notation writes that was asked for. */
export interface Move {
  move: string;
  text: string;
}

/** A position with its past. */
export interface Line {
  /** FEN of the first position; the start of the game when it is left out. */
  start?: string;
  /** The moves played from it, such as `h2e2`. */
  moves?: string[];
}

/** A name in both languages. */
export interface Name {
  en: string;
  zh: string;
}

/** What the rules say of a game. */
export interface Ruling {
  verdict: "red-loses" | "black-loses" | "draw" | "undecided";
  /** What a repetition leads to when it goes on, at its second occurrence. */
  provisional: "red-loses" | "black-loses" | "draw" | "undecided" | null;
  cause: "ongoing" | "checkmate" | "stalemate" | "repetition" | "natural_limit" | "bare_material";
  /** The reasons, one line each. */
  lines: string[];
  /** The moves of a repetition, and what each is by the rules. */
  moves: { ply: number; move: string; text: string }[];
}

/** A move of an opening book. */
export interface BookMove extends Move {
  /** How often it is played, compared with the others. */
  weight: number;
  /** Why it is not played in this game: what it or the reply to it does by the rules of repetition. */
  unplayed?: "loses" | "draws" | "wins" | "repeats" | "lets-end" | null;
  /** The opening that it leads to. */
  opening?: Name | null;
}

/** The exact result of a position for the side to move, and of a move for the side that makes it. */
export interface Exact {
  result: "win" | "draw" | "loss";
  /** Plies to mate or stalemate with best play; none in a draw. */
  plies: number | null;
  /** Whether the win needs the rules of repetition. */
  by_repetition: boolean;
}

/** The exact result of a position and of each of its moves, the best first. */
export interface Endgame extends Exact {
  moves: (Move & Partial<Exact>)[];
}

/** What holds in a position. */
export interface PositionAnswer {
  fen: string;
  side: Color;
  check: boolean;
  legal: Move[];
  ruling: Ruling;
  book: BookMove[];
  endgame: Endgame | null;
  opening: Name | null;
  searchable: boolean;
}

/** A record: every move stands behind the one that it follows. */
export interface Tree {
  start: string;
  result?: string;
  tags?: [string, string][];
  comment?: string;
  glyphs?: number[];
  nodes?: TreeNode[];
}

/** A move of a tree. */
export interface TreeNode {
  /** What it follows: 0 the start, else the number of an earlier node, from 1. */
  parent: number;
  move: string;
  comment?: string;
  glyphs?: number[];
}

/** A game of a file. */
export interface GameEntry {
  title: string;
  event: string;
  result: string;
  plies: number;
  /** Why it cannot be opened. */
  error: string | null;
}

/** A record that was opened. */
export interface Opened {
  format: string | null;
  games: GameEntry[];
  more_games: number;
  game: number;
  tree: Tree;
  names: string[];
  warnings: string[];
}

/** A value for the side to move: centipawns, or own moves to mate, negative when it is mated. */
export type Score = { cp: number } | { mate: number };

/** One of the best lines. */
export interface PrincipalVariation {
  multipv: number;
  score: Score;
  /** Chances to win, draw and lose in thousandths. */
  wdl: [number, number, number];
  /** The moves, such as `h2e2`. */
  pv: string[];
  pv_wxr: string[];
  pv_chinese: string[];
}

/** What a search has found in a position. */
export interface PositionResult {
  fen: string;
  depth: number;
  nodes: number;
  time_ms: number;
  lines: PrincipalVariation[];
  bestmove: string | null;
}

/** Lines of an analysis; each replaces the one before. */
export interface Analysis {
  result: PositionResult;
  /** The moves of each line in the notation that was asked for. */
  texts: string[][];
}

/** A position of a review has been searched. */
export interface Progress {
  ply: number;
  of: number;
  result: PositionResult;
  /** Red's expected score in percent. */
  red_expectation: number;
}

/** What is wrong with a position. */
export interface SetupFault {
  kind: "text" | "too_many" | "no_king" | "many_kings" | "misplaced" | "king_capturable";
  piece: string | null;
  at: string | null;
  message: string;
}

/** Whether a position is legal. */
export interface SetupAnswer {
  fen: string | null;
  playable: boolean;
  searchable: boolean;
  faults: SetupFault[];
}

/** A file; its bytes in Base64. */
export interface SavedAnswer {
  name: string;
  mime: string;
  bytes: string;
  losses: string | null;
}

/** All answers, by name. */
export interface Answers {
  position: PositionAnswer;
  read: { moves: Move[] };
  opened: Opened;
  names: string[];
  saved: SavedAnswer;
  setup: SetupAnswer;
  analysis: Analysis;
  move: { move: Move | null; book: boolean };
  progress: Progress;
  review: Review;
  done: { stopped: boolean };
  error: { message: string; busy: boolean };
}

/** A review in the form of `chuhe analyze`. */
export interface Review {
  [field: string]: unknown;
}

/** What can be chosen. */
export interface Catalogue {
  /** Name and version of chuhe. */
  program: string;
  notations: { id: Notation; title: string; example: string; historical: boolean }[];
  rules: { id: RuleSet; title: string }[];
  formats: { id: string; title: string; extensions: string[]; written: boolean; holds_many: boolean }[];
}
