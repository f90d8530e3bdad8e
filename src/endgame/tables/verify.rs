//! What looks at every position of a table: the check of its values, and the atlas.

use super::{Table, Tables};
use crate::board::{Board, Setup};
use crate::endgame::error::EndgameError;
use crate::endgame::family::Family;
use crate::endgame::file::{Block, Head};
use crate::endgame::layout::{Layout, Next, Place};
use crate::endgame::outcome::Outcome;
use crate::endgame::solve::{Summary, in_chunks, in_parts};
use crate::endgame::value::{self, DRAW, LIMIT, MATED, RULED, TOO_LONG, Value};
use crate::types::Color;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::OnceLock;

impl Tables {
    /// The bytes of memory that [`Tables::verify`] takes for a family, beside the tables after captures.
    pub fn memory_to_verify(&self, family: &Family) -> u64 {
        self.find(family).map_or(0, |at| self.tables[at].head.form.unpacked(self.tables[at].layout().positions()))
    }

    /// Checks a whole table: all checksums, and that every value follows from those of the moves, by the moves of the table's own
    /// layout. Families into which captures lead must be among the tables. Calls `progress` with the positions done and all, from any thread.
    ///
    /// # Errors
    /// The file, and what is wrong with it.
    pub fn verify(
        &self,
        family: &Family,
        threads: usize,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Verified, EndgameError> {
        let at = self.find(family).ok_or(EndgameError::NoTable)?;
        let table = &self.tables[at];
        table.head.check_sums(table.bytes()).map_err(|error| table.named(error))?;
        let values = Values::unpack(table, threads)?;
        let all = table.layout().positions();
        let verified = Mutex::new(Verified::default());
        // The first of the wrong positions, whichever thread finds it.
        let wrong = Mutex::new(None::<(usize, EndgameError)>);
        for side in 0..2 {
            in_chunks(all, threads, &|range| {
                progress((side * all + range.start) as u64, 2 * all as u64);
                let mut counted = Verified::default();
                for number in range {
                    if let Err(error) = self.verify_position(at, &values, side, number, &mut counted) {
                        let mut wrong = wrong.lock();
                        if wrong.as_ref().is_none_or(|(first, _)| (side * all + number) < *first) {
                            *wrong = Some((side * all + number, error));
                        }
                        break;
                    }
                }
                let mut verified = verified.lock();
                verified.positions += counted.positions;
                verified.unknown += counted.unknown;
            });
        }
        match wrong.into_inner() {
            Some((_, error)) => Err(table.named(error)),
            None => Ok(verified.into_inner()),
        }
    }

    /// Counts how the positions of a family end, by the advisors and elephants of both sides, in the order of these. Takes as much memory as
    /// [`Tables::verify`].
    ///
    /// # Errors
    /// What is wrong with the table.
    pub fn atlas(&self, family: &Family, threads: usize) -> Result<Vec<AtlasRow>, EndgameError> {
        type Counts = [Summary; 2];
        /// The longest win, its side to move and its number.
        type Longest = Option<(Value, usize, usize)>;
        let table = &self.tables[self.find(family).ok_or(EndgameError::NoTable)?];
        let values = Values::unpack(table, threads)?;
        let layout = table.layout();
        let all = Mutex::new(BTreeMap::<[(u8, u8); 2], (Counts, Longest)>::new());
        let is_longer = |found: (Value, usize, usize), than: Longest| {
            than.is_none_or(|than| {
                (found.0, std::cmp::Reverse((found.1, found.2))) > (than.0, std::cmp::Reverse((than.1, than.2)))
            })
        };
        for side in 0..2 {
            in_chunks(layout.positions(), threads, &|range| {
                let mut counted = BTreeMap::<[(u8, u8); 2], (Counts, Longest)>::new();
                for number in range {
                    let place = layout.place(number);
                    if !layout.is_legal(&place, side) {
                        continue;
                    }
                    let value = values.value(side, number);
                    let (counts, longest) = counted.entry(layout.defenders(&place)).or_default();
                    let is_in_time = value::is_in_time(value, values.count(side, number), LIMIT);
                    counts[side].add(value, is_in_time, layout.weight(&place));
                    let found = (value, side, number);
                    if value::is_win(value) && value::is_mate(value) && is_longer(found, *longest) {
                        *longest = Some(found);
                    }
                }
                let mut all = all.lock();
                for (defenders, (counts, longest)) in counted {
                    let (sum, longest_of_all) = all.entry(defenders).or_default();
                    sum.iter_mut().zip(counts).for_each(|(sum, counts)| sum.merge(counts));
                    *longest_of_all = longest.filter(|&found| is_longer(found, *longest_of_all)).or(*longest_of_all);
                }
            });
        }
        let mut rows = Vec::new();
        for (defenders, (summaries, longest)) in all.into_inner() {
            let longest = longest.and_then(|(_, side, number)| layout.board(&layout.place(number), side).ok());
            rows.push(AtlasRow { defenders, summaries, longest });
        }
        Ok(rows)
    }

    /// Checks the value of one position.
    fn verify_position(
        &self,
        at: usize,
        values: &Values,
        side: usize,
        number: usize,
        verified: &mut Verified,
    ) -> Result<(), EndgameError> {
        let layout = self.tables[at].layout();
        let place = layout.place(number);
        if !layout.is_legal(&place, side) {
            return Ok(());
        }
        let stated = values.value(side, number);
        let mut after = AfterMoves::default();
        let is_unknown = layout.any_next(&place, side, |next| {
            let found = match next.taken {
                None => layout.number(&next.place).map(|number| (values.value(1 - side, number), values.count(1 - side, number))),
                Some(_) => self.after_capture(at, 1 - side, &next),
            };
            let Some((value, count)) = found else { return true };
            after.add(value);
            if value::is_mate(value) {
                after.add_count(value, count, next.captures);
            }
            false
        });
        if is_unknown {
            verified.unknown += 1;
            return Ok(());
        }
        let expected = after.value();
        verified.positions += layout.weight(&place);
        let wrong =
            |stated, expected| Err(EndgameError::Wrong { fen: board_of(layout, &place, side).to_fen(), stated, expected });
        // Who moves in a trap loses by what all its moves repeat: they lead one ply away from it, and that one ply back.
        let is_trap = stated >= RULED && value::is_loss(stated) && expected == stated.saturating_add(2);
        if stated != expected && !is_trap {
            return wrong(Outcome::of(stated).describe(), Outcome::of(expected).describe());
        }
        match values.count(side, number) {
            Some(stated_count) if value::is_mate(stated) && stated_count != after.count(stated) => {
                let words = |count: u8| match count {
                    TOO_LONG => "no capture within the natural limit".to_string(),
                    count => format!("a capture or mate in {}", count.saturating_sub(MATED)),
                };
                wrong(words(stated_count), words(after.count(stated)))
            }
            _ => Ok(()),
        }
    }

    /// The value and the count of the position to which the capture of an attacker has led; `None` where no table has it.
    fn after_capture(&self, at: usize, side: usize, next: &Next) -> Option<(Value, Option<u8>)> {
        let taken = next.taken?;
        let layout = self.tables[at].layout();
        if layout.family().without(taken).is_none() {
            static BARE: OnceLock<Layout> = OnceLock::new();
            let bare = BARE.get_or_init(|| Layout::new(&Family::bare()));
            let (place, exchanged) = layout.without_attacker(&next.place, taken, bare)?;
            let has_move = bare.any_next(&place, side ^ exchanged as usize, |_| true);
            return Some((if has_move { DRAW } else { value::LOST_NOW }, None));
        }
        // Any table that has the material: R-N leads to R-, which is a part of R-D.
        let mut others = self.tables.iter().enumerate();
        let (smaller, (place, exchanged)) =
            others.find_map(|(at, table)| Some((at, layout.without_attacker(&next.place, taken, table.layout())?)))?;
        let side = side ^ exchanged as usize;
        Some((self.value(smaller, side, &place)?, self.count(smaller, side, &place)))
    }
}

/// All values of a table.
struct Values {
    blocks: Vec<Block>,
    block: usize,
    of_part: usize,
    has_captures: bool,
}

impl Values {
    fn unpack(table: &Table, threads: usize) -> Result<Values, EndgameError> {
        let Head { blocks: of_part, block, form, .. } = table.head;
        let unpacked: Vec<Mutex<Option<Block>>> = (0..form.parts() * of_part).map(|_| Mutex::new(None)).collect();
        let fault = Mutex::new(None);
        in_parts(unpacked.len(), threads, 1, &|range| {
            for block in range {
                match table.head.unpack(table.bytes(), block) {
                    Ok(values) => *unpacked[block].lock() = Some(values),
                    Err(error) => *fault.lock() = Some(error),
                }
            }
        });
        match fault.into_inner() {
            Some(error) => Err(table.named(error)),
            None => {
                let blocks = unpacked.into_iter().filter_map(Mutex::into_inner).collect();
                Ok(Values { blocks, block, of_part, has_captures: form.has_captures })
            }
        }
    }

    #[inline]
    fn value(&self, side: usize, number: usize) -> Value {
        self.blocks[side * self.of_part + number / self.block].value(number % self.block)
    }

    #[inline]
    fn count(&self, side: usize, number: usize) -> Option<u8> {
        let block = (2 + side) * self.of_part + number / self.block;
        self.has_captures.then(|| self.blocks[block].count(number % self.block))
    }
}

/// What the values after the moves of a position make of it.
struct AfterMoves {
    /// The quickest loss of the opponent.
    best_win: Option<Value>,
    longest_loss: Value,
    has_draw: bool,
    /// The least count to the next capture after moves that win by mate.
    least: u8,
    /// The highest count after all moves.
    most: u8,
}

impl Default for AfterMoves {
    fn default() -> AfterMoves {
        AfterMoves { best_win: None, longest_loss: DRAW, has_draw: false, least: TOO_LONG, most: 0 }
    }
}

impl AfterMoves {
    fn add(&mut self, value: Value) {
        match value {
            DRAW => self.has_draw = true,
            loss if value::is_loss(loss) => self.best_win = Some(self.best_win.map_or(loss, |best| best.min(loss))),
            win => self.longest_loss = self.longest_loss.max(win),
        }
    }

    /// Adds the count to the next capture after a move to a position with this value and count.
    fn add_count(&mut self, value: Value, count: Option<u8>, is_capture: bool) {
        let count = match count {
            _ if is_capture => {
                if value::is_in_time(value, count, LIMIT) {
                    MATED
                } else {
                    TOO_LONG
                }
            }
            count => count.unwrap_or(TOO_LONG),
        };
        if value::is_loss(value) {
            self.least = self.least.min(count);
        }
        self.most = self.most.max(count);
    }

    fn value(&self) -> Value {
        match self.best_win {
            Some(loss) => loss + 1,
            None if self.has_draw => DRAW,
            // Without any move the longest loss is 0, and this is LOST_NOW. A file may hold any number.
            None => self.longest_loss.saturating_add(1),
        }
    }

    /// The count of a position with this value.
    fn count(&self, value: Value) -> u8 {
        let after = if value::is_win(value) { self.least } else { self.most };
        if after > LIMIT { TOO_LONG } else { after + 1 }
    }
}

/// How the positions of a family with some advisors and elephants end.
#[derive(Clone, Debug)]
pub struct AtlasRow {
    /// Advisors and elephants of the first side and of the second.
    pub defenders: [(u8, u8); 2],
    /// With the first side to move, and with the second.
    pub summaries: [Summary; 2],
    /// The first of the positions with the longest way to mate for the side to move; `None` where it never mates.
    pub longest: Option<Board>,
}

/// What [`Tables::verify`] has looked at.
#[derive(Clone, Copy, Default, Debug)]
pub struct Verified {
    /// Positions of the whole board whose value follows from those of their moves.
    pub positions: u64,
    /// Numbers that could not be checked since a capture leads to a family without a table.
    pub unknown: u64,
}

/// The board of a place.
fn board_of(layout: &Layout, place: &Place, side: usize) -> Setup {
    let mut setup = Setup::empty();
    setup.side = Color::ALL[side];
    for (piece, square) in layout.pieces(place) {
        setup.put(square, Some(piece));
    }
    setup
}
