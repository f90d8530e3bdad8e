/**
 * The messages of the module, which are those of `chuhe serve`, documented in docs/src/developers/serve.md.
 */

/** The id of a notation, such as `wxr`, `chinese` or `uci`. */
export type Notation = string;
/** The id of a rule set, such as `world`. */
export type RuleSet = string;
/** The language of texts: English or Chinese. */
export type Language = "en" | "zh";
/** A side. */
export type Color = "red" | "black";

/** A move such as `h2e2`, and its text in the requested notation. */
export interface Move {
  move: string;
  text: string;
}

/** A position, as the moves that lead to it. */
export interface Line {
  /** FEN of the first position (default: the standard starting position). */
  start?: string;
  /** The moves played from it, such as `h2e2`. */
  moves?: string[];
}

/** A name in both languages. */
export interface Name {
  en: string;
  zh: string;
}

/** A ruling. */
export interface Ruling {
  verdict: "red-loses" | "black-loses" | "draw" | "undecided";
  /** At the second occurrence of a position: the verdict if the repetition continues. */
  provisional: "red-loses" | "black-loses" | "draw" | "undecided" | null;
  cause: "ongoing" | "checkmate" | "stalemate" | "repetition" | "natural_limit" | "bare_material";
  /** The reasons, one line each. */
  lines: string[];
  /** The moves of a repetition, and the classification of each under the rules. */
  moves: { ply: number; move: string; text: string }[];
}

/** A move of an opening book. */
export interface BookMove extends Move {
  /** Relative frequency with which it is played. */
  weight: number;
  /** Why it is not played in this game: the effect of the move or of the reply to it under the rules of repetition. */
  unplayed?: "loses" | "draws" | "wins" | "repeats" | "lets-end" | null;
  /** The opening it leads to. */
  opening?: Name | null;
}

/** The exact result of a position for the side to move, or of a move for the side that plays it. */
export interface Exact {
  result: "win" | "draw" | "loss";
  /** Plies to mate or stalemate with best play; null for a draw. */
  plies: number | null;
  /** Whether the win depends on the rules of repetition. */
  by_repetition: boolean;
}

/** The exact result of a position and of each of its moves, best moves first. */
export interface Endgame extends Exact {
  moves: (Move & Partial<Exact>)[];
}

/** Everything about a position. */
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

/** A record; in its list of moves every parent precedes its children. */
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
  /** The preceding move: 0 for the start, otherwise the number of an earlier node, from 1. */
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
  /** The error, if it cannot be opened. */
  error: string | null;
  /** The same in Chinese, where there is one. */
  error_chinese: string | null;
}

/** An opened record. */
export interface Opened {
  format: string | null;
  games: GameEntry[];
  more_games: number;
  game: number;
  tree: Tree;
  names: string[];
  warnings: string[];
  warnings_chinese: string[];
}

/** A score for the side to move: centipawns, or moves to mate, negative if it is mated. */
export type Score = { cp: number } | { mate: number };

/** One of the best lines. */
export interface PrincipalVariation {
  multipv: number;
  score: Score;
  /** Probabilities of win, draw and loss in thousandths. */
  wdl: [number, number, number];
  /** The moves, such as `h2e2`. */
  pv: string[];
  pv_wxr: string[];
  pv_chinese: string[];
}

/** The result of a search of a position. */
export interface PositionResult {
  fen: string;
  depth: number;
  nodes: number;
  time_ms: number;
  lines: PrincipalVariation[];
  bestmove: string | null;
  /** The result, if the rules had already decided the game. */
  ended?: "red-loses" | "black-loses" | "draw";
}

/** Lines of an analysis; each message replaces the previous one. */
export interface Analysis {
  result: PositionResult;
  /** The moves of each line in the requested notation. */
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

/** An error of a position. */
export interface SetupFault {
  kind: "text" | "too_many" | "no_king" | "many_kings" | "misplaced" | "kings_facing" | "king_capturable";
  piece: string | null;
  at: string | null;
  message: string;
  /** The same in Chinese, of a `text`. */
  message_chinese: string | null;
}

/** Whether a position is legal. */
export interface SetupAnswer {
  fen: string | null;
  playable: boolean;
  searchable: boolean;
  faults: SetupFault[];
}

/** A file, with its contents in Base64. */
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
  error: { message: string; message_chinese: string | null; busy: boolean };
}

/** A review in the form of `chuhe analyze`. */
export interface Review {
  [field: string]: unknown;
}

/** The available notations, rule sets and record formats. */
export interface Catalogue {
  /** Name and version of chuhe. */
  program: string;
  notations: { id: Notation; title: string; example: string; historical: boolean }[];
  rules: { id: RuleSet; title: string }[];
  formats: { id: string; title: string; extensions: string[]; written: boolean; holds_many: boolean }[];
}
