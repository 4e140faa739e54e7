"""The Verify tab: verdicts card by card, stopping, and the certificate, with a subject that finds everything."""

import asyncio

import pytest
import verify_double as doubles
from PySide6.QtGui import QImage

from app.services.verify import certificate
from app.views.verify_pictures import Curve
from engine import verify
from engine.protocol import Inspected
from engine.verify import Desk, Point
from engine.verify import memory as memory_test
from engine.verify.texts import made_up


@pytest.fixture
def subject(program, monkeypatch):
    double = doubles.CutMiddle()

    async def made(assistant, engine, models, providers, settings, folder, *, own=""):
        return Desk(double, folder, "seed", local=double, prose=made_up(300), own=own, clock=lambda: double.now)

    async def inspect():
        return Inspected((), {"torch": "2"}, 2, 1, None)

    monkeypatch.setattr("app.services.verify.desk", made)
    monkeypatch.setattr(memory_test, "EVERY", 0.0)
    monkeypatch.setattr(program.services.assistant, "inspect", inspect)
    return double


async def test_each_test_gets_its_verdict_and_the_certificate_says_the_same(program, subject, tmp_path):
    source, view = program.window.source, program.window.source.verify
    source.tabs["verify"].click()
    assert source._stack.currentWidget() is view
    view.go_button.click()
    assert (view.running, view.go_button.text()) == (True, "Stop")
    await program.controller.verify.idle()
    assert view.cards["canaries"].verdict.text() == "✗ FAIL"
    assert "The middle of the text is missing" in view.cards["canaries"].said.text()
    assert view.cards["policy"].verdict.text() == "– SKIPPED"
    assert "of 5 found" in view.cards["needles"].picture.accessibleName()
    assert view.cards["latency"].picture is not None
    assert view.about.text().startswith("✗ FAIL. With the seed seed")
    assert view.save_button.isVisibleTo(view)
    await program.controller.verify.write(tmp_path / "proof.md")
    kept = certificate.opened(tmp_path / "proof.json")
    assert kept.report.verdict == "fail"
    assert "✗ FAIL" in (tmp_path / "proof.md").read_text()
    assert "proof.json" in program.window.banner.text()


async def test_stopping_is_heard_at_once_and_what_has_a_verdict_keeps_it(program, subject, until):
    view = program.window.source.verify
    view.go_button.click()
    await until(lambda: view.cards and view.cards["tokens"].verdict.text() == "✓ PASS", "the first verdict")
    view.go_button.click()
    await program.controller.verify.idle()
    assert view.cards["tokens"].verdict.text() == "✓ PASS"
    assert view.cards["latency"].verdict.text() == "not run"
    assert view.about.text().startswith("Stopped")
    assert not view.save_button.isVisibleTo(view)


def test_a_curve_is_drawn_with_the_rate_of_writing_below(qapp):
    bare, written = (Curve([Point(n, n / 100, rate) for n in (512, 1024)], 1.0) for rate in (None, 41.7))
    assert written.sizeHint().height() > bare.sizeHint().height()
    written.resize(320, 120)
    empty, drawn = QImage(320, 120, QImage.Format.Format_RGB32), QImage(320, 120, QImage.Format.Format_RGB32)
    for image in (empty, drawn):
        image.fill(0)
    written.render(drawn)
    assert drawn != empty


async def test_facts_are_planted_in_a_copy_of_what_is_attached(program, subject, until, monkeypatch):
    seen = []
    item = await program.add()
    monkeypatch.setattr(verify, "run", lambda desk, *rest: seen.append(desk.own) or stopped())
    view = program.window.source.verify
    view.own.setChecked(True)
    view.go_button.click()
    await program.controller.verify.idle()
    assert seen == [program.services.library.text(item)]


async def test_how_long_it_takes_is_told_as_the_model_was_seen_to_work(program, subject, monkeypatch):
    view, kept = program.window.source.verify, program.services.conversations
    program.window.source.tabs["verify"].click()
    assert not view.forecast.isVisibleTo(view)
    program.state.set_loaded(subject.loaded)
    program.state.reading_rate = 1000.0
    monkeypatch.setattr(kept, "writing_rate", lambda fingerprint, precision: 40.0)
    view.tier.setCurrentIndex(view.tier.findData("standard"))
    longer = view.forecast.text()
    view.tier.setCurrentIndex(view.tier.findData("quick"))
    minutes = [int(said.split()[1]) for said in (view.forecast.text(), longer)]
    assert 1 <= minutes[0] < minutes[1] / 3


async def stopped():
    raise asyncio.CancelledError
