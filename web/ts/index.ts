/**
 * Xiangqi (Chinese chess) for browsers, workers and Node. Begin with `await load()`; then everything but the engine answers at once.
 *
 * @module
 */

export { catalogue, ChuheError, hasVectors, load } from "./load.js";
export type { File, Sources } from "./load.js";
export { diagram, Game, START_FEN, validateFen } from "./game.js";
export type { DiagramOptions, GameResult, Piece } from "./game.js";
export { GameRecord, openRecords, RecordFile, RecordNode } from "./record.js";
export type { SavedFile, SaveOptions } from "./record.js";
export { Book } from "./book.js";
export { Engine, levels, Search } from "./engine.js";
export type { AnalyseOptions, EngineMove, EngineOptions, Level, MoveOptions, ReviewOptions } from "./engine.js";
export type {
  Analysis, BookMove, Catalogue, Color, Endgame, Exact, GameEntry, Language, Line, Move, Name, Notation, PositionResult, PrincipalVariation, Progress,
  Review, RuleSet, Ruling, Score, SetupAnswer, SetupFault, Tree, TreeNode,
} from "./messages.js";
