"""Each kind of file that people reported other programs to stumble over: what it says is read, and what does not is
named by a sentence."""

import os
from pathlib import Path

import pytest
from make_nasty import NASTY
from nasty import Nasty

from app import document_words, words
from app.data.document import Extracted, LeftOut, Refused, Warning
from app.documents import folder
from app.documents.errors import Unreadable
from app.documents.run import extract
from app.documents.source import Allowance, Inside


def cases(chosen):
    return [pytest.param(one, id=one.what) for one in chosen]


def test_there_are_enough_of_them_and_each_says_something():
    assert len(NASTY) >= 60
    assert len({one.what for one in NASTY}) == len(NASTY)
    assert all(one.says or one.refused or one.left or one.warned or one.left is None for one in NASTY)


@pytest.mark.parametrize("nasty", cases(NASTY))
def test_what_it_comes_to(read_bytes, tmp_path, nasty):
    made = nasty.make()
    try:
        if isinstance(made, bytes):
            content = read_bytes(made, nasty.name, nasty.limits, nasty.options)
        else:
            inside = Inside(Allowance(nasty.limits), lambda done, total, path: None)
            content = folder.read(str(written(tmp_path, nasty)), nasty.limits, nasty.options, inside)
    except Unreadable as reason:
        check_refusal(nasty, reason.code, reason.detail)
        return
    check(nasty, content.pages.text(), content.pages.spans, content.warnings, content.left_out)


@pytest.mark.parametrize("nasty", cases(one for one in NASTY if one.real))
async def test_what_it_comes_to_in_its_own_process(tmp_path, nasty):
    came = await extract(written(tmp_path, nasty), limits=nasty.limits, options=nasty.options)
    if isinstance(came, Refused):
        assert came.name == nasty.name
        check_refusal(nasty, came.code, came.detail)
    else:
        assert isinstance(came, Extracted)
        check(nasty, came.text, came.spans, came.warnings, came.left_out)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there that people do not have")
async def test_links_that_go_round_in_a_folder(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"once")
    (tmp_path / "in" / "round").symlink_to("..")
    (tmp_path / "self").symlink_to("self")
    came = await extract(tmp_path)
    assert isinstance(came, Extracted)
    assert came.text == "=== in/a.txt ===\nonce"
    assert came.left_out == (LeftOut("self", "link"), LeftOut("in/round", "link"))


def written(folder_: Path, nasty: Nasty) -> Path:
    made = nasty.make()
    for name, data in ({"": made} if isinstance(made, bytes) else made).items():
        path = folder_ / nasty.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder_ / nasty.name


def check_refusal(nasty: Nasty, code: str, detail: str) -> None:
    assert code == nasty.refused
    whole(document_words.REFUSALS, code, {"name": nasty.name, "detail": detail}, nasty.name)


def check(nasty: Nasty, text: str, spans, warnings: tuple[Warning, ...], left_out: tuple[LeftOut, ...]) -> None:
    assert not nasty.refused
    assert nasty.says in text
    if nasty.exact:
        # A folder's and an archive's last file may end in an empty line
        assert text.strip() == nasty.says.strip()
    assert [lacking for lacking in nasty.lacks if lacking in text] == []
    if nasty.warned is not None:
        assert tuple(warning.code for warning in warnings) == nasty.warned
    if nasty.left is not None:
        assert {part.what: part.reason for part in left_out} == nasty.left
    if nasty.labels is not None:
        assert tuple(span.label for span in spans) == nasty.labels
    for warning in warnings:
        whole(document_words.WARNINGS, warning.code, warning.values, *warning.values.values())
    for part in left_out:
        whole(document_words.REASONS, part.reason, {})


def whole(sentences: dict[str, str], code: str, values: dict[str, str], *named: str) -> None:
    """There is a sentence, none of its gaps is open, and what happened is named in it."""
    sentence = words.sentence(sentences, code, values)
    assert sentence
    assert "{" not in sentence
    assert [name for name in named if name not in sentence] == []
