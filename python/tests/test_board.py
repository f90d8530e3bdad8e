"""Positions, moves and notations, compared with other programs and with themselves."""

import _thread
import copy
import pickle
import random
import threading

import chuhe
import pytest
from conftest import random_boards
from hypothesis import given
from hypothesis import strategies as st


def test_a_game_from_the_start() -> None:
    board = chuhe.Board()
    assert board.fen() == chuhe.START_FEN
    assert len(board.legal_moves()) == board.count_legal_moves() == 44
    assert board.push_text("炮二平五") == "h2e2"
    assert board.turn == "black" and board.moves == ["h2e2"] and board.peek() == "h2e2"
    assert board.write("h9g7", "wxr") == "H8+7"
    assert board.line("wxr") == ["C2=5"]
    assert chuhe.Board(moves=["C2=5", "H8+7"]).ply == 2
    assert board.opening() is not None
    assert board.pop() == "h2e2"
    assert board == chuhe.Board()
    with pytest.raises(IndexError):
        board.pop()
    assert board.perft(3) == 79666
    with pytest.raises(chuhe.Error, match="expected 0 to 12"):
        board.perft(-1)


def test_2000_positions_have_the_legal_moves_and_the_fen_of_pyffish() -> None:
    pyffish = pytest.importorskip("pyffish")

    chance = random.Random(1)
    for board in random_boards(7, 2000):
        fen = board.fen()
        expected = {board.parse(move, "uci10") for move in pyffish.legal_moves("xiangqi", fen, [])}
        assert set(board.legal_moves()) == expected, fen
        if not expected:
            continue
        move = chance.choice(sorted(expected))
        after = board.copy()
        after.push(move)
        written = board.write(move, "uci10")
        other = pyffish.get_fen("xiangqi", fen, [written]).split()
        own = after.fen().split()
        # Pieces, side to move and move number; the counter of the natural limit follows different rules.
        assert (own[0], own[1], own[5]) == (other[0], other[1], other[5]), (fen, move)


def test_500_moves_are_written_as_cchess_writes_them() -> None:
    cchess = pytest.importorskip("cchess")
    chance = random.Random(3)
    compared = 0
    for board in random_boards(11, 500):
        moves = board.legal_moves()
        if not moves:
            continue
        move = chance.choice(moves)
        theirs = cchess.ChessBoard(" ".join(board.fen().split()[:2]))
        made = theirs.move_iccs(move)
        text = made.to_text()
        assert board.parse(text, "chinese-simplified") == move, (board.fen(), move, text)
        compared += 1
    assert compared > 450


def test_uci_moves_are_never_read_as_another_notation() -> None:
    # With ranks counted from 1, `g4f4` is a pawn move here, too.
    for board in random_boards(21, 200):
        record = chuhe.Record(board.fen())
        for move in board.legal_moves():
            assert board.parse(move) == move and record.root.add(move).mv == move
            assert chuhe.Board(board.fen(), [move]).peek() == move


@pytest.mark.parametrize("system", chuhe.SYSTEMS)
def test_every_system_reads_what_it_writes(system: str) -> None:
    for board in random_boards(5, 12):
        texts = {move: board.write(move, system) for move in board.legal_moves()}
        # Some historical notations write several moves alike.
        for move, text in texts.items():
            if list(texts.values()).count(text) == 1:
                assert board.parse(text, system) == move


def test_boards_are_copied_and_pickled_with_their_history() -> None:
    board = chuhe.Board(moves=["h2e2", "h9g7", "h0g2"])
    for again in (copy.copy(board), copy.deepcopy(board), board.copy(), pickle.loads(pickle.dumps(board))):
        assert again == board and again.moves == board.moves and again.fen() == board.fen()
        again.pop()
        assert again != board and board.ply == 3
    assert board != "a board"
    assert board.root().fen() == chuhe.START_FEN


def test_composed_diagrams_are_pickled_and_not_searched() -> None:
    # A pawn on its own back rank.
    board = chuhe.Record("3k5/9/9/9/9/9/9/9/9/P3K4 w").board()
    board.push("e0e1")
    again = pickle.loads(pickle.dumps(board))
    assert again == board and again.moves == ["e0e1"] and chuhe.Board(board.fen()) == board
    with pytest.raises(chuhe.Error, match="pawn cannot stand here"):
        chuhe.Engine().analyse(board, depth=1)
    with pytest.raises(chuhe.Error, match="pawn cannot stand here"):
        chuhe.Engine().review(chuhe.Record(board.fen()), depth=1)


def test_counting_leaves_can_be_interrupted() -> None:
    fen = "3k5/9/9/9/9/9/9/9/9/4K4 w"
    board = chuhe.Board(fen)
    assert board.perft(6) == sum(chuhe.Board(fen, [move]).perft(5) for move in board.legal_moves())
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        chuhe.Board().perft(12)


def test_a_perpetual_check_is_adjudicated_with_reasons() -> None:
    board = chuhe.Board("5k3/7R1/9/9/9/9/9/9/9/4K4 w")
    for move in 2 * ["h8h9", "f9f8", "h9h8", "f8f9"]:
        assert not board.is_over()
        board.push(move)
    ruling = board.ruling()
    assert (ruling.verdict, ruling.cause, ruling.fold) == ("red-loses", "repetition", 3)
    assert ruling.summary().startswith("Red loses: rule: perpetual check loses")
    assert ruling.reasons("zh") and ruling.loop_moves[0] == "h8h9" and board.is_over()
    assert chuhe.Board().ruling().verdict == "undecided"


def test_drawings_for_notebooks() -> None:
    board = chuhe.Board(moves=["h2e2"])
    assert board._repr_svg_().startswith("<svg ")
    assert board.svg(arrows=[("h9g7", "better")], style="letters", flipped=True, edges="points") != board._repr_svg_()
    for wrong in ({"style": "x"}, {"edges": "x"}, {"arrows": [("h9g7", "x")]}, {"arrows": [("x", "better")]}):
        with pytest.raises(chuhe.Error):
            board.svg(**wrong)


def test_pieces_and_views() -> None:
    board = chuhe.Board()
    assert board.piece_at("e0") == "K" and board.piece_at("e9") == "k" and board.piece_at("e5") is None
    assert len(board.pieces()) == 32
    assert board.mirrored() == board and board.color_flipped().turn == "black"
    assert not board.is_check() and not board.is_capture("h2e2") and board.is_capture("b2b9")
    assert str(board).splitlines()[9] == "R N B A K A B N R"
    assert repr(board) == f"Board('{chuhe.START_FEN}')"


@given(st.text(), st.text(), st.sampled_from([*chuhe.SYSTEMS, "auto", "x"]))
def test_any_text_gives_an_answer_or_an_error(text: str, other: str, system: str) -> None:
    board = chuhe.Board()
    board.is_legal(text)
    for call in (
        lambda: chuhe.Board(text),
        lambda: chuhe.Board(moves=[text, other], system=system),
        lambda: board.push(text),
        lambda: board.parse(text, system),
        lambda: board.push_text(text, system),
        lambda: board.write(text, system),
        lambda: board.piece_at(text),
        lambda: board.ruling(text),
        lambda: chuhe.evaluate([text]),
        lambda: chuhe.Record(text),
        lambda: list(chuhe.Records(text.encode(), other or None)),
        lambda: list(chuhe.Records(text.encode())),
    ):
        try:
            call()
        except chuhe.Error as error:
            assert "\n" not in str(error)


@given(st.binary(), st.sampled_from([None, *chuhe.FORMATS]))
def test_any_bytes_give_records_or_an_error(data: bytes, format: str | None) -> None:
    try:
        for record in chuhe.Records(data, format):
            record.moves()
            record.to_bytes()
    except chuhe.Error:
        pass


@given(st.lists(st.integers(0, 200), max_size=80))
def test_playing_and_taking_back(choices: list[int]) -> None:
    board = chuhe.Board()
    fens = [board.fen()]
    for choice in choices:
        moves = board.legal_moves()
        if not moves:
            break
        board.push(moves[choice % len(moves)])
        fens.append(board.fen())
    assert chuhe.Board(moves=board.moves).fen() == fens[-1]
    while board.ply:
        assert board.fen() == fens.pop()
        board.pop()
    assert board.fen() == fens.pop()
