import io
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import wire
from engine.protocol import Cancel, Command, Conversation, Delta, Event, Generate, Quit, Text, Turn


def listen(data, limit=wire.LIMIT, kind=Event):
    return list(wire.Messages(io.BytesIO(data), msgspec.json.Decoder(kind), limit))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_in_one_line(text):
    line = wire.encode(Delta("1", text))
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert listen(line) == [Delta("1", text)]


def test_commands_come_back_as_what_they_were():
    command = Generate("7", Conversation((Turn("user", (Text("hello"),)),), "2026-01-01"))
    assert listen(wire.encode(command) + wire.encode(Quit()), kind=Command) == [command, Quit()]


@pytest.mark.parametrize(
    ("line", "id"),
    [
        (b"a library's chatter\n", None),
        (b'{"type": "delta"\n', None),
        (b"\xff\xfe\n", None),
        (b'{"type":"unheard of","id":"3"}\n', "3"),
        (b'{"type":"delta","id":"4"}\n', "4"),
        (b"[1, 2]\n", None),
    ],
)
def test_garbage_is_named_in_its_place(line, id):
    before, garbage, after = listen(wire.encode(Delta("1", "a")) + line + wire.encode(Delta("2", "b")))
    assert (before, after) == (Delta("1", "a"), Delta("2", "b"))
    assert (garbage.line, garbage.size, garbage.id) == (2, len(line), id)


def test_garbage_keeps_no_words():
    line = json.dumps({"type": "delta", "id": "4", "text": "x", "finish": 1}).replace('"delta"', '"my secret"') + "\n"
    (garbage,) = listen(line.encode())
    assert "secret" not in garbage.why


def test_a_line_over_the_limit_is_skipped_whole():
    line = wire.encode(Delta("1", "long" * 50))
    garbage, after = listen(line + wire.encode(Cancel("1")), limit=100, kind=Event | Cancel)
    assert garbage.size == len(line)
    assert after == Cancel("1")


def test_a_line_cut_short_by_the_end_is_garbage():
    (garbage,) = listen(wire.encode(Delta("1", "half"))[:-4])
    assert "cut short" in garbage.why


def test_what_cannot_be_a_line_is_refused(monkeypatch):
    with pytest.raises(wire.Unsendable):
        wire.encode(Delta("1", "\ud83d"))
    monkeypatch.setattr(wire, "LIMIT", 10)
    with pytest.raises(wire.Unsendable):
        wire.encode(Delta("1", "more than ten bytes"))
