"""Models by the names that clients give them, and which of them is loaded."""

from pathlib import Path

import openai
import pytest

from app import paths
from app.data.key import Key
from app.data.model import ModelEntry
from app.data.provider import Provider
from app.data.settings import Settings
from app.gateway import names
from app.services.models import Models
from app.services.providers import Providers

ASKED = [{"role": "user", "content": "hello"}]


def entry(name: str, title: str, path: str | None = "/somewhere") -> ModelEntry:
    return ModelEntry(name, title, 0, 0, 8192, "", "", path)


def test_a_models_name_is_no_path() -> None:
    entries = [
        entry("small", "Small model"),
        entry("far", "Not fetched", None),
        entry("/models/my model.gguf", "my model", "/models/my model.gguf"),
        entry("/other/my model.gguf", "my model", "/other/my model.gguf"),
    ]
    models = names.of_entries(entries, lambda name: Settings(model=name))
    assert [model.name for model in models] == ["small", "my-model", "my-model-2"]
    assert models[1].is_called("/models/my model.gguf")
    assert models[1].settings == Settings(model="/models/my model.gguf")


@pytest.mark.parametrize(
    ("limits", "may"),
    [
        ({}, {"small", "box/big"}),
        ({"remote": False}, {"small"}),
        ({"models": ("small",)}, {"small"}),
        ({"models": ("/models/small",)}, {"small"}),
        ({"models": ("box/big",)}, {"box/big"}),
        ({"models": ("box/big",), "remote": False}, set()),
    ],
)
def test_what_a_key_may_ask(limits, may) -> None:
    models = [
        names.Model("small", "local", Settings(), also=("/models/small",)),
        names.Model("box/big", "box", None),
    ]
    key = Key(*("id", "name", "hint"), **({"remote": True} | limits))
    assert {model.name for model in models if names.allowed(model, key)} == may


def test_a_list_of_models_elsewhere_is_read_once(scripted, tmp_path, monkeypatch) -> None:
    far = Providers(tmp_path / "providers.json")
    far.put(Provider("box", "http://10.0.0.2:9", models=tuple(f"m{number}" for number in range(300))))
    reads: list[None] = []
    read = far._read
    monkeypatch.setattr(far, "_read", lambda: reads.append(None) or read())
    monkeypatch.setattr(scripted.behind, "_elsewhere", far)

    async def known() -> list[names.Model]:
        return scripted.behind.models()

    found = [model for model in scripted.do(known()) if model.settings is None]
    assert (len(found), found[7].name, found[7].host, len(reads)) == (300, "box/m7", "10.0.0.2:9", 1)


@pytest.fixture
def client(scripted):
    with openai.OpenAI(base_url=scripted.address, api_key="sk-all", max_retries=0, timeout=30) as client:
        yield client


@pytest.fixture
def other(scripted):
    """The name of a second model on this computer."""
    path = Path(scripted.assistant.settings.model).with_name("other.gguf")
    path.write_bytes(b"GGUF")
    models = Models(paths.models())
    models.add(path)
    yield "other"
    models.drop(str(path))


def ask(client, model: str) -> str:
    return client.chat.completions.create(model=model, messages=ASKED).choices[0].message.content


def test_one_model_is_loaded_at_a_time(client, scripted, other: str) -> None:
    assert ask(client, "longread") == "You asked: hello"
    with pytest.raises(openai.InternalServerError) as caught:
        ask(client, other)
    assert (caught.value.status_code, caught.value.code) == (503, "another_model")
    assert "test is loaded" in caught.value.message
    assert scripted.assistant.settings.model.endswith("test.gguf")


def test_clients_may_change_it_where_they_are_let(client, scripted, other: str, monkeypatch) -> None:
    monkeypatch.setattr(scripted.behind, "_switch", True)
    assert ask(client, other) == "You asked: hello"
    assert scripted.assistant.settings.model.endswith("other.gguf")
    assert ask(client, "test") == "You asked: hello"
    assert scripted.assistant.settings.model.endswith("test.gguf")


def test_a_model_under_a_name_of_its_own(client, scripted, monkeypatch) -> None:
    ask(client, "longread")
    settings = scripted.assistant.settings
    narrow = Settings(model=settings.model, window=1024)
    monkeypatch.setattr(scripted.behind, "_named", {"alike": settings, "narrow": narrow})
    assert ask(client, "alike") == "You asked: hello"
    with pytest.raises(openai.InternalServerError, match="is loaded"):
        ask(client, "narrow")  # the same model, but it would have to be loaded anew


def test_a_model_that_was_not_fetched_yet(client) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        ask(client, "smollm2-135m-instruct")
    assert caught.value.code == "model_missing"
    assert "longread models fetch smollm2-135m-instruct" in caught.value.message


def test_a_key_for_another_model(client, scripted, other: str, monkeypatch) -> None:
    monkeypatch.setitem(scripted.keys.known, "sk-all", Key("k2", "other", "-all", models=(other,)))
    assert [model.id for model in client.models.list()] == [other]
    with pytest.raises(openai.PermissionDeniedError) as caught:
        ask(client, "test")
    assert caught.value.code == "model_not_allowed"
    assert other in caught.value.message


def test_a_key_that_has_used_up_its_day(client, scripted, monkeypatch) -> None:
    monkeypatch.setitem(scripted.keys.known, "sk-all", Key("k3", "small", "-all", daily_tokens=10))
    monkeypatch.setattr(scripted.keys, "exceeded", lambda key: True)
    with pytest.raises(openai.RateLimitError) as caught:
        ask(client, "longread")
    assert caught.value.code == "daily_limit"


def test_a_model_that_cannot_be_loaded(client, scripted, monkeypatch) -> None:
    broken = Path(scripted.assistant.settings.model).with_name("broken.gguf")
    broken.write_bytes(b"GGUF")
    monkeypatch.setattr(scripted.behind, "_named", {"cut": Settings(model=str(broken))})
    monkeypatch.setattr(scripted.behind, "_switch", True)
    with pytest.raises(openai.InternalServerError) as caught:
        ask(client, "cut")
    assert caught.value.code == "cannot_load"
    assert "cut short" in caught.value.message
    assert ask(client, "longread") == "You asked: hello"


def test_metrics_tell_what_each_key_used(client, scripted) -> None:
    ask(client, "longread")
    with pytest.raises(openai.NotFoundError):
        ask(client, "nobody")
    told = client.get("/metrics", cast_to=str)
    assert "# TYPE longread_tokens_total counter" in told
    assert 'longread_requests_failed_total{key="all",code="model_not_found"}' in told
    (line,) = [line for line in told.splitlines() if line.startswith('longread_tokens_total{key="all",kind="prompt"}')]
    assert int(line.split()[-1]) > 0
