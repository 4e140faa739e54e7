"""A model on another computer, in the window: added, tried and chosen; asked for before anything goes; told apart."""

import asyncio

import openai_server
import pytest
from msgspec.structs import replace
from openai_server import Script, refusal, said, words
from PySide6.QtWidgets import QLabel, QPushButton

from app.data.provider import Provider
from app.views.failure import FailureCard
from app.views.remote_dialog import RemoteDialog
from engine.protocol import Conversation, Done, Generate, Text, Turn

MODEL = "gpu/openbmb/MiniCPM-SALA"


@pytest.fixture
def server():
    with openai_server.serving() as one:
        yield one


@pytest.fixture
async def far(program, server):
    """The window, turned to a model of the server; nothing was connected for it."""
    provider = Provider("gpu", server.address, "sk-secret", max_retries=0, models=("openbmb/MiniCPM-SALA",))
    program.services.providers.put(provider)
    await program.controller.engine.load(replace(program.state.settings, model=MODEL))
    program.state.set_settings(replace(program.state.settings, model=MODEL))
    assert not server.asked
    return program


def dialog(program) -> RemoteDialog | None:
    return next((one for one in program.window.findChildren(RemoteDialog) if one.isVisible()), None)


async def agreed(program) -> None:
    """The person agrees, and the answer comes to its end."""
    ended = asyncio.Event()
    program.controller.answers.answered.connect(lambda _: ended.set())
    dialog(program).go_button.click()
    await asyncio.wait_for(ended.wait(), 30)


async def test_the_window_says_where_it_goes_before_anything_goes(far, server):
    assert far.engine.state == "stopped"  # it gave its memory back
    pill, instruments = far.window.privacy_pill, far.window.instruments
    assert server.host in pill.text()
    assert pill.property("role") == "pill-remote"
    assert instruments.property("role") == "instruments-remote"
    assert instruments.model.whole() == "openbmb/MiniCPM-SALA"
    assert instruments.model_detail.whole() == f"another program here: {server.host}"
    assert instruments.memory.value.text() == "–"
    await far.add()
    far.ask("Who pays?")
    asked = dialog(far)
    assert "Book.pdf goes there whole" in asked.text()
    asked.keep_button.click()
    assert far.window.composer.text() == "Who pays?"
    assert not far.services.conversations.messages(far.state.conversation)
    assert not server.asked


async def test_whoever_the_engine_here_is_answering_hears_the_end_of_it(program, server):
    provider = Provider("gpu", server.address, "sk-secret", max_retries=0, models=("openbmb/MiniCPM-SALA",))
    program.services.providers.put(provider)
    talk = Conversation((Turn("user", (Text("Who pays?"),)),), "2026-11-30T12:00:00")
    under_way = program.engine.send(Generate("of-a-client", talk))
    await program.controller.engine.load(replace(program.state.settings, model=MODEL))
    assert program.engine.state == "ready"
    under_way.put(Done("of-a-client", "cancelled"))


async def test_a_verification_asks_before_it_sends_anything(far, server):
    await far.add()
    far.window.source.verify.started.emit("quick", True)
    dialog(far).keep_button.click()
    assert not server.asked
    await far.controller.verify.idle()


async def test_it_is_asked_once_in_a_conversation_and_the_ledger_names_the_server(far, server):
    server.answer(said("sglang"))
    item = await far.add()
    assert "≈ 32,0" in far.window.sidebar._items._detail(far.services.library.get(item))
    far.ask("Who pays?")
    await agreed(far)
    ledger = far.last().ledger
    assert (ledger.host, ledger.model, ledger.reused) == (server.host, "openbmb/MiniCPM-SALA", 41216)
    assert ledger.notes == ("remote_estimated", "remote")
    assert far.window.instruments.window_gauge.value.text() == "41,320"
    (sent,) = server.questions()
    assert sent.headers["authorization"] == "Bearer sk-secret"
    assert far.services.library.text(item) in sent.body["messages"][-1]["content"]
    made = far.services.connections.all()
    assert [(one.host, one.purpose) for one in made] == [(server.host, "remote_question")]
    assert made[0].sent > 100_000
    ended = asyncio.Event()
    far.controller.answers.answered.connect(lambda _: ended.set())
    far.ask("And who else?")
    assert dialog(far) is None
    await asyncio.wait_for(ended.wait(), 30)
    assert [turn["role"] for turn in server.questions()[1].body["messages"]] == ["system", "user", "assistant", "user"]
    assert item not in far.state.read  # what a server holds is not known here
    far.controller.shelf.new()
    far.ask("Who pays?")
    assert dialog(far) is not None  # another conversation, another question


async def test_quotes_are_checked_here_and_the_attention_is_not_told(far, server, until):
    await far.add()
    server.answer(words("It says “Page 3 of Book.pdf. Page 3 of Book.pdf.” there."))
    far.ask("What does it say?")
    await agreed(far)
    await until(lambda: far.last().quotes)
    assert far.last().quotes[0].places
    far.controller.evidence.show(far.last().id)
    told = [label.text() for label in far.window.source.evidence.widget().findChildren(QLabel)]
    assert any(server.host in text and "this computer alone" in text for text in told)


@pytest.mark.parametrize(
    ("script", "code", "button"),
    [
        (refusal(401, {"error": "Unauthorized"}), "remote_key", "Change the server"),
        (words("Half ", finish=None, then="cut"), "remote_broke", "Ask again"),
        (
            refusal(400, {"message": "longer than the model's context length (9 tokens)."}),
            "too_long_remote_unknown",
            "Remove",
        ),
    ],
)
async def test_what_goes_wrong_is_a_sentence_with_buttons(far, server, script, code, button):
    server.answer(script)
    far.ask("Who?")
    await agreed(far)
    message = far.last()
    assert (message.state, message.failure.code) == ("failed", code)
    assert message.text == ("Half " if code == "remote_broke" else "")
    (card,) = far.window.conversation.findChildren(FailureCard)
    assert server.host in card.accessibleName()
    assert any(one.text().startswith(button) for one in card.findChildren(QPushButton))


async def test_stop_closes_the_connection_and_keeps_the_words(far, server, until):
    server.answer(words("Half ", finish=None, then="hang"))
    far.ask("Who?")
    ended = asyncio.Event()
    far.controller.answers.answered.connect(lambda _: ended.set())
    dialog(far).go_button.click()
    assert await asyncio.to_thread(server.hangs.wait, 30)
    far.controller.answers.stop()
    await asyncio.wait_for(ended.wait(), 30)
    assert (far.last().state, far.last().ledger.finish) == ("stopped", "cancelled")
    assert await asyncio.to_thread(server.left.wait, 30)


async def test_settings_that_do_not_apply_say_why(far, server):
    panel = far.controller.settings_panel
    far.controller.settings.open()
    section = panel.model
    assert section.far_note.isVisible()
    assert server.host in section.far_note.text()
    assert not any(one.isEnabled() for one in (section.precision, section.window_slider, section.presets, section.kept))
    assert not any(one.isEnabled() for one in (panel.kept, panel.long, panel.stretch))
    assert server.host in panel.folds["kept"].heading.state()
    far.controller.models.use("smollm2-135m-instruct")
    assert section.precision.isEnabled()
    assert not section.far_note.isVisible()


async def test_going_back_to_this_computer(far, server, until):
    far.controller.models.use("here")
    await until(lambda: far.state.loaded is not None and far.state.loaded.host is None)
    assert far.window.privacy_pill.property("role") == "pill"
    assert far.window.instruments.property("role") == "instruments"
    far.ask("Who?")
    assert dialog(far) is None
    await until(lambda: far.engine.streams)
    assert not server.asked


async def test_a_server_is_typed_in_tried_saved_and_its_model_chosen(program, server, until):
    server.answer(words("yes"))
    program.controller.models.open()
    program.controller.models_dialog.servers.click()
    servers = program.controller.servers_dialog
    servers.add_button.click()
    form = servers.form
    assert not form.save_button.isEnabled()
    form.name.setText("gpu")
    form.address.setText(server.address)
    form.key.setText("sk-a b")
    form.save_button.click()
    assert "holds a space" in form.outcome.text()
    form.key.setText("sk-ab")
    form.test_button.click()
    await asyncio.wait_for(program.controller.servers._trying, 30)
    assert form.outcome.text().startswith("✓ openbmb/MiniCPM-SALA answered")
    assert form.models.text() == "openbmb/MiniCPM-SALA"
    form.save_button.click()
    (row,) = servers.rows()
    assert "1 model" in row.findChildren(QLabel)[1].text()
    models = program.controller.models_dialog
    assert server.host in models.row(MODEL).facts.text()
    models.row(MODEL).buttons["use"].click()
    await until(lambda: program.state.loaded is not None and program.state.loaded.host == server.host)
    assert program.state.loaded.window == 1048576
    assert program.services.settings.load()[0].model == MODEL
    assert "sk-ab" not in (program.services.settings.path).read_text()
    row.remove_button.click()
    assert not servers.rows()
    assert not program.services.providers.all()


async def test_a_try_that_fails_says_why(program, server):
    server.answer(refusal(401, {"error": "Unauthorized"}), path="/v1/models")
    servers = program.controller.servers_dialog
    program.controller.servers.open()
    servers.add_button.click()
    servers.form.name.setText("gpu")
    servers.form.address.setText(server.address)
    servers.form.test_button.click()
    await asyncio.wait_for(program.controller.servers._trying, 30)
    assert "does not accept the key" in servers.form.outcome.text()
    assert servers.form.test_button.isEnabled()


async def test_reading_ahead_sends_nothing_and_says_so(far, server, until):
    await far.add()
    far.controller.answers.read(far.state.conversation)
    await until(lambda: far.window.banner.text())
    assert "together with a question" in far.window.banner.text()
    assert not server.asked
    assert not far.state.read


async def test_a_server_that_hangs_does_not_keep_the_window_from_closing(far, server):
    server.answer(Script(kind="text/event-stream", then="hang"))
    far.ask("Who?")
    dialog(far).go_button.click()
    assert await asyncio.to_thread(server.hangs.wait, 30)
    await far.services.assistant.close()
    assert await asyncio.to_thread(server.left.wait, 30)
