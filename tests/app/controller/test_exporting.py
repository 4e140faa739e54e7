"""A conversation and a single answer are written where the person says, and the banner says so."""

import json

import pytest
from PySide6.QtWidgets import QFileDialog

from engine.protocol import Answered, Done, Usage


@pytest.fixture
async def answered(program, until):
    await program.add()
    program.ask("Who wrote it?")
    await until(lambda: program.engine.streams, "the question")
    program.engine.answer(Done("", "complete", Usage(100, 100, 0, 4), Answered("Anna.", (1,), None)))
    await until(program.idle)
    return program.services.conversations.messages(program.state.conversation)[-1]


def choose(program, path):
    dialog = program.window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.done(0)


async def test_the_conversation(program, answered, until, tmp_path):
    program.window.actions_by_name["export"].trigger()
    choose(program, tmp_path / "talk.md")
    await until(lambda: program.window.banner.isVisible(), "the banner")
    assert "Who wrote it?" in (tmp_path / "talk.md").read_text()
    assert "talk.longread.json" in program.window.banner.text()


async def test_one_answer(program, answered, until, tmp_path):
    view = program.window.conversation.view(answered.id)
    view.exported.emit(answered.id)
    choose(program, tmp_path / "one.docx")
    await until(lambda: (tmp_path / "one.longread.json").exists(), "the twin")
    twin = json.loads((tmp_path / "one.longread.json").read_text())
    assert [exchange["question"] for exchange in twin["exchanges"]] == ["Who wrote it?"]


async def test_a_name_without_a_form_is_refused_with_a_sentence(program, answered, until, tmp_path):
    program.window.actions_by_name["export"].trigger()
    choose(program, tmp_path / "talk.xyz")
    await until(lambda: program.window.banner.isVisible(), "the banner")
    assert ".docx" in program.window.banner.text()
    assert not list(tmp_path.glob("talk*"))
