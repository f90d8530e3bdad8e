// Whether the engine takes a draw.

/** A game has begun for good after this many plies. */
const OPENING = 30;
/** Rooks, horses, cannons and pawns of both sides, of 22 at the start, below which a game is an endgame. */
const ENDGAME = 9;
/** Plies without a capture after which nobody makes progress. */
const QUIET = 40;
/** Plies before the next offer is considered. */
export const AGAIN = 10;

/** The most that the engine may expect and yet takes a draw, as a share of the point. */
export function limit({ plies, attackers, quiet }) {
  if (plies < OPENING) return 0.3;
  return attackers <= ENDGAME || quiet >= QUIET ? 0.56 : 0.46;
}

/** Whether the engine takes a draw. `expected` is its share of the point by its own search (0 to 1), `exact` its result by a table of
 * endgames, if there is one: `win`, `draw` or `loss`. In the opening it goes on unless it stands badly; later it takes a draw when it is
 * not better, and in an endgame or a game without progress also when it is hardly better. */
export function accepts({ expected, exact, ...phase }) {
  if (exact) return exact !== "win";
  return expected <= limit(phase);
}

/** The phase of a game at the end of a line: its plies, attackers on the board, plies since the last capture. `placements` are those
 * after each move, the first position included. */
export function phaseOf(placements) {
  const count = (pieces) => pieces.filter(Boolean).length;
  const last = placements.at(-1);
  let quiet = 0;
  for (let i = placements.length - 1; i > 0 && count(placements[i]) === count(placements[i - 1]); i--) quiet += 1;
  return { plies: placements.length - 1, attackers: last.filter((piece) => piece && /[RNCP]/i.test(piece)).length, quiet };
}
