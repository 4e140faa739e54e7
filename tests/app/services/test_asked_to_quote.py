"""Models that can are asked to quote, at the head of everything that they are given."""

import msgspec
import pytest

from engine.protocol import Generate, Read


@pytest.mark.parametrize(
    ("parameters", "takes", "asked"), [(2 * 10**9, True, 1), (2 * 10**9, False, 0), (10**6, True, 0)]
)
async def test_a_model_that_can_is_asked_to_quote(
    assistant, conversations, engine, add, fake, parameters, takes, asked
):
    """In the same words at the head of everything that it is given, so that what was read stays read."""
    engine.next_loaded = msgspec.structs.replace(fake.loaded(), parameters=parameters, takes_system=takes)
    one, item = conversations.new(), await add("text")
    conversations.set_pending(one.id, (item.id,))
    await assistant.read(one.id).wait()
    first = assistant.ask(one.id, "Who?", (item.id,))
    await first.wait()
    await assistant.ask(one.id, "And?").wait()
    await assistant.edit(one.id, first.question.id, "Where?").wait()
    talks = [request.conversation for request in engine.sent if isinstance(request, Read | Generate)]
    heads = [[turn for turn in talk.turns if turn.role == "system"] for talk in talks]
    assert len(heads) == 4
    assert [len(head) for head in heads] == [asked] * 4
    if asked:
        assert {talk.turns[0] for talk in talks} == {heads[0][0]}
        assert "word for word" in heads[0][0].parts[0].text
