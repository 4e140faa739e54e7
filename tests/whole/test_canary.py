"""A number that stands on the second page of a document of each format, all the way: through the document process and
the library into the model, which reports what it read token by token, and back to its page."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from make_archives import gzipped, tar
from make_documents import docx, drawn, epub, paragraph, pdf, xhtml, zipped
from make_mail import eml, msg
from make_notebook import code
from make_office import RTF_HEAD, Sheet, Slide, box, odp, ods, odt, open_table, page, pptx, row, rtf, shape, xlsx
from make_ole2 import xls

from app.data.document import Item
from app.services.database import Database
from app.services.library import Library
from app.services.places import Places, place_of
from app.services.turns import prompt
from engine.client import Engine, new_id
from engine.protocol import Conversation, Done, ModelSettings, Place, Read, ReadingSettings
from engine.tokenizer import Tokenizer
from engine.weights import tokenizer_files

FACT = "The key hangs behind the clock and bears the number {}."
HEADING = '<w:pStyle w:val="H1"/>'
STYLES = {"styles": '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'}


class Canary(NamedTuple):
    make: Callable[[str], bytes | dict[str, bytes]]
    """The file's bytes, or a folder's files, with a sentence in it."""
    label: str
    unit: str
    file: str = ""


def two_pages(fact: str) -> bytes:
    return pdf([["A first page."], [fact]], labels=[(0, "ROMAN_LOWER", 1), (1, "ARABIC", 1)])


def two_pictures(fact: str) -> bytes:
    out = io.BytesIO()
    pages = [drawn((1_000, 200), [words]) for words in ("A first page of words.", fact)]
    pages[0].save(out, "TIFF", save_all=True, append_images=pages[1:])
    return out.getvalue()


CANARIES = {
    "a.pdf": Canary(two_pages, "1", "page"),
    "a.docx": Canary(
        lambda fact: docx(
            "".join(paragraph(*p) for p in (("One", HEADING), ("x",), ("Keys", HEADING), (fact,))), STYLES
        ),
        "Keys",
        "section",
    ),
    "a.pptx": Canary(lambda fact: pptx([Slide(shape("One")), Slide(shape(fact))]), "2", "slide"),
    "a.xlsx": Canary(lambda fact: xlsx([Sheet("One", row(1, "x")), Sheet("Keys", row(1, fact))]), "Keys", "sheet"),
    "a.odt": Canary(
        lambda fact: odt(f"<text:h>One</text:h><text:p>x</text:p><text:h>Keys</text:h><text:p>{fact}</text:p>"),
        "Keys",
        "section",
    ),
    "a.rtf": Canary(
        lambda fact: rtf(rf"\pard\s1 One\par\pard\s0 x\par\pard\s1 Keys\par\pard\s0 {fact}\par", RTF_HEAD),
        "Keys",
        "section",
    ),
    "a.epub": Canary(
        lambda fact: epub({"a": xhtml("<h1>One</h1><p>x</p>"), "b": xhtml(f"<h1>Keys</h1><p>{fact}</p>")}),
        "Keys",
        "section",
    ),
    "a.html": Canary(lambda fact: f"<html><h1>One</h1>x<h1>Keys</h1><p>{fact}".encode(), "Keys", "section"),
    "a.eml": Canary(lambda fact: eml("See below.", [("b.pdf", two_pages(fact))]), "1", "page", "b.pdf"),
    "a.zip": Canary(lambda fact: zipped({"a.txt": "x", "in/b.pdf": two_pages(fact)}), "1", "page", "in/b.pdf"),
    "a.txt": Canary(lambda fact: f"合同第一条。\n{fact}".encode("utf-16"), "a.txt", "section"),
    "b.tif": Canary(two_pictures, "2", "page"),
    "b.xls": Canary(lambda fact: xls({(0, 0): "x", (1, 0): fact}), "Old", "sheet"),
    "b.ods": Canary(lambda fact: ods(open_table(("x",)) + open_table((fact,), name="Keys")), "Keys", "sheet"),
    "b.csv": Canary(lambda fact: f"One,Two\nx,{fact}\n".encode(), "b.csv", "sheet"),
    "b.odp": Canary(lambda fact: odp(page(box("One")) + page(box(fact))), "2", "slide"),
    "b.md": Canary(lambda fact: f"# One\nx\n# Keys\n{fact}".encode(), "Keys", "section"),
    "b.py": Canary(lambda fact: f"# {fact}\nkey = 1\n".encode(), "b.py", "file"),
    "b.msg": Canary(lambda fact: msg(attachments=[("c.pdf", two_pages(fact))]), "1", "page", "c.pdf"),
    "b.ipynb": Canary(
        lambda fact: json.dumps(
            {"cells": [code(1, "1", []), code(2, f"# {fact}", [])], "metadata": {}, "nbformat": 4}
        ).encode(),
        "2",
        "cell",
    ),
    "b.tar.gz": Canary(
        lambda fact: gzipped(tar([("x.txt", b"x"), ("in/keys.txt", fact.encode())])), "in/keys.txt", "file"
    ),
    "b": Canary(lambda fact: {"x.txt": b"x", "in/b.pdf": two_pages(fact)}, "1", "page", "in/b.pdf"),
}
"""By the name of the file."""
NAMES = [pytest.param([name for name in CANARIES if name.startswith("a.")], id="the common formats")]
NAMES.append(
    pytest.param([name for name in CANARIES if not name.startswith("a.")], id="others", marks=pytest.mark.full)
)


@pytest.mark.parametrize("names", NAMES)
async def test_a_number_reaches_the_model_and_comes_back_with_its_page(home_with_model, small_model, tmp_path, names):
    tokenizer = Tokenizer(tokenizer_files.read(small_model, home_with_model / "tokenizers"))
    library = Library(Database(home_with_model / "longread.db"), home_with_model / "texts")
    engine = Engine(data=home_with_model)
    await engine.start()
    try:
        await engine.load(ModelSettings(str(small_model), threads=1, window=2_048))
        for number, name in enumerate(names, start=7_301):
            fact = FACT.format(number)
            item = await library.add(write(tmp_path / name, CANARIES[name].make(fact)))
            assert isinstance(item, Item), item
            await check(engine, library, tokenizer, item, fact, CANARIES[name])
    finally:
        await engine.stop()


def write(path: Path, made: bytes | dict[str, bytes]) -> Path:
    for name, data in made.items() if isinstance(made, dict) else (("", made),):
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


async def check(engine: Engine, library: Library, tokenizer: Tokenizer, item: Item, fact: str, canary: Canary) -> None:
    text = Path(item.path).read_text("utf-8")
    start = text.index(fact.split(" ")[-1])  # the number alone: lines may break before it
    end = start + 4
    asked = prompt((), (item.id,), library.get, library.spans)
    done = await engine.send(
        Read(new_id(), Conversation(asked.turns, "2026-01-01"), ReadingSettings(save=False), True)
    ).ending()
    assert isinstance(done, Done), done
    assert done.usage.unread == 0
    assert len(done.ids) == done.usage.prompt
    # The whole text was read, and the number's tokens are where its characters stand
    whole, places = tokenizer.encode_placed(text)
    at = runs(done.ids, whole.tolist())
    assert len(at) == 1, item.name
    own = [id for id, place in zip(whole.tolist(), places.tolist(), strict=True) if start <= place < end]
    assert len(own) == 4
    first = at[0] + places.tolist().index(start)
    assert list(done.ids[first : first + 4]) == own
    told = Places(asked.items, library.spans, library.headings).of(Place(0, start, end))
    assert (told.first_label, told.last_label, told.unit, told.file) == (
        canary.label,
        canary.label,
        canary.unit,
        canary.file,
    ), item.name
    quoted = place_of(item, library.spans(item.id), library.headings(item.id), start, end)
    assert (quoted.label, quoted.unit, quoted.file) == (canary.label, canary.unit, canary.file)


def runs(ids: tuple[int, ...], part: list[int]) -> list[int]:
    """Where the part stands in it."""
    return [place for place in range(len(ids) - len(part) + 1) if list(ids[place : place + len(part)]) == part]
