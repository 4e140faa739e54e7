"""What can go wrong with a server elsewhere: each has a code of its own, and its ending comes."""

import asyncio
import socket
import ssl

import pytest
from openai_server import Script, refusal, stream, words

from engine.protocol import Delta, Done, Failed
from engine.remote import BadAddress, Remote
from engine.remote.address import address
from engine.stream import RequestFailed


@pytest.fixture
def nobody() -> int:
    """A port at which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def ending(remote, question) -> Failed:
    """Of a question of which nothing is answered."""
    failed = await remote.send(question()).ending()
    assert isinstance(failed, Failed)
    return failed


OPENAI = {"error": {"message": "Words of the server", "type": "invalid_request_error", "code": None}}
PLAIN = {"object": "error", "message": "Words of the server", "type": "BadRequestError", "code": 400}


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (refusal(401, {"error": "Unauthorized"}), "remote_key", "Unauthorized"),
        (refusal(401, {"error": {"message": "Invalid API Key", "code": 401}}), "remote_key", "Invalid API Key"),
        (refusal(403, OPENAI), "remote_forbidden", "Words of the server"),
        (refusal(404, {"detail": "Not Found"}), "remote_path", "Not Found"),
        (refusal(404, "<h1>nginx</h1>"), "remote_path", "Not Found"),
        (refusal(400, PLAIN), "remote_refused", "Words of the server"),
        (refusal(422, {"detail": [{"msg": "bad"}]}), "remote_refused", '[{"msg":"bad"}]'),
        (refusal(413, "too large"), "remote_large", ""),
        (refusal(429, OPENAI), "remote_busy", "Words of the server"),
        (refusal(500, "Internal Server Error"), "remote_broken", ""),
        (refusal(502, "<h1>Bad gateway</h1>"), "remote_broken", ""),
        (refusal(503, {"error": {"message": "Loading model", "code": 503}}), "remote_loading", "Loading model"),
        (refusal(301, "", location="https://elsewhere.example/v1"), "remote_moved", "https://elsewhere.example/v1"),
        (Script(b"<html>", kind="text/html"), "remote_garbled", ""),
        (Script(b"[1, 2]"), "remote_garbled", ""),
        (stream("{half"), "remote_garbled", ""),
        (stream({"choices": "words"}), "remote_garbled", ""),
        (stream({"error": {"message": "CUDA out of memory", "code": 500}}), "remote_broken", "CUDA out of memory"),
        (Script(b"", kind="text/event-stream"), "remote_broke", ""),
        (Script(b'data: {"choi', kind="text/event-stream", then="cut"), "remote_broke", ""),
    ],
)
async def test_every_refusal_has_a_code(server, remote, question, script, code, said):
    server.answer(script)
    failed = await ending(remote(), question)
    assert (failed.code, failed.subject, failed.said) == (code, server.host, said)
    assert "Words" not in failed.message  # which goes into the log


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "The model `m` does not exist.", "type": "NotFoundError", "param": "model", "code": 404}},
        {"object": "error", "message": "The model `m` does not exist.", "type": "NotFoundError", "code": 404},
        {"error": {"message": "no such thing", "code": "model_not_found"}},
    ],
)
async def test_an_unknown_model_is_named(server, remote, question, body):
    server.answer(refusal(404, body))
    failed = await ending(remote(), question)
    assert (failed.code, failed.subject) == ("remote_model", "m")
    assert len(server.asked) == 1  # another address would not know it either


@pytest.mark.parametrize(
    ("body", "needed", "available"),
    [
        (
            {"message": "The input (61709 tokens) is longer than the model's context length (40960 tokens)."},
            61709,
            40960,
        ),
        (
            {
                "message": "Requested token count exceeds the model's maximum context length of 4096 tokens. You "
                "requested a total of 5000 tokens: 4000 tokens from the input messages and 1000 for the completion."
            },
            *(5000, 4096),
        ),
        (
            {
                "message": "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens "
                "(9591 in the messages, 10000 in the completion)."
            },
            *(19591, 16384),
        ),
        (
            {
                "message": "This model's maximum context length is 4096 tokens. However, your request has 5000 input "
                "tokens."
            },
            *(5000, 4096),
        ),
        ({"message": "The decoder prompt (length 5000) is longer than the maximum model length of 4096."}, 5000, 4096),
        (
            {
                "message": "the request exceeds the available context size",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 14429,
                "n_ctx": 8192,
            },
            *(14429, 8192),
        ),
        ({"message": "request (5,000 tokens) exceeds the available context size (4,096 tokens)"}, 5000, 4096),
        ({"message": "This is 5,000 tokens, and the model's context length here is 4,096 tokens."}, 5000, 4096),
        ({"message": "Requested tokens (2285) exceed context window of 2048"}, 2285, 2048),
        ({"message": "too much", "code": "context_length_exceeded"}, None, None),
    ],
)
async def test_too_long_has_both_numbers_where_the_server_tells_them(server, remote, question, body, needed, available):
    server.answer(refusal(400, {"error": body}))
    failed = await ending(remote(retries=3), question)
    assert (failed.code, failed.needed, failed.available) == ("too_long", needed, available)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("sk-abc\n", "remote_key_line"),
        ("sk-abc ", "remote_key_space"),
        ("sk abc", "remote_key_space"),
        ("sk-äbc", "remote_key_letters"),
        ("sk-\x00", "remote_key_letters"),
    ],
)
async def test_a_key_that_cannot_be_one_is_not_sent(server, remote, question, key, code):
    one = remote(key=key)
    assert (await ending(one, question)).code == code
    with pytest.raises(RequestFailed, match=code):
        await one.test()
    assert not server.asked


async def test_the_key_goes_with_the_request_and_into_no_words(server, remote, question, heard):
    server.answer(words("Yes."))
    one = remote(key="sk-secret")
    await heard(one.send(question()))
    assert server.questions()[0].headers["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in repr(vars(one)) + repr(one.loaded)


async def test_a_server_that_dies_in_mid_answer(server, remote, question, heard):
    server.answer(words("Half ", finish=None, then="cut"))
    text, failed = await heard(remote(retries=3).send(question()))
    assert (text, failed.code) == ("Half ", "remote_broke")
    assert len(server.questions()) == 1  # what was shown is not asked again behind the reader's back


async def test_a_server_that_ends_its_answer_too_early(server, remote, question, heard):
    server.answer(words("Half ", finish=None))
    text, failed = await heard(remote().send(question()))
    assert (text, failed.code) == ("Half ", "remote_broke")


async def test_an_error_inside_of_an_answer(server, remote, question, heard):
    chunk = {"choices": [{"index": 0, "delta": {"content": "Half "}}]}
    server.answer(stream(chunk, {"error": {"message": "engine is dead", "code": 500}}))
    text, failed = await heard(remote(retries=3).send(question()))
    assert (text, failed.code, failed.said) == ("Half ", "remote_broken", "engine is dead")
    assert len(server.questions()) == 1


async def test_a_server_that_never_answers(server, remote, question):
    server.answer(Script(kind="text/event-stream", then="hang"))
    failed = await ending(remote(timeout=0.05, retries=3), question)
    assert (failed.code, failed.subject) == ("remote_silent", server.host)
    assert len(server.questions()) == 1  # it would only wait as long again


async def test_nobody_there(remote, question, nobody):
    failed = await ending(remote(f"localhost:{nobody}/v1"), question)
    assert (failed.code, failed.subject) == ("remote_unreached", f"localhost:{nobody}")


async def test_it_asks_again_as_long_as_nothing_was_shown(server, remote, question, heard):
    busy, dead = refusal(429, OPENAI, **{"retry-after": "0"}), Script(then="cut", kind="text/event-stream")
    server.answer(busy, refusal(503, "later"), dead, words("Yes."))
    assert (await heard(remote(retries=3).send(question())))[0] == "Yes."
    server.answer(*[refusal(503, "later")] * 3, words("Yes."))
    assert (await ending(remote(retries=2), question)).code == "remote_broken"
    server.answer(refusal(401, {}), words("Yes."))
    assert (await ending(remote(retries=3), question)).code == "remote_key"


async def test_cancelling_closes_the_connection_and_keeps_what_came(server, remote, question):
    server.answer(words("Half ", finish=None, then="hang"))
    asked = remote().send(question())
    assert await anext(asked) == Delta("1", "Half ")
    asked.cancel()
    done = await asked.ending()
    assert isinstance(done, Done)
    assert (done.finish, done.result.text, done.usage.written) == ("cancelled", "Half ", 2)
    assert await asyncio.to_thread(server.left.wait, 10)


async def test_cancelling_before_the_first_word(server, remote, question):
    server.answer(Script(then="hang", kind="text/event-stream"))
    asked = remote().send(question())
    assert await asyncio.to_thread(server.hangs.wait, 10)
    asked.cancel()
    assert (await asked.ending()).finish == "cancelled"
    assert await asyncio.to_thread(server.left.wait, 10)


async def test_proxy_variables_do_not_matter_for_loopback(server, remote, question, heard, monkeypatch, nobody):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{nobody}")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    server.answer(words("Yes."))
    for host in ("127.0.0.1", "localhost", "0.0.0.0"):
        assert (await heard(remote(f"http://{host}:{server.port}").send(question())))[0] == "Yes."
    failed = await ending(Remote("http://sala.example/v1", model="m", retries=0), question)
    assert (failed.code, failed.subject) == ("remote_proxy", f"127.0.0.1:{nobody}")


async def test_a_certificate_that_nobody_vouches_for(question, tmp_path):
    pytest.importorskip("cryptography")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_own_certificate(tmp_path))
    listening = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    port = listening.sockets[0].getsockname()[1]
    async with listening:
        failed = await ending(Remote(f"https://127.0.0.1:{port}", model="m", retries=0), question)
    assert (failed.code, failed.subject) == ("remote_certificate", f"127.0.0.1:{port}")


def _own_certificate(folder):
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1)).sign(
        key, hashes.SHA256()
    )
    pem = serialization.Encoding.PEM
    form, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "own.pem").write_bytes(made.public_bytes(pem) + key.private_bytes(pem, form, none))
    return folder / "own.pem"


@pytest.mark.parametrize(
    ("text", "roots", "host", "local", "encrypted"),
    [
        ("localhost:30000", ("http://localhost:30000/v1", "http://localhost:30000"), "localhost:30000", True, False),
        (
            "gpu.firm.example",
            ("https://gpu.firm.example/v1", "https://gpu.firm.example"),
            "gpu.firm.example",
            False,
            True,
        ),
        ("10.0.0.7:8000/v1/", ("http://10.0.0.7:8000/v1", "http://10.0.0.7:8000/v1/v1"), "10.0.0.7:8000", False, False),
        ("http://[::1]:80/v1", ("http://[::1]/v1", "http://[::1]/v1/v1"), "[::1]", True, False),
        ("https://a.io/paas/v4", ("https://a.io/paas/v4", "https://a.io/paas/v4/v1"), "a.io", False, True),
        ("https://a.io/v1b/oai/", ("https://a.io/v1b/oai", "https://a.io/v1b/oai/v1"), "a.io", False, True),
    ],
)
def test_addresses(text, roots, host, local, encrypted):
    known = address(text)
    assert (known.roots, known.host, known.local, known.encrypted) == (roots, host, local, encrypted)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ftp://a",
        "http://",
        "https://me:secret@a.example",
        "https://a/v1?key=secret",
        "a b",
        "a:99999",
        "file:///etc",
    ],
)
def test_addresses_that_are_none(text):
    with pytest.raises(BadAddress) as error:
        Remote(text)
    assert "me:" not in str(error.value)
