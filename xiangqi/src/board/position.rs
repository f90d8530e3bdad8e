//! A position with its past: moves made and unmade, clocks, and what repetition rules ask of history.

use super::placement::Board;
use crate::types::{Color, Move, Piece};

/// Checks of a side that count towards the natural limit (practice b of docs/src/rules/world.md#s6).
///
/// ```
/// assert_eq!(xiangqi::board::COUNTED_CHECKS, 10);
/// ```
pub const COUNTED_CHECKS: u8 = 10;

/// One position of a game and how it was reached. A plain value; the moves of a game make a stack of them.
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
    /// The pieces, side to move and key.
    pub board: Board,
    /// The move that led here, [`Move::NONE`] at the start and after a null move.
    pub last_move: Move,
    /// What that move took.
    pub captured: Option<Piece>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Plies since the last capture, null move or start: how far back a repetition can lie.
    pub reversible: u16,
    /// The natural-limit counter in plies: plies since the last capture without void checks and the answers to them.
    pub clock: u16,
    /// Checks given by each side since the last capture, by colour.
    pub checks: [u8; 2],
}

/// Plies of the shortest loop: each side goes somewhere and comes back.
const SHORTEST_LOOP: u16 = 4;

/// Buckets of [`Seen`], a power of two: few enough for the cache nearest to the processor, and so many that in a long game
/// one position in twenty shares its bucket with another.
const BUCKETS: usize = 4096;

/// How many positions of the game fall into each bucket of their keys. Where the present one is alone in its bucket, it
/// repeats nothing, and the walk back through the game is saved. The search asks at every node, and nothing else counts for it. The idea is the counting Bloom filter of Pikafish.
#[derive(Debug)]
struct Seen(Box<[u16; BUCKETS]>);

impl Seen {
    #[inline(always)]
    fn bucket(&mut self, board: &Board) -> &mut u16 {
        &mut self.0[board.key() as usize % BUCKETS]
    }

    #[inline(always)]
    fn count(&mut self, board: &Board) {
        let bucket = self.bucket(board);
        // Wrapping, so that no game is too long; what is added is taken away again.
        *bucket = bucket.wrapping_add(1);
    }

    #[inline(always)]
    fn is_alone(&self, board: &Board) -> bool {
        self.0[board.key() as usize % BUCKETS] <= 1
    }
}

/// A position with its past.
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
    /// Never empty; the last one is the present.
    states: Vec<State>,
    seen: Seen,
    /// FEN's move number of the first state.
    first_fullmove: u32,
    /// Side to move in the first state.
    first_side: Color,
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position { states: self.states.clone(), seen: Seen(self.seen.0.clone()), ..*self }
    }

    /// Keeps the memory of this position, which a search has grown: short searches would spend a noticeable part of their time on
    /// getting it anew.
    fn clone_from(&mut self, source: &Position) {
        self.states.clone_from(&source.states);
        self.seen.0.clone_from(&source.seen.0);
        (self.first_fullmove, self.first_side) = (source.first_fullmove, source.first_side);
    }
}

impl Position {
    /// A game that starts from this board, with the natural-limit counter at `clock` plies and FEN's move number.
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
        let mut position = Position { states: Vec::new(), seen: Seen(Box::new([0; BUCKETS])), first_fullmove, first_side };
        position.push(state);
        position
    }

    #[inline(always)]
    fn push(&mut self, state: State) {
        self.seen.count(&state.board);
        self.states.push(state);
    }

    /// The start position.
    ///
    /// ```
    /// use xiangqi::board::{Position, START_FEN};
    /// assert_eq!(Position::startpos().to_fen(), START_FEN);
    /// ```
    pub fn startpos() -> Position {
        match Board::from_fen(super::START_FEN) {
            Ok(board) => Position::new(board, 0, 1),
            Err(error) => unreachable!("{error}"),
        }
    }

    /// The present state.
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

    /// All states from the start to the present.
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

    /// The present board.
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

    /// The natural-limit counter in plies.
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

    /// FEN's move number: from 1, one up after each move of Black.
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

    /// Plies made since the start of the game.
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

    /// The moves that led from the first state to the present, null moves left out.
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

    /// The first position, before any move.
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

    /// Makes a legal move.
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

    /// As [`Position::make`], when it may be known whether the move gives check: a search looks at most moves before it makes them. A
    /// wrong answer makes [`Position::in_check`] wrong.
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
        // Copied where it is to be, and changed there.
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
            // A check beyond the tenth is void, and so is the reply to it: neither is counted.
            let given = state.checks[mover.index()];
            let void = next.in_check && given >= COUNTED_CHECKS;
            let answers_void = state.in_check && state.checks[(!mover).index()] > COUNTED_CHECKS;
            next.clock = state.clock.saturating_add(!(void || answers_void) as u16);
            // A check on a ply that is not counted takes none of the ten away either, unless it is void itself.
            next.checks[mover.index()] = given.saturating_add((next.in_check && (void || !answers_void)) as u8);
        }
        self.seen.count(&next.board);
    }

    /// Passes the move. The side to move must not be in check. No repetition reaches across.
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

    /// Takes back the last move or null move. Does nothing at the start of the game.
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
            let bucket = self.seen.bucket(&state.board);
            *bucket = bucket.wrapping_sub(1);
        }
    }

    /// Plies back to the nearest earlier occurrence of the present position, if there is one since the last capture or
    /// null move.
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

    /// Whether the present position may have stood before since the last capture or null move: mostly not, which is seen without
    /// looking back.
    #[inline(always)]
    pub(crate) fn may_repeat(&self) -> bool {
        self.state().reversible >= SHORTEST_LOOP && !self.seen.is_alone(self.board())
    }

    #[inline(never)]
    fn find_repetition(&self) -> Option<usize> {
        let last = self.states.len() - 1;
        let key = self.board().key();
        let reach = (self.state().reversible as usize).min(last);
        (SHORTEST_LOOP as usize..=reach).step_by(2).find(|&back| self.states[last - back].board.key() == key)
    }

    /// Whether the present position has stood before since the last capture or null move: what the rules say of it, and what
    /// a search finds out below it, depends on how it was reached.
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

    /// How often the present position has occurred since the last capture or null move, the present included.
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
        if self.seen.is_alone(self.board()) {
            return 1;
        }
        let last = self.states.len() - 1;
        let key = self.board().key();
        let reach = (self.state().reversible as usize).min(last);
        1 + (SHORTEST_LOOP as usize..=reach).step_by(2).filter(|&back| self.states[last - back].board.key() == key).count()
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}
