"""Records and books."""

import copy
import pathlib

import chuhe
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    for format in ("pgn", "xqf", "ubb", "wxf", "fen"):
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


def test_moves_are_removed_and_lines_put_in_another_order() -> None:
    record = next(chuhe.Records(GAME.encode()))
    first = record.root.next
    assert first is not None
    main, other = first.children
    kept = record.copy()
    assert kept == record and copy.deepcopy(record) == record != "a record"
    # The other horse becomes the main line, and again not.
    assert other.promote() and not other.promote()
    assert record.moves() == ["h2e2", "b9c7"] and first.children == [other, main] and kept != record
    assert main.promote() and other.promote() and other.demote() and not other.demote()
    assert record == kept
    # A reply deep in a variation takes its whole line along.
    deep = other.add("b0c2").add("h9i7")
    deep.promote_to_main()
    assert record.moves() == ["h2e2", "b9c7", "b0c2", "h9i7"] and deep.board() == record.board()
    assert main.remove() == 3 and main.is_removed and not deep.is_removed
    assert record.moves() == [node.mv for _, node in record.walk()][1:] and other.children != []
    # Comments, annotations and tags are replaced and removed.
    other.comment = "the main horse"
    other.add_comment("now")
    other.glyphs = [1, 18]
    assert other.comment == "the main horse\nnow" and other.glyphs == [1, 18]
    other.comment = ""
    other.glyphs = []
    assert other.comment == "" and other.glyphs == []
    assert record.remove_tag("red") and not record.remove_tag("Red") and record.tag("Red") is None
    again = next(chuhe.Records(record.to_bytes()[0]))
    assert again.moves() == record.moves() and len(again.walk()) == len(record.walk()) == 5
    # What is gone can be asked nothing and takes nothing.
    for use in (
        lambda: main.mv,
        lambda: main.board(),
        lambda: main.add("a3a4"),
        lambda: main.remove(),
        lambda: main.promote_to_main(),
        lambda: setattr(main, "comment", "x"),
    ):
        with pytest.raises(chuhe.Error, match="was removed"):
            use()
    assert main == main and main != other and len({main, other, first, first}) == 3 and repr(main) == "Node(removed)"
    # All moves go from the start, and others come.
    assert record.root.remove() == 4 and record.plies == 0 and record.root.children == []
    assert not record.root.promote() and record.root.add("h2e2").mv == "h2e2" and kept.plies == 4


@given(st.lists(st.tuples(st.sampled_from(["add", "remove", "promote", "demote", "main", "comment", "glyph"]), st.integers(0, 99))))
def test_any_edits_give_a_record_that_is_read_again(edits: list[tuple[str, int]]) -> None:
    record = next(chuhe.Records(GAME.encode()))
    for edit, number in edits:
        nodes = [node for _, node in record.walk()]
        node = nodes[number % len(nodes)]
        moves = node.board().legal_moves()
        if edit == "add" and moves:
            node.add(moves[number % len(moves)])
        elif edit == "remove" and number % 3 == 0:
            node.remove()
        elif edit == "promote":
            node.promote()
        elif edit == "demote":
            node.demote()
        elif edit == "main":
            node.promote_to_main()
            assert node == record.root or node in record.main_line()
        elif edit == "comment":
            node.comment = f"comment {number}"
        elif edit == "glyph":
            node.glyphs = [number]
    again = next(chuhe.Records(record.to_bytes(notation="wxf")[0]))
    assert again.warnings == [] and again.moves() == record.moves()
    assert [(depth, node.mv, node.comment) for depth, node in again.walk()] == [
        (depth, node.mv, node.comment) for depth, node in record.walk()
    ]


def test_what_cannot_be_done_is_an_error(tmp_path: pathlib.Path) -> None:
    record = chuhe.Record()
    for call in (
        lambda: record.save(tmp_path / "game.doc"),
        lambda: record.save(tmp_path / "game.cbr"),
        lambda: record.board(1),
        lambda: record.root.add("h2h9h1"),
        lambda: setattr(record, "result", "2-0"),
        lambda: record.root.add_glyph(256),
        lambda: setattr(record.root, "glyphs", [1, -1]),
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
