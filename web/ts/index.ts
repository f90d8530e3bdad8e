/**
 * Xiangqi (Chinese chess) for browsers, workers and Node. Call `await load()` first; after that everything except the engine is synchronous.
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
