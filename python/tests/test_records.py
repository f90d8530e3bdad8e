"""Records and books."""

import pathlib

import chuhe
import pytest

GAME = '[Red "甲"]\n[Black "乙"]\n[Result "1-0"]\n\n1. h2e2 h9g7 (1... b9c7 {the other horse}) 2. h0g2 i9h9 1-0\n'


def test_a_record_is_walked_edited_and_saved_in_every_format(tmp_path: pathlib.Path) -> None:
    (tmp_path / "game.pgn").write_text(GAME, encoding="utf-8")
    record = next(chuhe.Records(tmp_path / "game.pgn"))
    assert record.tag("Red") == "甲" and record.result == "1-0" and record.plies == 4
    assert record.moves("wxr") == ["C2=5", "H8+7", "H2+3", "R9=8"]
    assert [(depth, node.mv) for depth, node in record.walk()][2:4] != []
    first = record.root.next
    assert first is not None and first.mv == "h2e2" and first.parent == record.root
    assert [child.mv for child in first.children] == ["h9g7", "b9c7"]
    assert first.children[1].comment == "the other horse" and first.children[1].text("wxr") == "H2+3"
    # Edit: a move, a comment, an annotation, a tag, the result.
    last = record.main_line()[-1].add("车一平二")
    assert last.mv == "i0h0" and record.board() == last.board() and record.board(0) == chuhe.Board()
    last.add_comment("out")
    last.add_glyph(1)
    record.set_tag("Event", "test")
    record.result = "1/2-1/2"
    assert last.comment == "out" and last.glyphs == [1] and ("Event", "test") in record.tags
    for format in ("pgn", "xqf", "ubb", "fen"):
        path = tmp_path / f"new.{format}"
        lost = record.save(path)
        again = next(chuhe.Records(path))
        assert again.moves() == record.moves() or (format == "fen" and lost)
        with pytest.raises(FileExistsError):
            record.save(path)
        record.save(path, overwrite=True)
    assert not list(tmp_path.glob(".tmp*"))
    bytes_, lost = record.to_bytes("pgn", notation="wxf", encoding="gbk")
    assert b"C2.5" in bytes_ and b"\r\n" in bytes_ and lost == ""


def test_what_cannot_be_done_is_an_error(tmp_path: pathlib.Path) -> None:
    record = chuhe.Record()
    for call in (
        lambda: record.save(tmp_path / "game.doc"),
        lambda: record.save(tmp_path / "game.cbr"),
        lambda: record.board(1),
        lambda: record.root.add("h2h9h1"),
        lambda: setattr(record, "result", "2-0"),
        lambda: record.to_bytes("xyz"),
        lambda: chuhe.Records(tmp_path / "missing.pgn"),
        lambda: chuhe.Book(tmp_path),
        lambda: chuhe.Network(tmp_path / "missing.nnue"),
    ):
        with pytest.raises(chuhe.Error):
            call()
    assert not list(tmp_path.iterdir())


def test_the_built_in_book() -> None:
    book = chuhe.Book()
    moves = book.moves(chuhe.Board())
    assert moves[0][1] >= moves[-1][1] > 0
    assert book.choose(chuhe.Board()) == moves[0][0]
    assert book.choose(chuhe.Board(), draw=12345) in dict(moves)
    assert book.moves(chuhe.Board("4k4/9/9/9/9/9/9/9/9/3K5 w")) == []
