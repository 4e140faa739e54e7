"""The command line's keys: the secret on stdout alone and once, everything else beside it."""

import asyncio
import json
from pathlib import Path

import pytest

from app.data.document import Extracted, Span
from app.data.key import Key, KeyRefused
from app.services.database import Database
from app.services.keys import Keys
from app.services.library import Library


@pytest.fixture
def keys(home):
    """As the local API would see them, from beside the command line."""
    opened = Keys(Database(home / "longread.db"))
    yield opened
    opened.close()


@pytest.fixture
def lease(home, document, monkeypatch) -> str:
    """A document in the library; its id."""

    async def extract(source: Path, on_progress, options=None) -> Extracted:
        text = source.read_text()
        return Extracted(text, "text", source.name, "page", (Span(0, len(text), 0, "1"),))

    monkeypatch.setattr("app.services.library.extract", extract)
    database = Database(home / "longread.db")
    item = asyncio.run(Library(database, home / "texts").add(Path(document("The rent."))))
    database.close()
    return item.id


def listed(run) -> list[dict]:
    return json.loads(run("keys", "list", "--json")[1])["keys"]


def test_looking_makes_no_file(run, home):
    assert run("keys")[:2] == (0, "")
    assert json.loads(run("keys", "--json")[1]) == {"keys": []}
    assert not (home / "longread.db").exists()


def test_a_secret_alone_is_on_stdout_and_what_it_may_beside_it(run, keys, lease):
    code, out, error = run(
        *("keys", "add", "my editor", "--models", "longread,far/large", "--models", "smol", "--documents", "LEASE.txt"),
        *("--remote", "--daily-tokens", "5000"),
    )
    assert code == 0
    secret = out.removesuffix("\n")
    key = keys.check(secret)
    assert isinstance(key, Key)
    assert (key.name, key.models, key.documents) == ("my editor", ("longread", "far/large", "smol"), (lease,))
    assert (key.remote, key.daily_tokens) == (True, 5000)
    assert secret not in error
    assert "No model is called smol just now." in error
    assert error.count("No model is called") == 1
    assert "lease.txt" in error
    assert 'longread keys revoke "my editor"' in error
    code, out, _ = run("keys", "list")
    assert code == 0
    assert "longread, far/large, smol · lease.txt · other computers' engines too · at most 5,000 tokens a day" in out
    assert "not used yet" in out
    assert secret not in out


def test_use_is_told(run, keys):
    key, _ = keys.add("script")
    keys.used(key.id, prompt=1200, reused=1000, written=34, error="model_not_found")
    out = run("keys", "list")[1]
    assert "1 request · 1,200 tokens in prompts, 1,000 of them reused · 34 written · 1,234 today · used " in out
    assert "last request: unknown model" in out
    (told,) = listed(run)
    assert (told["requests"], told["today"], told["hint"]) == (1, 1234, key.hint)
    assert "hash" not in told


def test_a_key_is_revoked_then_forgotten(run, keys):
    _, secret = keys.add("script")
    code, out, error = run("keys", "forget", "script")
    assert (code, out) == (1, "")
    assert "Revoke it before it is forgotten." in error
    assert run("keys", "revoke", "Script")[:2] == (0, "")
    assert keys.check(secret) == KeyRefused("revoked")
    assert "revoked 20" in run("keys", "list")[1]
    assert run("keys", "forget", "script")[:2] == (0, "")
    assert listed(run) == []


def test_what_cannot_be_is_told_and_makes_no_key(run, lease):
    run("keys", "add", "script")
    for words, code, said in (
        (("add", "Script"), 1, "There is a key script already"),
        (("add", " "), 1, "A key needs a name"),
        (("add", "other", "--documents", "nothing.pdf"), 1, "Nothing in the library is called nothing.pdf"),
        (("add", "other", "--daily-tokens", "0"), 2, "must be 1 or more"),
        (("revoke", "nobody"), 1, "There is no key nobody. See: longread keys list"),
        (("forget", "nobody"), 1, "There is no key nobody."),
    ):
        ended, out, error = run("keys", *words)
        assert (ended, out) == (code, "")
        assert said in error
    assert [key["name"] for key in listed(run)] == ["script"]
