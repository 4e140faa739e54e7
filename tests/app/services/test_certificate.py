"""Certificates for people and for checks, and the pictures in them."""

import re
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import get_args

import pytest

from app import verify_words
from app.data.certificate import Certificate
from app.services.problem import Problem
from app.services.verify import certificate
from app.services.verify.pictures import curve, heat_map, picture
from app.services.verify.replay import sample
from app.services.verify.told import told
from engine import verify
from engine.protocol import DeviceInfo, ReadingSettings
from engine.verify import Cell, Outcome, Point, Report, Subject, TestName, Verdict

CELLS = tuple(Cell(length, depth, int(depth != 0.5)) for length in (2048, 4096) for depth in (0.0, 0.5, 1.0))
NEEDLES = Outcome("needles", "fail", "needles_depth", {"kept": "67%"}, 4, 6, 0.3, 0.9, 4, 4, CELLS, seed="ab")
CURVE = Outcome(
    *("latency", "pass", "", {"slope": "1.10", "expected": "1.20", "shape": "quadratic", "writing": "40, 30, 20"}),
    points=(Point(1024, 1.0), Point(2048, 2.2), Point(4096, 4.9)),
    slope=1.1,
    expected=1.2,
)
SUBJECT = Subject(
    *("small", "f" * 64, "llama", 135_000_000, {"full": 30}, 8192, "bf16", "int8"),
    device=DeviceInfo("cpu", "a | chip", 2**33, 2**32, ("bf16",)),
    reading=ReadingSettings(save=False),
)
REPORT = Report("quick", 4096, "ab", "2026-01-02T03:04:05+00:00", 90.0, SUBJECT, (NEEDLES, CURVE))
MADE = Certificate(REPORT, "0.1.0", {"cpu": "a | chip"})


def test_every_test_and_verdict_has_its_words():
    assert set(verify_words.TITLES) == set(verify_words.ABOUT) == set(get_args(TestName))
    assert set(verify_words.VERDICTS) == set(verify_words.SIGNS) == set(get_args(Verdict))
    assert told(NEEDLES).startswith("4 of 6 right (95 %: 30% to 90%); short text 4 of 4. Never found at some depth")
    assert told(CURVE) == "Slope 1.10; the arithmetic (quadratic) says 1.20. Writing: 40, 30, 20 tok/s."


def test_every_reason_has_its_sentence():
    """Codes of several words can be told from other strings by their underscore."""
    code = "\n".join(file.read_text() for file in Path(verify.__file__).parent.glob("*.py"))
    given = set(re.findall(r'"([a-z]+(?:_[a-z]+)+)"', code)) - {"engine_died", *verify.__all__}
    given |= {f"needles_{where}" for where in ("front", "tail", "length", "depth", "middle", "scattered")}
    single = {"lost", "weak", "segments", "unable", "stale", "holes", "dense", "leaked", "elsewhere", "steeper"}
    assert given | single | {"refused"} == set(verify_words.REASONS)


def test_pictures_are_well_formed_and_colour_is_never_the_only_sign():
    drawn = heat_map(CELLS)
    words = [element.text for element in xml.fromstring(drawn).iter() if element.text and element.text.strip()]
    assert words.count("✗") == 2
    assert words.count("✓") == 4
    assert {"2,048", "4,096", "50%"} <= set(words)
    line = xml.fromstring(curve(CURVE.points, 1.2, logarithmic=True))
    assert sum("stroke-dasharray" in element.attrib for element in line.iter()) == 1
    assert picture(Outcome("leak", "pass")) == ""


async def test_markdown_has_its_pictures_beside_it_and_json_comes_back_as_it_was(tmp_path):
    written = await certificate.write(MADE, tmp_path / "proof.md")
    assert [path.name for path in written] == ["proof.md", "proof.needles.svg", "proof.latency.svg"]
    text = written[0].read_text()
    assert "# Certificate of a long window: ✗ FAIL" in text
    assert "![Found at every depth](proof.needles.svg)" in text
    assert "cpu a \\| chip" in text
    assert "f" * 64 in text
    (twin,) = await certificate.write(MADE, tmp_path / "proof.json")
    assert certificate.opened(twin) == MADE
    assert [one.test for one in sample(MADE)] == ["needles"]


async def test_pdf_holds_its_pictures(tmp_path):
    (path,) = await certificate.write(MADE, tmp_path / "proof.pdf")
    pdf = path.read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Subtype /Image") >= 2


async def test_another_ending_and_another_file_are_refused(tmp_path):
    with pytest.raises(Problem, match="certificate_format"):
        await certificate.write(MADE, tmp_path / "proof.docx")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(Problem, match="certificate_unreadable"):
        certificate.opened(tmp_path / "other.json")
