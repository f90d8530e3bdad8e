"""The examples of the documents, and the notebook."""

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


def test_the_notebook(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    for number, moves in enumerate((["炮二平五", "馬8進7", "馬二進三"], ["炮二平五", "炮2進7", "馬二進三"])):
        record = chuhe.Record()
        node = record.root
        for text in moves:
            node = node.add(text)
        record.set_tag("Red", "A")
        record.set_tag("Black", "BC"[number])
        record.save(tmp_path / f"{number}.xqf")
    (tmp_path / "broken.xqf").write_bytes(b"XQ\x0a but no game")
    notebook = json.loads((ROOT / "docs/src/users/accuracy.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    monkeypatch.setenv("XQF_FOLDER", str(tmp_path))
    monkeypatch.setenv("XQF_NODES", "1000")
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    table = names["players"]
    assert list(table.index)[0] in "ABC" and len(table) == 3
