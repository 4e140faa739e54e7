"""What servers send becomes the engine's own events, and what is sent to them is all of it."""

import json
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from openai_server import Script, refusal, said, stream, words

from engine import document as texts
from engine.protocol import (
    Answered,
    Call,
    Conversation,
    Count,
    Counted,
    Delta,
    Done,
    Eviction,
    Expect,
    Failed,
    Format,
    Generate,
    Likely,
    Note,
    Read,
    ReadingSettings,
    Sampling,
    Selection,
    Text,
    Tool,
    Turn,
    Written,
)

SENT_FIRST = {"role": "assistant", "content": ""}


async def test_sglang_streams_and_counts(server, remote, question, heard):
    server.answer(said("sglang", piece=7))
    text, done = await heard(remote().send(question()))
    assert text == "The rent is 900 €."
    assert isinstance(done, Done)
    assert (done.finish, done.result.text) == ("complete", text)
    assert (done.usage.prompt, done.usage.read, done.usage.reused, done.usage.written) == (41312, 96, 41216, 8)
    assert done.usage.first_token > 0
    assert done.notes == (Note("remote", {"host": server.host, "model": "m"}),)


async def test_vllm_tells_thoughts_stop_words_and_probabilities(server, remote, question, heard):
    server.answer(said("vllm"))
    events = [event async for event in remote().send(question(sampling=Sampling(stop=("END",), logprobs=1)))]
    *deltas, done = events
    nine = Likely(b"900", -0.1)
    assert deltas == [Delta("1", "900 €", (Written(nine, (nine,)), Written(Likely(" €".encode(), -0.2), ())))]
    assert (done.finish, done.result.stop) == ("stop", "END")
    assert [note.code for note in done.notes] == ["remote", "remote_thought"]
    asked = server.questions()[0].body
    assert (asked["stop"], asked["logprobs"], asked["top_logprobs"]) == (["END"], True, 1)


async def test_documents_are_sent_with_all_of_their_text(server, remote, question, document, heard):
    server.answer(words("Yes."))
    text = "The rent is 900.\u2028\x1c Line.\n" * 40_000  # signs at which careless readers break lines
    await heard(remote(model="/models/SALA").send(question(document(text), document("B", "b.md"), "Who pays?")))
    (asked,) = server.questions()
    assert asked.body["model"] == "/models/SALA"
    assert asked.body["messages"] == [
        {"role": "user", "content": f"Document: lease.txt\n\n{text}\n\nDocument: b.md\n\nB\n\nQuestion: Who pays?"}
    ]
    assert asked.body["stream_options"] == {"include_usage": True}
    assert (asked.body["temperature"], asked.body["stream"]) == (0.0, True)
    assert not {"max_tokens", "top_p", "top_k", "seed", "stop"} & asked.body.keys()
    assert "authorization" not in asked.headers


async def test_signs_that_look_like_line_ends_stay_in_the_answer(server, remote, question, heard):
    server.answer(words("a\u2028b\x1cc\u0085d"))
    assert (await heard(remote().send(question())))[0] == "a\u2028b\x1cc\u0085d"


async def test_a_document_that_is_not_what_it_was_is_not_sent(server, remote, question, document):
    changed = replace(document("The rent."), sha256="0" * 64)
    ending = await remote().send(question(changed, "Who?")).ending()
    assert (ending.code, ending.subject) == ("bad_document", "lease.txt")
    assert not server.asked


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/models/"])
async def test_every_form_of_an_address_works(server, remote, question, heard, end):
    server.answer(words("Yes."))
    one = remote(f" {server.address}{end}\n")
    assert await one.models() == ("openbmb/MiniCPM-SALA",)
    assert (await heard(one.send(question())))[0] == "Yes."


async def test_an_address_without_v1_in_it_at_all(server, remote, question, heard):
    server.answer(words("Yes."), path="/openai/chat/completions")
    one = remote(f"127.0.0.1:{server.port}/openai")
    assert (await heard(one.send(question())))[0] == "Yes."
    assert (await heard(one.send(question(id="2"))))[0] == "Yes."
    # it is remembered where it answered
    assert [asked.path for asked in server.questions()] == [
        "/openai/v1/chat/completions",
        *["/openai/chat/completions"] * 2,
    ]


async def test_a_server_that_neither_counts_nor_knows_how_to(server, remote, question, heard):
    server.answer(refusal(400, {"error": {"message": "Unrecognized request argument: stream_options"}}), words("Yes."))
    text, done = await heard(remote().send(question("Who is it then?")))
    assert text == "Yes."
    assert (done.usage.prompt, done.usage.written) == (4, 1)
    assert [note.code for note in done.notes] == ["remote", "remote_uncounted"]
    assert ["stream_options" in asked.body for asked in server.questions()] == [True, False]


async def test_a_server_that_does_not_stream(server, remote, question, heard):
    whole = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "length"}]}
    server.answer(Script(json.dumps(whole | {"usage": {"prompt_tokens": 9, "completion_tokens": 1}}).encode()))
    text, done = await heard(remote().send(question()))
    assert (text, done.finish, done.usage.prompt) == ("Yes.", "length", 9)


async def test_tools_and_formats(server, remote, heard):
    pieces = (
        {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"page":'}},
        {"index": 0, "function": {"arguments": " 4}"}},
    )
    chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]} for piece in pieces]
    server.answer(stream(*chunks, {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}, "[DONE]"))
    before = (
        Turn("user", (Text("Look."),)),
        Turn("assistant", (), (Call("c0", "look", "{}"),)),
        Turn("tool", (Text("Page 3."),), call="c0"),
    )
    talk = Conversation(before, "", (Tool("look", "Looks", '{"type": "object"}'),))
    _, done = await heard(remote().send(Generate("1", talk, Sampling(format=Format("calls", tool="look")))))
    assert done.finish == "calls"
    assert done.result == Answered("", (), None, (Call("c1", "look", '{"page": 4}'),))
    sent = server.questions()[0].body
    assert sent["tools"][0]["function"] == {"name": "look", "description": "Looks", "parameters": {"type": "object"}}
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "look"}}
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "tool"]
    assert sent["messages"][1]["tool_calls"][0]["function"] == {"name": "look", "arguments": "{}"}
    assert sent["messages"][2] == {"role": "tool", "content": "Page 3.", "tool_call_id": "c0"}


async def test_a_schema_and_the_rest_of_sampling(server, remote, question, heard):
    server.answer(words("{}"))
    wanted = Sampling(0.5, 0.9, 40, 1.1, 7, 100, format=Format("schema", '{"type": "object"}'))
    _, done = await heard(remote().send(question(sampling=wanted)))
    sent = server.questions()[0].body
    assert (sent["temperature"], sent["top_p"], sent["top_k"], sent["repetition_penalty"]) == (0.5, 0.9, 40, 1.1)
    assert (sent["seed"], sent["max_tokens"]) == (7, 100)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert done.result.seed == 7


async def test_plain_words_without_a_template(server, remote, heard):
    server.answer(
        stream({"choices": [{"index": 0, "text": " upon", "finish_reason": "length"}]}, "[DONE]"),
        path="/v1/completions",
    )
    talk = Conversation((Turn("user", (Text("Once"),)),), "", plain=True)
    text, done = await heard(remote().send(Generate("1", talk, Sampling(max_tokens=1))))
    assert (text, done.finish) == (" upon", "length")
    assert server.questions()[0].body["prompt"] == "Once"


async def test_an_ending_that_is_not_known_is_told(server, remote, question, heard):
    server.answer(words("I may", finish="content_filter"))
    _, done = await heard(remote().send(question()))
    assert done.finish == "stop"
    assert done.notes[-1].code == "remote_ended"
    assert done.notes[-1].values["reason"] == "content_filter"


async def test_counting_expecting_and_reading_send_nothing(server, remote, document):
    lease = document("The rent is 900 euros a month, paid in advance. " * 100)
    talk = Conversation((Turn("user", (lease, Text("Who pays?"))),), "")
    one = remote()
    counted = (
        await one.send(Count("1", (lease, document("租金每月九百元，预付。", "b"), document("", "c")))).ending()
    ).result
    assert counted == Counted((1200, 8, 0), estimated=True)
    expected = (await one.send(Expect("2", talk)).ending()).result
    assert expected.estimated
    assert expected.prompt == expected.read > 1200
    read = await one.send(Read("3", talk)).ending()
    assert (read.finish, read.notes) == ("read", (Note("remote_reads_later"),))
    assert not server.asked


async def test_texts_are_counted_on_no_thread_that_others_wait_for(remote, document, monkeypatch):
    """Neither the asking one, which may be a window's, nor that of what comes from servers."""
    threads: list[str] = []
    read = texts.text
    monkeypatch.setattr(texts, "text", lambda one: threads.append(threading.current_thread().name) or read(one))
    lease = document("The rent.")
    done = await remote().send(Count("1", (lease,))).ending()
    assert done.result.tokens == (3,)
    talk = Conversation((Turn("user", (lease, Text("Who pays?"))),), "")
    await remote().send(Expect("2", talk)).ending()
    assert len(threads) == 2
    assert {threading.current_thread().name, "remote"}.isdisjoint(threads)
    Path(lease.path).unlink()
    failed = await remote().send(Count("3", (lease,))).ending()
    assert (failed.code, failed.subject) == ("bad_document", lease.name)


async def test_counting_may_be_given_up(remote, document, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(texts, "text", lambda one: go_on.wait(60) and "")
    stream = remote().send(Count("1", (document("The rent."),)))
    stream.cancel()
    ending = await stream.ending()
    go_on.set()
    assert ending.finish == "cancelled"


@pytest.mark.parametrize("facts", [{"max_model_len": 4096}, {"context_length": 4096}, {"meta": {"n_ctx": 4096}}, {}])
async def test_the_window_is_the_servers_word(server, remote, facts):
    listed = {"data": [{"id": "m"} | facts, "?", {"id": 3}]}
    server.answer(Script(json.dumps(listed).encode()), path="/v1/models")
    assert [(one.name, one.window) for one in await remote().listed()] == [("m", 4096 if facts else 0)]


async def test_a_test_lists_and_asks(server, remote):
    server.answer(words("yes"))
    tested = await remote(model="").test()
    assert (tested.model, tested.answered) == ("openbmb/MiniCPM-SALA", "yes")
    assert [(one.name, one.window) for one in tested.models] == [("openbmb/MiniCPM-SALA", 1048576)]
    assert server.questions()[0].body["max_tokens"] == 16


async def test_a_server_that_lists_nothing_answers_all_the_same(server, remote):
    del server.scripts["/v1/models"]
    server.answer(words("yes"))
    tested = await remote(model="m").test()
    assert (tested.answered, tested.models) == ("yes", None)


async def test_what_only_the_local_engine_can_do_is_refused(server, remote, question):
    one = remote()
    asked = {
        "remote_coverage": [ReadingSettings(coverage=True)],
        "remote_reading": [
            ReadingSettings(mode="parallel"),
            ReadingSettings(eviction=Eviction("h2o")),
            ReadingSettings(selection=Selection("quest")),
        ],
    }
    for code, readings in asked.items():
        for reading in readings:
            ending = await one.send(question(reading=reading)).ending()
            assert isinstance(ending, Failed)
            assert (ending.code, ending.subject) == (code, server.host)
    assert not server.asked
