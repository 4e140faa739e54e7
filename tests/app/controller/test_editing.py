"""Before a question is asked in other words the window says what that will cost."""

from app.models.edit_words import cost
from engine.client import RequestFailed
from engine.protocol import Answered, Done, Expect, Expected, Failed, Usage


async def edited(program, until):
    """The question's view, with its editor open."""
    await program.add()
    program.ask("Who wrote it?")
    await until(lambda: program.engine.streams, "the question")
    usage = Usage(128_040, 128_040, 0, 4, reading_rate=320.0)
    program.engine.answer(Done("", "complete", usage, Answered("Anna.", (1,), None)))
    await until(program.idle)
    question = program.services.conversations.messages(program.state.conversation)[0]
    view = program.window.conversation.view(question.id)
    view.edit()
    return view


async def test_it_says_tokens_and_seconds(program, until):
    view = await edited(program, until)
    await until(lambda: view._editor.cost.text(), "the cost")
    asked = next(request for request in program.engine.sent if isinstance(request, Expect))
    assert asked.reworded
    assert [turn.role for turn in asked.conversation.turns] == ["user"]
    assert "6,400 of 128,100 tokens" in view._editor.cost.text()
    assert "20 s" in view._editor.cost.text(), "by the rate of the last answer"


async def test_without_a_model_nothing_is_said(program, until):
    view = await edited(program, until)
    await until(lambda: view._editor.cost.text(), "the cost")
    view._close()
    program.state.set_loaded(None)
    view.edit()
    assert view._editor.cost.text() == ""
    assert sum(isinstance(request, Expect) for request in program.engine.sent) == 1


async def test_what_cannot_be_known_is_not_said(program, until, monkeypatch):
    asked = []

    async def refuse(conversation, message):
        asked.append(message)
        raise RequestFailed(Failed("x", "bad_document", "gone"))

    monkeypatch.setattr(program.services.assistant, "expect_edit", refuse)
    view = await edited(program, until)
    await until(lambda: asked)
    assert view._editor.cost.text() == ""
    assert not program.window.banner.isVisible()


def test_what_takes_less_than_a_second_is_at_once():
    assert cost(Expected(100, 10, 90), 50.0) == "About 10 of 100 tokens are read again, at once."
    assert cost(Expected(100, 100, 0), 50.0).endswith("in about 2.0 s.")
