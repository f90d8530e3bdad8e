/** Opening books. */

import { OpeningBook } from "./wasm/module.js";
import type { Game } from "./game.js";
import { ChuheError, module } from "./load.js";
import type { BookMove, Notation } from "./messages.js";

/** An opening book: the built-in one, or one from a file. */
export class Book {
  readonly #book: OpeningBook;

  private constructor(book: OpeningBook) {
    this.#book = book;
  }

  /** The built-in book. */
  static builtin(): Book {
    module();
    return new Book(OpeningBook.builtin());
  }

  /** Opens a book of chuhe (compiled, or a source `.wxf`) or a `BOOK.DAT` of XQWizard. SQLite books (`.obk`, `.xqb`) are not supported. */
  static open(bytes: Uint8Array | ArrayBuffer, name = ""): Book {
    module();
    try {
      return new Book(new OpeningBook(name, bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes));
    } catch (error) {
      throw new ChuheError((error as Error).message);
    }
  }

  /** Approximate number of moves. */
  get size(): number {
    return this.#book.size();
  }

  /** The book moves in a position, by descending weight. */
  moves(game: Game, notation: Notation = "wxr"): BookMove[] {
    try {
      return JSON.parse(this.#book.moves(JSON.stringify(game.line()), notation)) as BookMove[];
    } catch (error) {
      throw new ChuheError((error as Error).message);
    }
  }
}
