//! Board diagrams as SVG: pieces with characters or letters, the last move, arrows.
//!
//! Nothing depends on hue alone: Red's pieces are light discs with a double rim and dark red symbols, Black's are dark discs with white
//! symbols; arrows differ by line style. Hues are from Okabe and Ito's palette for colour-blind readers. All symbols are outlines, and a
//! stand-alone file uses only groups, paths, circles and rectangles, which every viewer and printer supports.

use super::glyphs::{EM, glyph};
use crate::records::Setup;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, Square};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The symbols on the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceStyle {
    /// Traditional characters, as on most sets.
    #[default]
    Characters,
    /// Simplified characters.
    Simplified,
    /// The letters K A E R H C P.
    Letters,
}

xiangqi::named_values! { PieceStyle, "style": Characters "characters", Simplified "simplified", Letters "letters" }

impl PieceStyle {
    fn sign(self, piece: Piece) -> char {
        match self {
            PieceStyle::Characters => piece.character(),
            PieceStyle::Simplified => piece.simplified(),
            PieceStyle::Letters => letter(piece),
        }
    }
}

/// The labels along the edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edges {
    /// No labels.
    None,
    /// The files as players count them, from each side's right: 一 to 九 at Red's edge, 1 to 9 at Black's.
    #[default]
    Files,
    /// Files `a` to `i` and ranks `0` to `9`, as in the protocols' coordinates.
    Points,
}

xiangqi::named_values! { Edges, "edges": Files "files", Points "points", None "none" }

/// The style of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowKind {
    /// Solid blue: a good move or a suggestion.
    Better,
    /// Dashed orange: the move played.
    Played,
}

/// A board to draw.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    /// The pieces.
    pub setup: &'a Setup,
    /// The last move, marked by a dotted ring at the origin and corners around the destination.
    pub last_move: Option<Move>,
    /// Arrows from point to point.
    pub arrows: Vec<(Move, ArrowKind)>,
    /// Symbols on the pieces.
    pub style: PieceStyle,
    /// Whether Black's side is at the bottom.
    pub flipped: bool,
    /// Labels along the edges.
    pub edges: Edges,
}

/// Distance between adjacent points; all other dimensions are relative to it.
const CELL: i32 = 60;
const MARGIN: i32 = 48;
/// Width of a drawing in user units.
const WIDTH: i32 = 2 * MARGIN + (FILES as i32 - 1) * CELL;
/// Height of a drawing in user units.
const HEIGHT: i32 = 2 * MARGIN + (RANKS as i32 - 1) * CELL;

const LINES: &str = "#5b4636";
const WOOD: &str = "#f2dcb0";
const BLUE: &str = "#0072b2";
const ORANGE: &str = "#d55e00";
const RED_PIECE: &str = "#a31515";
const BLACK_PIECE: &str = "#1f2a36";

/// The letter on a piece, as in the notations.
fn letter(piece: Piece) -> char {
    match piece.kind() {
        PieceType::Elephant => 'E',
        PieceType::Horse => 'H',
        kind => kind.fen_letter(),
    }
}

/// The shared shapes that drawings in a page reference, included once per page: every piece in every style (`r-K`, `b-K`; the CSS variables
/// `--characters`, `--simplified` and `--letters` select the visible style), the empty board and its edge labels (`files`,
/// `files-flipped`).
pub fn shapes() -> Markup {
    html! {
        @for piece in Piece::all() {
            g id=(shape_name(piece)) {
                (disc(piece))
                @for style in PieceStyle::ALL {
                    // Selectors with ancestors don't match inside `use` elements; inherited variables do.
                    g style={ "visibility:var(--" (style.name()) ")" } { (piece_sign(piece, style)) }
                }
            }
        }
        g id="board" { (grid()) }
        g id="files" { (edges(Edges::Files, false)) }
        g id="files-flipped" { (edges(Edges::Files, true)) }
    }
}

fn shape_name(piece: Piece) -> String {
    format!("{}-{}", if piece.color() == Color::Red { 'r' } else { 'b' }, letter(piece))
}

/// The `viewBox` of a drawing.
pub(super) fn view_box() -> String {
    format!("0 0 {WIDTH} {HEIGHT}")
}

/// The disc of a piece with its two rims.
fn disc(piece: Piece) -> Markup {
    let red = piece.color() == Color::Red;
    let (fill, rim, sign) = if red { ("#fffaf0", RED_PIECE, RED_PIECE) } else { (BLACK_PIECE, BLACK_PIECE, "#ffffff") };
    html! {
        circle r="26" fill=(fill) stroke=(rim) stroke-width="2" {}
        circle r="22" fill="none" stroke=(sign) stroke-width="1.2" {}
    }
}

fn piece_sign(piece: Piece, style: PieceStyle) -> Markup {
    let color = if piece.color() == Color::Red { RED_PIECE } else { "#ffffff" };
    let size = if style == PieceStyle::Letters { 30.0 } else { 34.0 };
    outline(style.sign(piece), (0.0, 0.0), size, color)
}

/// The outline of a symbol around a centre; empty if there is none.
fn outline(sign: char, (x, y): (f64, f64), size: f64, color: &str) -> Markup {
    /// Vertical centre of characters, and of capitals and digits, above the baseline, in em.
    const MIDDLE: (f64, f64) = (0.38, 0.365);
    let Some(glyph) = glyph(sign) else { return html! {} };
    let middle = if sign.is_ascii() { MIDDLE.1 } else { MIDDLE.0 };
    let scale = size / EM;
    let (left, down) = (x - f64::from(glyph.width) / 2.0 * scale, y + middle * size);
    html! { path transform=(format!("translate({left:.2} {down:.2}) scale({scale:.4})")) d=(glyph.path) fill=(color) {} }
}

/// The lines of the board, the palaces, the marks of cannons and pawns, and the river.
fn grid() -> Markup {
    let (right, bottom) = (WIDTH - MARGIN, HEIGHT - MARGIN);
    let river = |sign, cells: f64| outline(sign, (WIDTH as f64 / 2.0 + cells * CELL as f64, HEIGHT as f64 / 2.0), 32.0, LINES);
    html! {
        rect width=(WIDTH) height=(HEIGHT) rx="8" fill=(WOOD) {}
        rect x=(MARGIN - 5) y=(MARGIN - 5) width=(right - MARGIN + 10) height=(bottom - MARGIN + 10)
            fill="none" stroke=(LINES) stroke-width="3" {}
        path d=(grid_lines()) fill="none" stroke=(LINES) stroke-width="1.3" {}
        g opacity="0.55" { (river('楚', -2.5)) (river('河', -1.5)) (river('漢', 1.5)) (river('界', 2.5)) }
    }
}

fn grid_lines() -> String {
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
    // Small brackets at the starting points of cannons and pawns.
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
    path
}

/// The labels along the edges.
fn edges(edges: Edges, flipped: bool) -> Markup {
    const NUMERALS: [char; FILES] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let x = |column: usize| (MARGIN + column as i32 * CELL) as f64;
    let (top, bottom) = (11.0, HEIGHT as f64 - 11.0);
    let (red, black) = if flipped { (top, bottom) } else { (bottom, top) };
    let mut signs: Vec<(char, f64, f64)> = Vec::new();
    match edges {
        Edges::None => {}
        Edges::Files => {
            for (file, numeral) in NUMERALS.into_iter().enumerate() {
                // Red counts from the right of the drawing, Black from the left; on a flipped board it is the reverse.
                let (red_column, black_column) = if flipped { (file, 8 - file) } else { (8 - file, file) };
                signs.push((numeral, x(red_column), red));
                signs.push(((b'1' + file as u8) as char, x(black_column), black));
            }
        }
        Edges::Points => {
            for file in 0..FILES {
                signs.push(((b'a' + file as u8) as char, x(if flipped { 8 - file } else { file }), bottom));
            }
            for rank in 0..RANKS {
                let row = if flipped { rank } else { 9 - rank };
                signs.push(((b'0' + rank as u8) as char, 9.0, (MARGIN + row as i32 * CELL) as f64));
            }
        }
    }
    html! { @for (sign, x, y) in signs { (outline(sign, (x, y), 17.0, LINES)) } }
}

impl Diagram<'_> {
    /// A diagram without marks or arrows.
    pub fn new(setup: &Setup) -> Diagram<'_> {
        Diagram {
            setup,
            last_move: None,
            arrows: Vec::new(),
            style: PieceStyle::default(),
            flipped: false,
            edges: Edges::default(),
        }
    }

    fn center(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let (column, row) = if self.flipped { (8 - file, rank) } else { (file, 9 - rank) };
        (MARGIN + column * CELL, MARGIN + row * CELL)
    }

    /// The drawing as a stand-alone SVG file.
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
        let label = self.label();
        let drawing = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(HEIGHT) viewBox=(view_box()) role="img"
                aria-label=(label) {
                title { (label) }
                (grid())
                (edges(self.edges, self.flipped))
                @if let Some(mv) = self.last_move { (self.last_move_mark(mv)) }
                @for (piece, square) in self.setup.pieces() {
                    @let (x, y) = self.center(square);
                    g transform={ "translate(" (x) " " (y) ")" } { (disc(piece)) (piece_sign(piece, self.style)) }
                }
                @for &(mv, kind) in &self.arrows { (self.arrow(mv, kind)) }
            }
        };
        drawing.into_string() + "\n"
    }

    /// The drawing for a page that contains the `shapes` and styles for arrows of the classes `better` and `played`. Of the edge labels only
    /// files, or none, are supported.
    pub fn svg_in_page(&self) -> Markup {
        let files = if self.flipped { "#files-flipped" } else { "#files" };
        // Kept short: a page of many games has thousands of these.
        let put = |piece, (x, y)| PreEscaped(format!("<use href=#{} x={x} y={y} />", shape_name(piece)));
        html! {
            svg.diagram viewBox=(view_box()) role="img" aria-label=(self.label()) {
                use href="#board" {}
                @if self.edges != Edges::None { use href=(files) {} }
                @if let Some(mv) = self.last_move { (self.last_move_mark(mv)) }
                @for (piece, square) in self.setup.pieces() { (put(piece, self.center(square))) }
                @for &(mv, kind) in &self.arrows {
                    @let (shaft, head) = self.arrow_paths(mv);
                    g class=(if kind == ArrowKind::Better { "better" } else { "played" }) { path d=(shaft) {} path d=(head) {} }
                }
            }
        }
    }

    /// Renders the drawing as PNG; `width` is in pixels.
    ///
    /// # Errors
    /// If an image of this size cannot be allocated or encoded.
    #[cfg(feature = "png")]
    pub fn png(&self, width: u32) -> Result<Vec<u8>, PngError> {
        use resvg::tiny_skia::{Pixmap, Transform};
        use resvg::usvg::{Options, Tree};
        let tree = Tree::from_str(&self.svg(), &Options::default()).map_err(|error| PngError::Drawing(error.to_string()))?;
        let scale = width as f32 / WIDTH as f32;
        let height = (HEIGHT as f32 * scale).ceil() as u32;
        let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
    }

    fn label(&self) -> String {
        format!("Xiangqi board: {}", self.setup.to_board_fen())
    }

    fn last_move_mark(&self, mv: Move) -> Markup {
        let (from_x, from_y) = self.center(mv.from());
        let (x, y) = self.center(mv.to());
        let mut corners = String::new();
        for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let _ = write!(corners, "M{} {}v{}h{}", x + 28 * dx, y + 14 * dy, 14 * dy, -14 * dx);
        }
        html! {
            circle cx=(from_x) cy=(from_y) r="12" fill=(BLUE) fill-opacity="0.25" stroke=(BLUE) stroke-width="3"
                stroke-dasharray="4 4" {}
            path d=(corners) fill="none" stroke=(BLUE) stroke-width="4" {}
        }
    }

    /// The paths of shaft and head of an arrow.
    fn arrow_paths(&self, mv: Move) -> (String, String) {
        let ((x1, y1), (x2, y2)) = (self.center(mv.from()), self.center(mv.to()));
        let (dx, dy) = ((x2 - x1) as f64, (y2 - y1) as f64);
        let length = dx.hypot(dy).max(1.0);
        // A point at these distances along and beside the arrow.
        let at = |along: f64, aside: f64| {
            let (x, y) = (x1 as f64 + (dx * along - dy * aside) / length, y1 as f64 + (dy * along + dx * aside) / length);
            format!("{x:.1} {y:.1}")
        };
        // From the rim of the piece to just short of the destination's centre, so that both symbols stay readable.
        let shaft = format!("M{}L{}", at(24.0, 0.0), at(length - 22.0, 0.0));
        let (tip, notch) = (at(length - 4.0, 0.0), at(length - 24.0, 0.0));
        (shaft, format!("M{}L{tip}L{}L{notch}Z", at(length - 30.0, 13.0), at(length - 30.0, -13.0)))
    }

    fn arrow(&self, mv: Move, kind: ArrowKind) -> Markup {
        let (shaft, head) = self.arrow_paths(mv);
        let (color, dashes) = match kind {
            ArrowKind::Better => (BLUE, None),
            ArrowKind::Played => (ORANGE, Some("13 7")),
        };
        html! {
            g opacity="0.85" {
                path d=(shaft) fill="none" stroke=(color) stroke-width="8" stroke-dasharray=[dashes] {}
                path d=(head) fill=(color) {}
            }
        }
    }
}

/// An error of rendering a PNG.
#[cfg(feature = "png")]
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG cannot be parsed.
    #[error("the drawing cannot be read: {0}")]
    Drawing(String),
    /// An image of this size cannot be allocated.
    #[error("no image of {width} × {height} pixels can be made")]
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The pixels cannot be encoded.
    #[error("the image cannot be encoded: {0}")]
    Encoding(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        Move::from_uci(text).unwrap()
    }

    #[test]
    fn drawings_are_well_formed_and_complete() {
        let setup = Setup::standard();
        for style in PieceStyle::ALL {
            for flipped in [false, true] {
                for edges in Edges::ALL {
                    let arrows = vec![(mv("h2e2"), ArrowKind::Better), (mv("b0c2"), ArrowKind::Played)];
                    let diagram = Diagram { setup: &setup, last_move: Some(mv("h9g7")), arrows, style, flipped, edges };
                    let svg = diagram.svg();
                    let mut reader = quick_xml::Reader::from_str(&svg);
                    let (mut circles, mut outlines) = (0, 0);
                    loop {
                        match reader.read_event().unwrap() {
                            quick_xml::events::Event::Eof => break,
                            quick_xml::events::Event::Start(element) => {
                                circles += (element.name().into_inner() == "circle") as usize;
                                outlines += element.attributes().flatten().any(|a| a.value.contains(['Q', 'C'])) as usize;
                                assert!(element.name().into_inner() != "text", "a viewer without the font draws nothing");
                            }
                            _ => {}
                        }
                    }
                    assert_eq!(circles, 2 * 32 + 1);
                    assert!(outlines >= 32, "{outlines} outlines");
                    assert!(svg.contains("stroke-dasharray=\"13 7\""));
                }
            }
        }
    }

    #[test]
    fn every_symbol_has_an_outline() {
        let pieces = Piece::all().flat_map(|piece| PieceStyle::ALL.map(|style| style.sign(piece)));
        for sign in pieces.chain("楚河漢界一二三四五六七八九abcdefghi0123456789".chars()) {
            assert!(glyph(sign).is_some(), "{sign}");
        }
    }

    #[test]
    fn flipping_the_board_flips_points() {
        let setup = Setup::empty();
        let corner = Square::at(0, 0).unwrap();
        let upright = Diagram::new(&setup);
        let turned = Diagram { flipped: true, ..Diagram::new(&setup) };
        assert_eq!(upright.center(corner), (MARGIN, HEIGHT - MARGIN));
        assert_eq!(turned.center(corner), (WIDTH - MARGIN, MARGIN));
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_png_shows_pieces() {
        let (empty, full) = (Setup::empty(), Setup::standard());
        let [empty, full] = [&empty, &full].map(|setup| Diagram::new(setup).png(288).unwrap());
        assert!(empty.starts_with(b"\x89PNG") && full.len() > empty.len() + 5000, "{} {}", empty.len(), full.len());
        assert!(matches!(Diagram::new(&Setup::empty()).png(0), Err(PngError::Size { .. })));
    }
}
