"""Servers that are kept: by name, for the person alone, and never with their key in anything that is shown."""

import os
import stat

import openai_server
import pytest
from openai_server import words

from app.data.provider import Provider, named, parts
from app.data.settings import Settings
from app.services.assistant import Assistant
from app.services.privacy import Connections
from app.services.problem import Problem
from app.services.providers import Providers

GPU = Provider("gpu", "http://gpu.example:30000", "sk-secret", models=("openbmb/SALA", "/models/x"))


@pytest.fixture
def providers(home) -> Providers:
    return Providers(home / "providers.json", Connections(), variables={"KEY": "sk-of-a-variable"})


def code(call) -> str:
    with pytest.raises(Problem) as problem:
        call()
    return problem.value.code


def test_a_model_of_a_server_is_found_by_its_name(providers):
    providers.put(GPU)
    assert providers.find("gpu/openbmb/SALA") == (GPU, "openbmb/SALA")
    assert providers.find("gpu//models/x") == (GPU, "/models/x")
    for name in ("smollm2-135m-instruct", "/models/x", "other/x", "gpu", "gpu/", "C:\\models\\x.gguf"):
        assert providers.find(name) is None
    assert tuple(providers.hosts()) == ("gpu/openbmb/SALA", "gpu//models/x")
    assert providers.host("gpu/openbmb/SALA") == "gpu.example:30000"
    assert providers.host("smollm2-135m-instruct") is None
    assert parts(named("a", "b/c")) == ("a", "b/c")


def test_a_model_in_use_stays_in_the_list(providers):
    providers.put(GPU)
    assert [one.name for one in providers.entries(chosen="gpu/gone")][-1] == "gpu/gone"


def test_keys_are_for_the_person_alone(providers):
    providers.put(GPU)
    assert "sk-secret" not in repr(GPU) + repr(providers.all())
    if os.name == "posix":
        providers.path.chmod(0o644)  # as a copy from elsewhere has it
        assert providers.all() == (GPU,)
        assert stat.S_IMODE(providers.path.stat().st_mode) == 0o600


def test_what_cannot_be_is_refused_and_nothing_is_lost(providers):
    providers.put(GPU)
    assert code(lambda: providers.put(Provider("a/b", "http://a"))) == "provider_name"
    assert code(lambda: providers.put(Provider("a", "http://me:secret@a"))) == "provider_address"
    assert code(lambda: providers.get("a")) == "provider_unknown"
    assert code(lambda: providers.engine("nothing/x")) == "provider_unknown"
    providers.path.write_text('{"version": 99, "providers": []}')
    assert code(providers.all) == "providers_newer"
    assert code(lambda: providers.put(GPU)) == "providers_newer"
    providers.path.write_bytes(b"\xff{")
    assert code(providers.all) == "providers_damaged"
    assert providers.path.read_bytes() == b"\xff{"


def test_a_key_in_a_variable(providers):
    assert providers.key(Provider("a", "http://a", api_key_env="KEY")) == "sk-of-a-variable"
    assert code(lambda: providers.key(Provider("a", "http://a", api_key_env="NONE"))) == "provider_key_unset"


def test_an_engine_is_made_anew_when_its_key_changes(providers):
    providers.put(GPU)
    first = providers.engine("gpu/openbmb/SALA")
    assert providers.engine("gpu/openbmb/SALA") is first
    providers.put(Provider("gpu", GPU.base_url, "sk-other", models=GPU.models))
    assert providers.engine("gpu/openbmb/SALA") is not first


async def test_a_try_keeps_what_the_server_lists(providers):
    with openai_server.serving() as server:
        server.answer(words("yes"))
        providers.put(Provider("here", server.address, models=("mine",)))
        outcome = await providers.test("here", "openbmb/MiniCPM-SALA")
    assert outcome.answered == "yes"
    assert providers.get("here").models == ("openbmb/MiniCPM-SALA", "mine")
    assert providers.get("here").windows == {"openbmb/MiniCPM-SALA": 1048576}
    assert next(iter(providers.hosts())) == "here/openbmb/MiniCPM-SALA"


async def test_no_engine_is_started_for_a_model_elsewhere(providers, engine, library, conversations, add):
    with openai_server.serving() as server:
        server.answer(words("It says “The rent is 900.”"))
        providers.put(Provider("here", server.address, models=("m",)))
        settings = Settings(model="here/m", policy="h2o", reading_mode="parallel", selection="quest")
        assistant = Assistant(engine, library, conversations, None, settings, providers)
        one = conversations.new()
        item = await add("The rent is 900. It is paid monthly.")
        answer = assistant.ask(one.id, "What?", (item.id,))
        await answer.checked()
        await assistant.close()
    assert (engine.state, engine.sent, engine.loads) == ("stopped", [], [])
    assert assistant.host == server.host
    message = answer.message
    assert (message.state, message.ledger.host) == ("answered", server.host)
    assert [(quote.verdict, len(quote.places)) for quote in message.quotes] == [("exact", 1)]
    assert library.get(item.id).tokens == 9
