//! A position with its history: making and unmaking moves, clocks, and repetition detection.

use super::placement::Board;
use crate::types::{Color, Move, Piece};

/// The number of checks by each side that count towards the natural limit (method (b) of docs/src/rules/world.md#s6).
const COUNTED_CHECKS: u8 = 10;

/// One position of a game and the move that led to it. A [`Position`] is a stack of states.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::types::Move;
///
/// let mut game = Position::startpos();
/// game.make(Move::from_uci("h2e2")?);
/// assert_eq!(game.state().last_move.to_string(), "h2e2");
/// assert!(game.state().captured.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The board.
    pub board: Board,
    /// The move that led to this position; [`Move::NONE`] at the start and after a null move.
    pub last_move: Move,
    /// The piece captured by that move.
    pub captured: Option<Piece>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Plies since the last capture, the last null move or the start of the game: how far back a repetition can reach.
    pub reversible: u16,
    /// The natural-limit counter: plies since the last capture, excluding void checks and the replies to them.
    pub clock: u16,
    /// Checks given by each side since the last capture, by colour index.
    pub checks: [u8; 2],
}

/// Plies of the shortest loop: each side moves a piece and moves it back.
const SHORTEST_LOOP: u16 = 4;

/// Number of buckets of [`KeyFilter`], a power of two: small enough for the L1 cache, and large enough that in a long game only one
/// position in twenty shares its bucket with another.
const BUCKETS: usize = 4096;

/// Counts the positions of the game by a hash of their keys. A position alone in its bucket cannot be a repetition, so the scan
/// back through the game is skipped; this matters because the search tests for repetition at every node. The idea is the
/// counting Bloom filter of Pikafish.
#[derive(Debug)]
struct KeyFilter(Box<[u16; BUCKETS]>);

impl KeyFilter {
    #[inline(always)]
    fn bucket(&mut self, board: &Board) -> &mut u16 {
        &mut self.0[board.key() as usize % BUCKETS]
    }

    #[inline(always)]
    fn count(&mut self, board: &Board) {
        let bucket = self.bucket(board);
        // Wrapping, so that a game of any length works: every increment is undone by a decrement.
        *bucket = bucket.wrapping_add(1);
    }

    #[inline(always)]
    fn is_unique(&self, board: &Board) -> bool {
        self.0[board.key() as usize % BUCKETS] <= 1
    }
}

/// A position together with the game that led to it: a stack of [`State`]s.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::types::Move;
///
/// let mut game = Position::startpos();
/// game.make(Move::from_uci("h2e2")?);
/// assert_eq!((game.plies(), game.board().legal_moves().len()), (1, 45));
/// game.unmake();
/// assert_eq!(game.plies(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Position {
    /// Never empty; the last one is the current state.
    states: Vec<State>,
    filter: KeyFilter,
    /// FEN move number of the first state.
    first_fullmove: u32,
    /// Side to move in the first state.
    first_side: Color,
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position { states: self.states.clone(), filter: KeyFilter(self.filter.0.clone()), ..*self }
    }

    /// Reuses the allocations of this position: reallocating them would take a noticeable part of the time of a short search.
    fn clone_from(&mut self, source: &Position) {
        self.states.clone_from(&source.states);
        self.filter.0.clone_from(&source.filter.0);
        (self.first_fullmove, self.first_side) = (source.first_fullmove, source.first_side);
    }
}

impl Position {
    /// A game that starts from this board, with the natural-limit counter at `clock` plies and the given FEN move number.
    ///
    /// ```
    /// use xiangqi::board::{Board, Position, START_FEN};
    ///
    /// let game = Position::new(Board::from_fen(START_FEN)?, 12, 40);
    /// assert_eq!((game.clock(), game.fullmove()), (12, 40));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn new(board: Board, clock: u16, fullmove: u32) -> Position {
        let state = State {
            board,
            last_move: Move::NONE,
            captured: None,
            in_check: board.in_check(),
            reversible: 0,
            clock,
            checks: [0; 2],
        };
        Position::starting(state, fullmove, board.side_to_move())
    }

    fn starting(state: State, first_fullmove: u32, first_side: Color) -> Position {
        let mut position = Position { states: Vec::new(), filter: KeyFilter(Box::new([0; BUCKETS])), first_fullmove, first_side };
        position.push(state);
        position
    }

    #[inline(always)]
    fn push(&mut self, state: State) {
        self.filter.count(&state.board);
        self.states.push(state);
    }

    /// The current state.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.state().reversible, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn state(&self) -> &State {
        match self.states.last() {
            Some(state) => state,
            None => unreachable!(),
        }
    }

    /// All states from the start of the game to the current one.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.states().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The current board.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert!(game.board().piece_on("e2".parse()?).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.state().board
    }

    /// The side to move.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::{Color, Move};
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.side_to_move(), Color::Black);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    /// Whether the side to move is in check.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert!(!game.in_check());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state().in_check
    }

    /// The natural-limit counter in plies, see [`State::clock`].
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.clock(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn clock(&self) -> u16 {
        self.state().clock
    }

    /// The FEN move number: starts at that of the start position's FEN (1 for [`Position::startpos`]) and is incremented after each move by
    /// Black.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.fullmove(), 1, "it goes up after Black's move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fullmove(&self) -> u32 {
        let plies = self.states.len() as u32 - 1 + (self.first_side == Color::Black) as u32;
        self.first_fullmove.saturating_add(plies / 2)
    }

    /// Number of plies played since the start of the game, null moves included.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.plies(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn plies(&self) -> usize {
        self.states.len() - 1
    }

    /// The moves from the start of the game to the current position, without null moves.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.states.iter().map(|state| state.last_move).filter(|mv| !mv.is_none())
    }

    /// The position at the start of the game.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.initial().plies(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn initial(&self) -> Position {
        Position::starting(self.states[0], self.first_fullmove, self.first_side)
    }

    /// Makes a move, which must be legal.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(game.plies(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_checking(mv, None);
    }

    /// Like [`Position::make`], for callers that may already know whether the move gives check; `None` computes it. A wrong value
    /// makes [`Position::in_check`] wrong.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make_checking(Move::from_uci("h2e2")?, Some(false));
    /// assert!(!game.in_check());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn make_checking(&mut self, mv: Move, gives_check: Option<bool>) {
        // Copies the state directly to its final location and modifies it there.
        self.states.extend_from_within(self.states.len() - 1..);
        let [.., state, next] = self.states.as_mut_slice() else { unreachable!() };
        next.board.play(mv);
        next.last_move = mv;
        next.captured = state.board.piece_on(mv.to());
        next.in_check = gives_check.unwrap_or_else(|| next.board.in_check());
        debug_assert_eq!(next.in_check, next.board.in_check());
        if next.captured.is_some() {
            (next.reversible, next.clock, next.checks) = (0, 0, [0; 2]);
        } else {
            let mover = state.board.side_to_move();
            next.reversible = state.reversible.saturating_add(1);
            // A check beyond the tenth is void; neither it nor the reply to it is counted.
            let given = state.checks[mover.index()];
            let void = next.in_check && given >= COUNTED_CHECKS;
            let answers_void = state.in_check && state.checks[(!mover).index()] > COUNTED_CHECKS;
            next.clock = state.clock.saturating_add(!(void || answers_void) as u16);
            // A check on an uncounted ply does not use up one of the ten either, unless it is void itself.
            next.checks[mover.index()] = given.saturating_add((next.in_check && (void || !answers_void)) as u8);
        }
        self.filter.count(&next.board);
    }

    /// Makes a null move. The side to move must not be in check. Repetitions are not detected across a null move.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// game.make_null();
    /// assert_eq!(game.side_to_move(), xiangqi::types::Color::Red, "Red moves again");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn make_null(&mut self) {
        let state = *self.state();
        let board = state.board.with_side(!state.board.side_to_move());
        self.push(State {
            board,
            last_move: Move::NONE,
            captured: None,
            in_check: false,
            reversible: 0,
            clock: state.clock.saturating_add(1),
            checks: state.checks,
        });
    }

    /// Unmakes the last move or null move. Does nothing at the start of the game.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// game.unmake();
    /// assert_eq!(game.plies(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn unmake(&mut self) {
        if self.states.len() > 1
            && let Some(state) = self.states.pop()
        {
            let bucket = self.filter.bucket(&state.board);
            *bucket = bucket.wrapping_sub(1);
        }
    }

    /// The distance in plies to the most recent earlier occurrence of the current position, if there is one since the last
    /// capture or null move.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// for text in ["h0g2", "h9g7", "g2h0", "g7h9"] {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// assert_eq!(game.plies_to_repetition(), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn plies_to_repetition(&self) -> Option<usize> {
        if self.may_repeat() { self.find_repetition() } else { None }
    }

    /// A fast test for repetition: false means that the current position has not occurred since the last capture or null move,
    /// true that it may have.
    #[inline(always)]
    pub(crate) fn may_repeat(&self) -> bool {
        self.state().reversible >= SHORTEST_LOOP && !self.filter.is_unique(self.board())
    }

    #[inline(never)]
    fn find_repetition(&self) -> Option<usize> {
        self.earlier_occurrences().next()
    }

    /// The distances in plies to the earlier occurrences of the current position since the last capture or null move, the most recent
    /// first.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// for text in ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(2) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// assert_eq!(game.earlier_occurrences().collect::<Vec<_>>(), [4, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.states.len() - 1;
        let key = self.board().key();
        let reach = (self.state().reversible as usize).min(last);
        (SHORTEST_LOOP as usize..=reach).step_by(2).filter(move |&back| self.states[last - back].board.key() == key)
    }

    /// Whether the current position has occurred before since the last capture or null move. If so, the verdict of the rules, and
    /// search results below this position, depend on the path that led to it.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// for text in ["h0g2", "h9g7", "g2h0", "g7h9"] {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// assert!(game.repeats());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn repeats(&self) -> bool {
        self.plies_to_repetition().is_some()
    }

    /// The number of occurrences of the current position since the last capture or null move, including the current one.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// for text in ["h0g2", "h9g7", "g2h0", "g7h9"] {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// assert_eq!(game.occurrences(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occurrences(&self) -> usize {
        if self.may_repeat() { 1 + self.earlier_occurrences().count() } else { 1 }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}
