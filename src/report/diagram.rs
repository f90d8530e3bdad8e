//! A board as a scalable drawing (SVG) of our own: pieces with characters or letters, the last move, arrows.
//!
//! Nothing is told by hue alone: Red's pieces are light discs with a double rim and dark red signs, Black's are dark discs with
//! white signs; arrows differ by their lines. The few hues are of the palette that Okabe and Ito chose for all kinds of colour
//! vision.

use crate::records::Setup;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, Square};
use std::fmt::Write;

/// What is drawn on the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceStyle {
    /// Chinese characters.
    #[default]
    Characters,
    /// The letters K A E R H C P.
    Letters,
}

/// How an arrow is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowKind {
    /// Solid and blue: a good move or a suggestion.
    Better,
    /// Dashed and orange: the move that was played.
    Played,
}

/// A board to draw.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    /// The pieces.
    pub setup: &'a Setup,
    /// Marked by a dotted ring at the origin and corners around the goal.
    pub last_move: Option<Move>,
    /// Arrows from point to point.
    pub arrows: Vec<(Move, ArrowKind)>,
    /// What is drawn on the pieces.
    pub style: PieceStyle,
    /// Black's side at the bottom.
    pub flipped: bool,
    /// Files and ranks along the edges.
    pub coordinates: bool,
}

/// Distance between neighbouring points; all other measures follow.
const CELL: i32 = 60;
const MARGIN: i32 = 48;
/// Width of a drawing in its own units.
pub const WIDTH: i32 = 2 * MARGIN + (FILES as i32 - 1) * CELL;
/// Height of a drawing in its own units.
pub const HEIGHT: i32 = 2 * MARGIN + (RANKS as i32 - 1) * CELL;

const LINES: &str = "#5b4636";
const WOOD: &str = "#f2dcb0";
const BLUE: &str = "#0072b2";
const ORANGE: &str = "#d55e00";
const RED_PIECE: &str = "#a31515";
const BLACK_PIECE: &str = "#1f2a36";
const CHARACTER_FONTS: &str = "'Noto Serif CJK TC','Noto Serif CJK SC','Songti TC',PMingLiU,KaiTi,'Noto Sans CJK SC',serif";
const LETTER_FONTS: &str = "'DejaVu Sans',Arial,Helvetica,sans-serif";

/// The character on a piece, traditional form.
pub fn character(piece: Piece) -> char {
    let (red, black) = match piece.kind() {
        PieceType::King => ('帥', '將'),
        PieceType::Advisor => ('仕', '士'),
        PieceType::Elephant => ('相', '象'),
        PieceType::Horse => ('馬', '馬'),
        PieceType::Rook => ('車', '車'),
        PieceType::Cannon => ('炮', '砲'),
        PieceType::Pawn => ('兵', '卒'),
    };
    if piece.color() == Color::Red { red } else { black }
}

/// The letter on a piece, as the notations write it.
pub fn letter(piece: Piece) -> char {
    match piece.kind() {
        PieceType::Elephant => 'E',
        PieceType::Horse => 'H',
        kind => kind.fen_letter(),
    }
}

/// The shapes that drawings refer to, for a page to hold once: every piece in both styles (`r-K`, `b-K`; which
/// one is seen the page says by its variables `--characters` and `--letters`), the empty board and the heads of arrows.
pub fn shapes(style: Option<PieceStyle>) -> String {
    let mut out = String::new();
    for piece in Piece::all() {
        let red = piece.color() == Color::Red;
        let (fill, rim, sign) = if red { ("#fffaf0", RED_PIECE, RED_PIECE) } else { (BLACK_PIECE, BLACK_PIECE, "#ffffff") };
        let _ = write!(
            out,
            "<g id=\"{}\"><circle r=\"26\" fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"2\"/>\
             <circle r=\"22\" fill=\"none\" stroke=\"{sign}\" stroke-width=\"1.2\"/>",
            shape_name(piece)
        );
        // In a page that holds both signs a variable of the page tells which is seen: rules for ancestors don't reach into
        // drawings that are used elsewhere, inherited variables do.
        let shown = |name: &str| if style.is_none() { format!(" style=\"visibility:var(--{name})\"") } else { String::new() };
        let mut sign_text = |name: &str, fonts: &str, size: u32, text: char| {
            let _ = write!(
                out,
                "<text y=\"1\" font-size=\"{size}\" font-weight=\"700\" font-family=\"{fonts}\" text-anchor=\"middle\" \
                 dominant-baseline=\"central\" fill=\"{sign}\"{}>{text}</text>",
                shown(name)
            );
        };
        if style != Some(PieceStyle::Letters) {
            sign_text("characters", CHARACTER_FONTS, 29, character(piece));
        }
        if style != Some(PieceStyle::Characters) {
            sign_text("letters", LETTER_FONTS, 25, letter(piece));
        }
        out.push_str("</g>");
    }
    for (name, color) in [("better", BLUE), ("played", ORANGE)] {
        let _ = write!(
            out,
            "<marker id=\"{name}\" viewBox=\"0 0 10 10\" refX=\"6\" refY=\"5\" markerWidth=\"3.4\" markerHeight=\"3.4\" \
             orient=\"auto\"><path d=\"M0 0L10 5L0 10L2 5Z\" fill=\"{color}\"/></marker>"
        );
    }
    let _ = write!(out, "<g id=\"board\">{}</g>", grid());
    out
}

fn shape_name(piece: Piece) -> String {
    format!("{}-{}", if piece.color() == Color::Red { 'r' } else { 'b' }, letter(piece))
}

/// The lines of the board, the palaces, the marks of cannons and pawns, and the river.
fn grid() -> String {
    let (right, bottom) = (WIDTH - MARGIN, HEIGHT - MARGIN);
    let mut path = String::new();
    for rank in 0..RANKS as i32 {
        let _ = write!(path, "M{MARGIN} {}H{right}", MARGIN + rank * CELL);
    }
    for file in 0..FILES as i32 {
        let x = MARGIN + file * CELL;
        if file == 0 || file == FILES as i32 - 1 {
            let _ = write!(path, "M{x} {MARGIN}V{bottom}");
        } else {
            let _ = write!(path, "M{x} {MARGIN}v{}M{x} {bottom}v{}", 4 * CELL, -4 * CELL);
        }
    }
    let (left, palace) = (MARGIN + 3 * CELL, 2 * CELL);
    for top in [MARGIN, bottom - palace] {
        let _ = write!(path, "M{left} {top}l{palace} {palace}M{} {top}l{} {palace}", left + palace, -palace);
    }
    // Small brackets where cannons and pawns start.
    for (file, rank) in [(1, 2), (7, 2)].into_iter().chain((0..9).step_by(2).map(|file| (file, 3))) {
        for rank in [rank, 9 - rank] {
            for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                if (0..=8).contains(&(file + dx)) {
                    let (x, y) = (MARGIN + file * CELL + 5 * dx, MARGIN + rank * CELL + 5 * dy);
                    let _ = write!(path, "M{x} {}V{y}H{}", y + 9 * dy, x + 9 * dx);
                }
            }
        }
    }
    let mut out = format!(
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"{WOOD}\"/>\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{LINES}\" stroke-width=\"3\"/>\
         <path d=\"{path}\" fill=\"none\" stroke=\"{LINES}\" stroke-width=\"1.3\"/>",
        MARGIN - 5,
        MARGIN - 5,
        right - MARGIN + 10,
        bottom - MARGIN + 10,
    );
    for (text, x) in [("楚河", WIDTH / 2 - 2 * CELL), ("漢界", WIDTH / 2 + 2 * CELL)] {
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"30\" letter-spacing=\"14\" font-family=\"{CHARACTER_FONTS}\" \
             text-anchor=\"middle\" dominant-baseline=\"central\" fill=\"{LINES}\" opacity=\"0.55\">{text}</text>",
            HEIGHT / 2
        );
    }
    out
}

impl Diagram<'_> {
    /// A drawing of a board with nothing marked.
    pub fn new(setup: &Setup) -> Diagram<'_> {
        Diagram { setup, last_move: None, arrows: Vec::new(), style: PieceStyle::Characters, flipped: false, coordinates: true }
    }

    fn center(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let (column, row) = if self.flipped { (8 - file, rank) } else { (file, 9 - rank) };
        (MARGIN + column * CELL, MARGIN + row * CELL)
    }

    /// The drawing as a file of its own.
    ///
    /// ```
    /// use chuhe::records::Setup;
    /// use chuhe::report::{ArrowKind, Diagram};
    /// use chuhe::types::Move;
    ///
    /// let setup = Setup::standard();
    /// let mut diagram = Diagram::new(&setup);
    /// diagram.arrows.push((Move::from_uci("h2e2").unwrap(), ArrowKind::Better));
    /// assert!(diagram.svg().starts_with("<svg "));
    /// ```
    pub fn svg(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\
             <title>{label}</title><defs>{}</defs>{}</svg>\n",
            shapes(Some(self.style)),
            self.body(),
            label = self.label(),
        )
    }

    /// The drawing for a page that holds the shapes.
    pub fn svg_in_page(&self) -> String {
        format!(
            "<svg class=\"diagram\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{}</svg>",
            self.label(),
            self.body()
        )
    }

    fn label(&self) -> String {
        format!("Xiangqi board: {}", self.setup.to_board_fen())
    }

    fn body(&self) -> String {
        let mut out = String::from("<use href=\"#board\"/>");
        if self.coordinates {
            self.draw_coordinates(&mut out);
        }
        if let Some(mv) = self.last_move {
            self.draw_last_move(&mut out, mv);
        }
        for (piece, square) in self.setup.pieces() {
            let (x, y) = self.center(square);
            let _ = write!(out, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", shape_name(piece));
        }
        self.arrows.iter().for_each(|&(mv, kind)| self.draw_arrow(&mut out, mv, kind));
        out
    }

    fn draw_coordinates(&self, out: &mut String) {
        let mut put = |x: i32, y: i32, text: char| {
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"13\" font-family=\"{LETTER_FONTS}\" text-anchor=\"middle\" \
                 dominant-baseline=\"central\" fill=\"{LINES}\">{text}</text>"
            );
        };
        for file in 0..FILES as u8 {
            let column = if self.flipped { 8 - file } else { file } as i32;
            put(MARGIN + column * CELL, HEIGHT - 9, (b'a' + file) as char);
        }
        for rank in 0..RANKS as u8 {
            let row = if self.flipped { rank } else { 9 - rank } as i32;
            put(9, MARGIN + row * CELL, (b'0' + rank) as char);
        }
    }

    fn draw_last_move(&self, out: &mut String, mv: Move) {
        let (x, y) = self.center(mv.from());
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"12\" fill=\"{BLUE}\" fill-opacity=\"0.25\" stroke=\"{BLUE}\" stroke-width=\"3\" \
             stroke-dasharray=\"4 4\"/>"
        );
        let (x, y) = self.center(mv.to());
        let mut path = String::new();
        for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let _ = write!(path, "M{} {}v{}h{}", x + 28 * dx, y + 14 * dy, 14 * dy, -14 * dx);
        }
        let _ = write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{BLUE}\" stroke-width=\"4\"/>");
    }

    fn draw_arrow(&self, out: &mut String, mv: Move, kind: ArrowKind) {
        let ((x1, y1), (x2, y2)) = (self.center(mv.from()), self.center(mv.to()));
        let (dx, dy) = ((x2 - x1) as f64, (y2 - y1) as f64);
        let length = dx.hypot(dy).max(1.0);
        // From the rim of the piece to just short of the goal's centre, so that both signs stay readable.
        let at = |distance: f64| (x1 as f64 + dx / length * distance, y1 as f64 + dy / length * distance);
        let ((from_x, from_y), (to_x, to_y)) = (at(24.0), at(length - 12.0));
        let (name, color, dashes) = match kind {
            ArrowKind::Better => ("better", BLUE, ""),
            ArrowKind::Played => ("played", ORANGE, " stroke-dasharray=\"13 7\""),
        };
        let _ = write!(
            out,
            "<path d=\"M{from_x:.1} {from_y:.1}L{to_x:.1} {to_y:.1}\" stroke=\"{color}\" stroke-width=\"8\"{dashes} \
             stroke-opacity=\"0.85\" marker-end=\"url(#{name})\"/>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_well_formed_and_complete() {
        let setup = Setup::standard();
        let mv = |text| Move::from_uci(text).unwrap();
        for style in [PieceStyle::Characters, PieceStyle::Letters] {
            for flipped in [false, true] {
                let arrows = vec![(mv("h2e2"), ArrowKind::Better), (mv("b0c2"), ArrowKind::Played)];
                let diagram = Diagram { last_move: Some(mv("h9g7")), arrows, style, flipped, ..Diagram::new(&setup) };
                let svg = diagram.svg();
                let mut reader = quick_xml::Reader::from_str(&svg);
                let mut uses = 0;
                loop {
                    match reader.read_event().unwrap() {
                        quick_xml::events::Event::Eof => break,
                        quick_xml::events::Event::Empty(element) if element.name().as_ref() == b"use" => uses += 1,
                        _ => {}
                    }
                }
                assert_eq!(uses, 1 + 32);
                assert_eq!(svg.contains('帥'), style == PieceStyle::Characters);
                assert!(svg.contains("stroke-dasharray=\"13 7\""));
            }
        }
    }

    #[test]
    fn turning_the_board_turns_points() {
        let setup = Setup::empty();
        let corner = Square::at(0, 0).unwrap();
        let upright = Diagram::new(&setup);
        let turned = Diagram { flipped: true, ..Diagram::new(&setup) };
        assert_eq!(upright.center(corner), (MARGIN, HEIGHT - MARGIN));
        assert_eq!(turned.center(corner), (WIDTH - MARGIN, MARGIN));
    }
}
