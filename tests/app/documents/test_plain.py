import random

import pytest
from make_documents import zipped
from make_encodings import LONGEST, samples

from app.data.document import Warning
from app.documents.encodings import decode
from app.documents.errors import Unreadable
from app.documents.sniff import identify

JAPANESE = "契約書の第一条には、甲と乙は以下の通り合意する。\n代金は千円とし、月末までに支払うものとする。"
SIMPLIFIED = "合同第一条规定,甲方应当向乙方支付人民币一百万元。\n本协议自双方签字之日起生效。"
TRADITIONAL = "合約第一條規定,甲方應當向乙方支付新臺幣一百萬元。\n本協議自雙方簽字之日起生效。"
KOREAN = "계약서 제1조에 따라 갑은 을에게 백만원을 지급한다.\n이 계약은 서명한 날부터 효력이 있다."
ENGLISH = "The first clause: the price is 5 dollars.\nThe second clause."


@pytest.mark.parametrize("length", [16, 1000])
@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        *[
            (JAPANESE, e)
            for e in ("shift_jis", "euc_jp", "iso2022_jp", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-16")
        ],
        *[(SIMPLIFIED, e) for e in ("gb18030", "gbk", "utf-16-le", "utf-16-be", "utf-32")],
        *[(TRADITIONAL, e) for e in ("big5", "utf-16-le")],
        *[(KOREAN, e) for e in ("euc_kr", "utf-16-be", "utf-8")],
        *[(ENGLISH, e) for e in ("ascii", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")],
    ],
)
def test_encodings_are_found_and_certain(read_bytes, words, encoding, length):
    words = (words * 40)[:length]
    content = read_bytes(words.encode(encoding), "a.txt")
    assert content.pages.text() == words
    assert content.warnings == ()


def test_of_200_texts_nearly_all_are_right_and_the_others_are_told_of():
    wrong = []
    for sample in samples():
        decoded = decode(sample.data)
        if decoded is None or decoded.text != sample.text:
            wrong.append(sample)
            assert decoded is not None
            assert not decoded.sure, f"{sample.encoding} was taken for {decoded.encoding}"
        assert 180 <= len(sample.text) <= LONGEST
    assert len(wrong) <= 4


def test_a_guess_is_named_as_one(read_bytes):
    content = read_bytes("Größere Mengen, Äpfel für 5 Taler.".encode("cp1252"), "a.txt")
    assert content.pages.text() == "Größere Mengen, Äpfel für 5 Taler."
    assert content.warnings == (Warning("uncertain_encoding", {"encoding": "cp1252"}),)


def test_damaged_characters_are_counted(read_bytes):
    content = read_bytes(b"\xef\xbb\xbfgood \xff\xfe bad", "a.txt")
    assert content.pages.text() == "good \ufffd\ufffd bad"
    assert content.warnings == (Warning("damaged_characters", {"count": "2", "encoding": "utf-8"}),)


def test_nul_bytes_and_line_ends(read_bytes):
    text = b"one\r\ntwo\rthree\x00\nfour\x0cfive" + b" six" * 50
    assert read_bytes(text, "a.txt").pages.text() == "one\ntwo\nthree\nfour\nfive" + " six" * 50


def test_very_long_lines_and_deep_json_are_text(read_bytes):
    line = "word " * 300_000
    assert read_bytes(line.encode(), "a.txt").pages.text() == line
    deep = "[" * 100_000 + "]" * 100_000
    assert read_bytes(deep.encode(), "a.json").pages.text() == deep


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7 is how such files begin", "a.txt", "pdf"),
        (b'MAGIC = b"%PDF-"\n', "a.py", "code"),
        (b"#!/bin/sh\necho", "run", "code"),
        (b"all: x", "Makefile", "code"),
        (b"# Title", "README.md", "markdown"),
        (b"<!DOCTYPE html><p>x", "page.txt", "html"),
        (b"<p>a fragment</p>", "a.html", "html"),
        (b"no marks < at all", "a.html", "text"),
        (b"<?php ?><html>", "a.php", "code"),
        (b"plain", "a", "text"),
        (b"<note>x</note>", "a.xml", "code"),
    ],
)
def test_what_a_file_is_is_seen_in_its_bytes(data, name, kind):
    assert identify(data, name, 1 << 20)[0] == kind


@pytest.mark.parametrize(
    ("data", "name", "detail"),
    [
        (b"OggS" + bytes(90), "a.txt", "OGG"),
        (b"\x7fELF" + bytes(90), "program", "ELF"),
        (b"%!PS-Adobe-3.0", "a.ps", "PostScript"),
        (b"<?xml version='1.0'?>\n<svg xmlns='x'/>", "a.svg", "SVG"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + "WordDocument".encode("utf-16-le"), "a.docx", "DOC"),
        (bytes(1000), "all.txt", ""),
        (b"BLD*" + bytes(range(64)) * 4 + b"\xff" * 20_000, "white.tif", ""),
        (random.Random(1).randbytes(4000), "noise", ""),
    ],
)
def test_other_formats_are_refused_and_never_guessed(read_bytes, data, name, detail):
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, name)
    assert (refused.value.code, refused.value.detail) == ("unknown_format", detail)


def test_other_zips_are_refused_by_name(read_bytes):
    members = [({"[Content_Types].xml": "x"}, "OOXML"), ({"META-INF/MANIFEST.MF": ""}, "JAR")]
    members += [({"mimetype": "application/vnd.oasis.opendocument.formula"}, "ODF")]
    for names, detail in members:
        with pytest.raises(Unreadable) as refused:
            read_bytes(zipped(names), "a.docx")
        assert (refused.value.code, refused.value.detail) == ("unknown_format", detail)


def test_an_empty_file_is_refused(read_bytes):
    with pytest.raises(Unreadable, match="empty"):
        read_bytes(b"", "a.txt")


def test_markdown_sections(read_bytes, labelled):
    text = """intro

# One #
words
```sh
# no heading
```
Two
===
- a
---
####### seven
## Three
"""
    content = read_bytes(text.encode(), "a.md")
    assert labelled(content) == [
        ("a.md", "intro"),
        ("One", "# One #\nwords\n```sh\n# no heading\n```"),
        ("Two", "Two\n===\n- a\n---\n####### seven"),
        ("Three", "## Three"),
    ]
    read = content.pages.text()
    found = [(heading.level, heading.title, read[heading.start :].split("\n")[0]) for heading in content.pages.headings]
    assert found == [(1, "One", "# One #"), (1, "Two", "Two"), (2, "Three", "## Three")]
    assert [h.level for h in read_bytes(b"a\n-\n\n###### b", "a.md").pages.headings] == [2, 6]


def test_no_bytes_at_all_break_the_decoder():
    chance = random.Random(2)
    for _ in range(300):
        data = chance.randbytes(chance.randint(1, 60))
        decoded = decode(data)
        assert decoded is None or isinstance(decoded.text, str)
