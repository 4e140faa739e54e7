"""Notebooks: words, code and what it said, cell by cell; never the pictures, and never a parser for what has no end."""

import pytest
from make_notebook import notebook, old_notebook

from app.data.document import Heading, LeftOut
from app.documents.errors import Unreadable
from app.documents.nesting import depth


def test_cells_of_version_4(read_bytes, labelled):
    content = read_bytes(notebook(), "rent.ipynb")
    assert (content.kind, content.unit) == ("notebook", "cell")
    assert labelled(content) == [
        ("1", "# Rent\n\nSee ![x](attachment:x.png).\n## Data"),
        ("2", "In [1]:\nimport numpy as np\nnp.arange(3)\n\nOut[1]:\narray([0, 1, 2])"),
        ("3", "In [2]:\nplot()\n\none\ntwo\n\n\n<Figure size 1x1>"),
        ("4", "In [3]:\n1/0\n\nZeroDivisionError: division by zero"),
        ("6", "raw words"),
        ("7", "![y](data:…) after"),
    ]
    assert [span.index for span in content.pages.spans] == [0, 1, 2, 3, 5, 6]
    assert content.left_out == (LeftOut("1", "picture"), LeftOut("3", "picture"), LeftOut("7", "picture"))
    assert content.pages.headings == [Heading(0, 1, "Rent"), Heading(36, 2, "Data")]


def test_cells_of_version_3(read_bytes, labelled):
    content = read_bytes(old_notebook(), "rent.ipynb")
    assert labelled(content) == [
        ("1", "## Rent"),
        ("2", "Words."),
        ("3", "In [7]:\n1 + 1\n\nOut[7]:\n2\n\nsaid\n\n\n<Figure>\n\nE: v"),
    ]
    assert content.left_out == (LeftOut("3", "picture"),)
    assert content.pages.headings == [Heading(0, 2, "Rent")]


def test_it_is_known_by_what_it_holds(read_bytes):
    assert read_bytes(notebook(), "anything.txt").kind == "notebook"
    assert read_bytes(b'{"cells": [1, 2]}', "a.txt").kind == "text"
    assert read_bytes(notebook(), "a.json").kind == "code"


@pytest.mark.parametrize(
    "metadata",
    ["[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000, "[" * 101 + "]" * 101],
    ids=["lists", "objects", "just too deep"],
)
def test_json_without_end_is_not_parsed(read_bytes, monkeypatch, metadata):
    monkeypatch.setattr("app.documents.notebook.json.loads", lambda *args, **named: pytest.fail("it was parsed"))
    with pytest.raises(Unreadable, match="damaged"):
        read_bytes(notebook(metadata), "a.ipynb")


def test_nor_is_a_plain_text_of_it(read_bytes):
    deep = "[" * 100_000
    assert read_bytes(deep.encode(), "a.json").pages.text() == deep


def test_levels_are_counted_without_what_stands_in_strings():
    assert depth('{"a": ["]]]", "\\"[[["], "b": {}}', 9) == 2
    assert depth("[[[[", 2) == 3
    assert depth('"[[[', 9) == 3  # a string without an end is none
    assert depth('"' + "\\" * 1001, 9) == 0


@pytest.mark.parametrize(
    "data",
    [
        b'{"cells": [}, "nbformat": 4}',
        b'{"cells": {"a": 1}, "nbformat": 4}',
        b'{"cells": [1, null, {"source": 5, "outputs": [7, {"data": 1}]}], "nbformat": 4}',
        b'{"cells": [{"cell_type": "heading", "level": {}, "source": []}], "nbformat": 4}',
        b'{"cells": [], "nbformat": 4, "n": 1' + b"0" * 100_000 + b"}",
    ],
)
def test_other_things_in_its_form(read_bytes, data):
    if data.startswith(b'{"cells": [}'):
        with pytest.raises(Unreadable, match="damaged"):
            read_bytes(data, "a.ipynb")
    else:
        assert read_bytes(data, "a.ipynb").pages.text() in ("", "5")
