"""Records and books."""

import copy
import errno
import multiprocessing
import os
import pathlib
import pickle
import threading
from collections.abc import Callable

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
    # Edit a move, a comment, an annotation, a tag and the result.
    last = record.main_line()[-1].add("车一平二")
    assert last.mv == "i0h0" and record.board() == last.board() and record.board(0) == chuhe.Board()
    last.add_comment("out")
    last.add_glyph(1)
    record.set_tag("Event", "test")
    record.result = "1/2-1/2"
    assert last.comment == "out" and last.glyphs == [1] and ("Event", "test") in record.tags
    for format in ("pgn", "xqf", "cbr", "cbl", "cbf", "ubb", "wxf", "txq", "fen"):
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


def test_moves_are_removed_and_variations_reordered() -> None:
    record = next(chuhe.Records(GAME.encode()))
    first = record.root.next
    assert first is not None
    main, other = first.children
    kept = record.copy()
    assert kept == record and copy.deepcopy(record) == record != "a record"
    # The other horse move becomes the main line, and is demoted again.
    assert other.promote() and not other.promote()
    assert record.moves() == ["h2e2", "b9c7"] and first.children == [other, main] and kept != record
    assert main.promote() and other.promote() and other.demote() and not other.demote()
    assert record == kept
    # Promoting a move deep in a variation promotes its entire line.
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
    # A removed node can be neither read nor changed.
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
    # All moves are removed from the start, and others can be added.
    assert record.root.remove() == 4 and record.plies == 0 and record.root.children == []
    assert not record.root.promote() and record.root.add("h2e2").mv == "h2e2" and kept.plies == 4


@given(st.lists(st.tuples(st.sampled_from(["add", "remove", "promote", "demote", "main", "comment", "glyph"]), st.integers(0, 99))))
def test_records_can_be_read_back_after_any_edits(edits: list[tuple[str, int]]) -> None:
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


def test_invalid_operations_raise(tmp_path: pathlib.Path) -> None:
    record = chuhe.Record()
    for call in (
        lambda: record.save(tmp_path / "game.doc"),
        lambda: record.save(tmp_path / "game.che"),
        lambda: record.board(1),
        lambda: record.board(-1),
        lambda: record.root.add("h2h9h1"),
        lambda: setattr(record, "result", "2-0"),
        lambda: record.set_tag("result", "1-0"),
        lambda: record.set_tag("FEN", chuhe.START_FEN),
        lambda: record.root.add_glyph(256),
        lambda: setattr(record.root, "glyphs", [1, -1]),
        lambda: record.to_bytes("xyz"),
        lambda: record.to_bytes("pgn", notation="poem"),
        lambda: chuhe.Node(record, 1),
        lambda: record.__setstate__(("2-0", [], [], [])),
        lambda: record.__setstate__(("*", [], [(2, "h2e2", "", [])], [])),
        lambda: record.__setstate__(("*", [], [(0, None, "", []), (1, "h2", "", [])], [])),
    ):
        with pytest.raises(chuhe.Error):
            call()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("opener", [chuhe.Records, chuhe.Book, chuhe.Network])
def test_files_that_cannot_be_opened_raise_as_open_does(opener: Callable[[pathlib.Path], object], tmp_path: pathlib.Path) -> None:
    def fails(path: pathlib.Path, kind: type[OSError], number: int) -> None:
        with pytest.raises(kind) as caught:
            opener(path)
        assert (caught.value.errno, caught.value.filename) == (number, str(path)) and "(os error" not in str(caught.value)

    fails(tmp_path / "missing.pgn", FileNotFoundError, errno.ENOENT)
    fails(tmp_path, IsADirectoryError, errno.EISDIR)
    (tmp_path / "file").write_text("no such thing")
    if os.name == "posix":
        fails(tmp_path / "file" / "game.pgn", NotADirectoryError, errno.ENOTDIR)
    # An existing file with invalid contents is not a system error.
    with pytest.raises(chuhe.Error):
        opener(tmp_path / "file")
    if os.name == "posix" and os.geteuid() != 0:
        (tmp_path / "file").chmod(0)
        fails(tmp_path / "file", PermissionError, errno.EACCES)


def test_a_record_with_an_empty_board_has_no_moves() -> None:
    record = next(chuhe.Records(b'[FEN "9/9/9/9/9/9/9/9/9/9 w"]\n\n{chapter 2} *\n'))
    assert record.moves() == [] and record.plies == 0
    with pytest.raises(chuhe.Error, match="unknown notation"):
        record.moves("x")


def test_files_that_cannot_be_written_raise_as_open_does(tmp_path: pathlib.Path) -> None:
    record = chuhe.Record()
    with pytest.raises(FileNotFoundError) as missing:
        record.save(tmp_path / "no folder" / "game.pgn")
    assert missing.value.filename == str(tmp_path / "no folder" / "game.pgn") and missing.value.errno == errno.ENOENT
    record.save(tmp_path / "game.pgn")
    (tmp_path / "other").write_text("")
    assert (tmp_path / "game.pgn").stat().st_mode == (tmp_path / "other").stat().st_mode
    with pytest.raises(FileExistsError, match="overwrite") as exists:
        record.save(tmp_path / "game.pgn")
    assert exists.value.filename == str(tmp_path / "game.pgn") and exists.value.errno == errno.EEXIST


@pytest.mark.skipif(os.name == "nt", reason="links and permissions of Unix")
def test_links_and_permissions_are_kept(tmp_path: pathlib.Path) -> None:
    record, path, link = chuhe.Record(), tmp_path / "game.pgn", tmp_path / "link.pgn"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    with pytest.raises(FileExistsError):
        record.save(link)
    record.save(link, overwrite=True)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640 and path.read_bytes() == record.to_bytes()[0]
    assert record.save(pathlib.Path("/dev/null"), "pgn") == "" and not pathlib.Path("/dev/null").is_file()


def same(again: chuhe.Record, record: chuhe.Record) -> bool:
    """Whether two records are identical, including their warnings."""
    nodes = [[(depth, node.mv, node.comment, node.glyphs) for depth, node in one.walk()] for one in (again, record)]
    return again == record and again.warnings == record.warnings and nodes[0] == nodes[1] and again.fen == record.fen


def plies_and_comment(node: chuhe.Node) -> tuple[int, str]:
    """Reads a node in another process."""
    return node.record.plies, node.comment


def test_records_and_nodes_are_pickled_with_everything() -> None:
    record = next(chuhe.Records(GAME.encode()))
    other = record.root.children[0].children[1]
    other.add("h0g2").glyphs = [1, 18]
    record.root.comment = "two\nlines"
    record.set_tag("Site", "")
    again, node = pickle.loads(pickle.dumps((record, other)))
    assert same(again, record) and node.record is again and node.mv == "b9c7" and node.comment == "the other horse"
    assert node.parent == again.root.next and again.root.comment == "two\nlines"
    assert copy.copy(other) == other and copy.deepcopy(other) != other and copy.deepcopy(other).mv == other.mv
    again.root.next.remove()
    assert record.plies == 4
    with pytest.raises(chuhe.Error, match="removed"):
        pickle.dumps(node)
    # Another start position, and warnings about an illegal move.
    fen = "4k4/9/9/9/9/9/9/9/9/3K5 b - - 7 31"
    broken = next(chuhe.Records(f'[FEN "{fen}"]\n[Remark "a"]\n[Remark "b"]\n\n31... E9-E8 32. E9-A9 *\n'.encode()))
    assert broken.warnings and broken.fen == fen and same(pickle.loads(pickle.dumps(broken)), broken)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(plies_and_comment, [other]) == [(4, "the other horse")]


def test_records_and_nodes_are_iterated() -> None:
    record = next(chuhe.Records(GAME.encode()))
    assert [node.mv for node in record] == record.moves() == [node.mv for node in record.root]
    first = next(iter(record))
    assert [node.text("wxr") for node in first] == ["H8+7", "H2+3", "R9=8"] and list(first.children[1]) == []
    # The record may be changed during the iteration.
    assert len([node.remove() for node in record if not node.is_removed]) == 1
    assert list(record) == [] and [depth for depth, _ in record.walk()] == [0]


def test_a_record_is_used_by_many_threads() -> None:
    record = next(chuhe.Records(GAME.encode()))
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(200):
                node = record.root.add("a3a4" if number % 2 else "c3c4")
                node.comment = f"{number} {step}"
                record.set_tag(f"T{number}", str(step))
                assert len(record.walk()) >= 7 and [node.mv for node in record][0] == "h2e2"
                assert pickle.loads(pickle.dumps(node)).mv == node.mv
                if step % 50 == 0:
                    node.board().perft(2)
        except BaseException as fault:  # A panic is not an Exception.
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    # The last reference may be dropped in any thread.
    holder = [next(chuhe.Records(GAME.encode())).root]
    thread = threading.Thread(target=holder.clear)
    thread.start()
    thread.join()


def test_the_built_in_book() -> None:
    book = chuhe.Book()
    moves = book.moves(chuhe.Board())
    assert moves[0][1] >= moves[-1][1] > 0
    assert book.choose(chuhe.Board()) == moves[0][0]
    assert book.choose(chuhe.Board(), draw=12345) in dict(moves)
    assert book.moves(chuhe.Board("4k4/9/9/9/9/9/9/9/9/3K5 w")) == []
