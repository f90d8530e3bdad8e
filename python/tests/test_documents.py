"""The examples in the documentation, and the notebook."""

import doctest
import json
import os
import pathlib
from typing import Any

import chuhe
import pytest

ROOT = pathlib.Path(os.environ.get("CHUHE_ROOT", pathlib.Path(__file__).resolve().parents[2]))


@pytest.mark.parametrize("page", ["python/README.md", "docs/src/users/python.md"])
def test_the_examples_of_a_page(page: str) -> None:
    failed, run = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert (failed, run > 3) == (0, True)


def test_the_examples_of_the_module() -> None:
    assert doctest.testmod(chuhe).failed == 0


NOTEBOOK = ROOT / "docs/src/users/accuracy.ipynb"


def run_notebook(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> dict[str, Any]:
    """Runs the cells of the notebook on a folder and returns the variables."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    monkeypatch.setenv("GAMES_FOLDER", str(folder))
    monkeypatch.setenv("GAMES_NODES", "1000")
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    return names


def test_the_notebook(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    players = [("A", "B"), ("A", "C"), ("", ""), ("", "")]
    for number, (red, black) in enumerate(players):
        record = chuhe.Record()
        node = record.root
        for text in ["炮二平五", "炮2進7", "馬二進三"] if number else ["炮二平五", "馬8進7", "馬二進三"]:
            node = node.add(text)
        record.set_tag("Red", red)
        record.set_tag("Black", black)
        (tmp_path / f"{number}.{'XQF' if number % 2 else 'xqf'}").write_bytes(record.to_bytes("xqf")[0])
    (tmp_path / "broken.xqf").write_bytes(b"XQ\x0a but no game")
    table = run_notebook(monkeypatch, tmp_path)["players"]
    assert {"A", "B", "C"} < set(table.index) and len(table) == 7 and table["games"]["A"] == 2
    printed = capsys.readouterr().out
    assert "broken.xqf: " in printed and "4 games from 5 files" in printed


def test_the_notebook_without_games(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    names = run_notebook(monkeypatch, tmp_path)
    assert len(names["players"]) == 0 and f"{tmp_path}: no games found; expected files that end in" in capsys.readouterr().out


def test_the_notebook_is_stored_with_its_outputs() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    text = json.dumps(outputs, ensure_ascii=False)
    assert "<svg" in text and "炮二平五" in text
    # The last table lists the players of docs/examples, and no output contains a path of the author's machine.
    last = "".join(cells[-1]["outputs"][0]["data"]["text/plain"])
    assert {"Lin", "Mo"} < set(last.split()) and "Red of game 1" in last and str(pathlib.Path.home()) not in text
