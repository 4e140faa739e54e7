"""A text longer than the window, in the real window with the real engine: read in segments, kept, opened again."""

from pathlib import Path

import pytest

from app import application
from app.application import Application
from app.data.settings import Settings
from app.services.settings import SettingsStore

FACT = "The key of the archive room lies in drawer 7340 of the blue cabinet."
QUESTION = "In which drawer does the key of the archive room lie?"
SETTINGS = Settings(seen_first_run=True, language="en", threads=2, window=2048, max_tokens=40)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """About 6,000 tokens, three times the window, with one line that is unlike the others."""
    lines = [
        f"Ship number {n} was registered in the harbour and left it again with the evening tide." for n in range(330)
    ]
    lines[200] = FACT
    path = tmp_path / "register.txt"
    path.write_text("\n\n".join(lines))
    return path


async def begin(home: Path, until, qapp) -> Application:
    qapp.setQuitOnLastWindowClosed(False)
    application.translate(qapp, "en")
    made = Application(SettingsStore(home / "settings.json"), SETTINGS)
    made.window.show()
    made.controller.begin(None, [])
    await until(lambda: made.state.loaded and made.state.readings is not None, what="the model")
    return made


async def end(program: Application) -> None:
    program.window.close()
    await program.close()
    program.window.deleteLater()


async def ask(program: Application, until, question: str):
    program.window.composer.set_text(question)
    program.window.composer.ask()
    await until(lambda: not program.controller.answers.busy(program.state.conversation), seconds=400, what="the answer")
    return program.services.conversations.messages(program.state.conversation)[-1]


def card(program: Application) -> str:
    (item,) = program.services.library.items()
    return program.window.sidebar._items._words(item)


async def test_a_long_text_is_read_once_asked_and_opened_again_after_a_restart(home_with_model, until, qapp, register):
    program = await begin(home_with_model, until, qapp)
    window, preflight = program.window, program.controller.preflight
    window.dropped.emit([register])
    await until(preflight.read_button.isEnabled, what="the list of what was dropped")
    assert "read in about" in preflight.together.text()
    preflight.read_button.click()
    await until(lambda: program.state.read, seconds=400, what="the end of reading")
    await until(lambda: "segments" in window.banner.text(), what="the notice")
    answer = await ask(program, until, QUESTION)
    assert answer.state == "answered"
    assert answer.ledger.mode == "parallel"
    assert len(answer.ledger.segments) > 2
    assert any(segment.kept for segment in answer.ledger.segments)
    assert answer.ledger.asked == len(answer.ledger.segments)
    await until(lambda: "on disk" in card(program), what="the card")
    view = window.conversation.view(answer.id)
    assert "written over segment" in view.ledger().text()
    await end(program)

    again = await begin(home_with_model, until, qapp)
    await until(lambda: card(again).startswith("read, opens in"), what="the card")
    second = await ask(again, until, "Which drawer holds the key?")
    assert second.ledger.reopened > 4_000
    assert second.ledger.read < 200
    (item,) = again.services.library.items()
    again.window.sidebar.reading_forgotten.emit(item.id)
    again.controller.readings.dialog.go_button.click()
    await until(lambda: card(again) == "not read", what="the forgetting")
    assert not again.state.readings.readings
    await end(again)


@pytest.mark.full
async def test_a_question_for_everything_goes_over_every_part(home_with_model, until, qapp, register):
    program = await begin(home_with_model, until, qapp)
    window, preflight = program.window, program.controller.preflight
    window.dropped.emit([register])
    await until(preflight.read_button.isEnabled, what="the list of what was dropped")
    preflight.read_button.click()
    await until(lambda: program.state.read, seconds=400, what="the end of reading")
    window.composer.set_text("List every drawer.")
    window.composer.ask()
    assert window.composer.every_part.offering()
    window.composer.every_part._field.setText("In which drawer does the key lie? Answer with the number only.")
    window.composer.every_part.go_button.click()
    await until(lambda: not program.controller.answers.busy(program.state.conversation), seconds=500, what="the answer")
    answer = program.services.conversations.messages(program.state.conversation)[-1]
    assert answer.state == "answered", answer.failure
    assert answer.ledger.mode == "coverage"
    assert answer.ledger.asked == answer.found[0].parts
    # whether so small a model finds it is the engine's matter; here all that parts gave is shown, once each
    findings = window.conversation.view(answer.id).findings()
    told = {(one.certain, one.text.casefold()) for one in answer.found if one.text.strip()}
    assert findings.certain.count() + findings.uncertain.count() == len(told) > 0
    await end(program)
