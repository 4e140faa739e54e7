"""What programs are told is of the form that each takes, and says the address as each wants it."""

import json
import shlex

import pytest

from app.services.snippets import SECRET, snippets

ADDRESS = "http://127.0.0.1:8317"


def texts(address: str = ADDRESS, secret: str = "sk-1", model: str = "longread", **how) -> dict[str, str]:
    return {one.tool: one.text for one in snippets(address, secret, model, windows=how.pop("windows", False), **how)}


def test_openais_protocol_is_under_v1_and_anthropics_is_not():
    told = texts()
    for tool in ("openai", "continue", "cline", "curl"):
        assert f"{ADDRESS}/v1" in told[tool]
    assert json.loads(told["settings_json"])["env"]["ANTHROPIC_BASE_URL"] == ADDRESS
    assert f"export ANTHROPIC_BASE_URL={ADDRESS}\n" in told["claude_code"]
    assert all("sk-1" in text and "longread" in text for text in told.values())


def test_without_a_secret_its_place_is_marked():
    assert all(SECRET in text for text in texts(secret="").values())


def test_names_with_quotes_and_spaces_stay_one_word():
    told = texts(model='longread:Smith "v." Jones')
    names: dict[str, object] = {}

    class OpenAI:
        def __init__(self, **options) -> None:
            names.update(options)
            self.chat = self.completions = self

        def create(self, **asked):
            names.update(asked)
            raise StopIteration

    code = told["openai"].replace("from openai import OpenAI", "")
    with pytest.raises(StopIteration):
        exec(compile(code, "snippet", "exec"), {"OpenAI": OpenAI})
    assert names["model"] == 'longread:Smith "v." Jones'
    assert (names["base_url"], names["api_key"], names["max_retries"]) == (f"{ADDRESS}/v1", "sk-1", 0)
    assert json.loads(told["settings_json"])["env"]["ANTHROPIC_MODEL"] == 'longread:Smith "v." Jones'
    exported = dict(shlex.split(line)[1].split("=", 1) for line in told["claude_code"].splitlines())
    assert exported["ANTHROPIC_MODEL"] == 'longread:Smith "v." Jones'
    words = shlex.split(told["curl"].replace("\\\n", ""))
    assert json.loads(words[words.index("-d") + 1])["model"] == 'longread:Smith "v." Jones'


def test_an_apostrophe_does_not_end_curls_body():
    words = shlex.split(texts(model="longread:Anna's")["curl"].replace("\\\n", ""))
    assert json.loads(words[words.index("-d") + 1])["model"] == "longread:Anna's"


def test_powershell_has_forms_of_its_own():
    told = texts(windows=True)
    assert "$env:ANTHROPIC_AUTH_TOKEN = 'sk-1'\n" in told["claude_code"]
    body, _, command = texts(model="longread:Anna's", windows=True)["curl"].partition(" | ")
    assert json.loads(body[1:-1].replace("''", "'"))["model"] == "longread:Anna's"
    assert command.startswith("curl.exe ")
    assert command.endswith("--data-binary '@-'\n")


def test_a_certificate_that_was_made_here_is_named_to_each_that_can_take_one():
    told = texts("https://ada:8317", certificate="/data/api-certificate.pem")
    assert "NODE_EXTRA_CA_CERTS=/data/api-certificate.pem\n" in told["claude_code"]
    assert "--cacert" in told["curl"]
    assert "SSL_CERT_FILE" in told["openai"]
    assert "caBundlePath" in told["continue"]


def test_where_a_proxy_would_swallow_it_programs_are_led_past():
    told = texts(past_proxy=True)
    assert "export NO_PROXY=127.0.0.1\n" in told["claude_code"]
    assert 'os.environ["NO_PROXY"] = "127.0.0.1"\n' in told["openai"]
    assert 'noProxy: ["127.0.0.1"]' in told["continue"]
    assert not any("NO_PROXY" in text for text in texts().values())
