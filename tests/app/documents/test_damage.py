"""Whatever is done to a file, it is read or refused: nothing else is raised."""

import contextlib
import io
import random
import zipfile

import make_office
import pytest
from make_documents import docx, epub, paragraph, pdf, xhtml, zipped
from make_ole2 import xls

from app.documents.errors import Unreadable
from app.documents.messages import GENEROUS, Options
from app.documents.reading import read
from app.documents.source import Source
from app.documents.worker import longest_path

WAYS = ("final", "original", "marked")
PIECES = [b"</w:", b"0 R ", b"-999", b"<!--", b"<![C", b"\xff\xfe\x00", b"&x;"]
WHOLE = {
    "docx": docx(
        paragraph("a", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
        + f"<w:tbl><w:tr><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>",
        {
            "numbering": '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:lvlText w:val="%1."/></w:lvl>'
            '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>',
            "styles": '<w:style w:styleId="A"><w:basedOn w:val="A"/></w:style>',
        },
    ),
    "pptx": make_office.pptx(),
    "xlsx": make_office.xlsx(),
    "xls": xls(),
    "odt": make_office.odt(),
    "odp": make_office.odp(),
    "ods": make_office.ods(),
    "rtf": make_office.rtf(),
    "epub": epub({"a.xhtml": xhtml("<h1>x</h1><ul><li>a<ol><li>b</ol></ul><table><tr><td>1<td>2</table><pre>x</pre>")}),
    "pdf": pdf([["one", "two"], ["three"]], labels=[(0, "ROMAN_LOWER", 1)]),
    "html": b"<html><ul><li>a<ol start=3><li>b</ol></ul><table><tr><td>1<tr><th><table><td>x</table></table><ruby>a<rt",
}


def harmed(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        if not out:
            break
        place = chance.randrange(len(out))
        match chance.randrange(4):
            case 0:
                out[place] = chance.randrange(256)
            case 1:
                del out[place : place + chance.randint(1, 20)]
            case 2:
                start = chance.randrange(len(out))
                out[place:place] = out[start : start + 30]
            case _:
                out[place : place + 4] = chance.choice(PIECES)
    return bytes(out)


def harmed_inside(data: bytes, chance: random.Random) -> bytes:
    """A sound zip with one harmed member."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(list(members))
    members[name] = harmed(archive.read(name), chance)
    return zipped(members)


@pytest.mark.parametrize("kind", WHOLE)
def test_harm(kind):
    chance = random.Random(kind)
    for turn in range(150):
        inside = WHOLE[kind].startswith(b"PK") and turn % 2
        data = harmed_inside(WHOLE[kind], chance) if inside else harmed(WHOLE[kind], chance)
        with contextlib.suppress(Unreadable):
            read(Source(data, f"a.{kind}", GENEROUS, lambda done, total: None, Options(changes=chance.choice(WAYS))))


def test_long_paths_on_windows():
    assert longest_path("C:\\a", windows=True) == "\\\\?\\C:\\a"
    assert longest_path("\\\\server\\share\\a", windows=True) == "\\\\?\\UNC\\server\\share\\a"
    assert longest_path("\\\\?\\C:\\a", windows=True) == "\\\\?\\C:\\a"
    assert longest_path("/a", windows=False) == "/a"
