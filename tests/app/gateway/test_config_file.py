"""config.toml as it is written: what it may hold, what is wrong with it, and on which line."""

import re
from pathlib import Path

import msgspec
import pytest

from app.data.fault import NotHonoured
from app.data.serve_config import ModelSection, ProviderSection, ServeConfig
from app.data.settings import Settings
from app.gateway import config_written
from app.gateway.config import serving
from app.gateway.config_file import parse, read
from app.serve_words import said


def faults(text: str) -> list[str]:
    with pytest.raises(NotHonoured) as refused:
        parse(text)
    return [said(fault) for fault in refused.value.faults]


def test_what_is_printed_says_nothing_but_defaults():
    printed = parse(config_written.written())
    assert msgspec.structs.replace(printed, given={}) == ServeConfig()
    meant, empty = serving(printed, Settings(), {}), serving(ServeConfig(), Settings(), {})
    assert msgspec.structs.replace(meant, config=ServeConfig()) == empty


def test_every_key_is_printed_with_what_it_means():
    text = config_written.written()
    for key, meaning in config_written.meanings().items():
        section, _, name = key.rpartition(".")
        assert f"\n{name} = " in text or f"\n#{name} = " in text, key
        assert " ".join(meaning.split())[:30] in " ".join(text.replace("\n#", "").split()), key
        assert section.partition(".")[0] in ServeConfig.__struct_fields__


def test_with_every_comment_sign_gone_it_is_still_sound():
    """The examples stand behind a # and are taken as they are."""
    text = "\n".join(line if line.startswith("# ") else line.removeprefix("#") for line in _printed())
    parsed = parse(text)
    assert parsed.models["smollm2-135m-128k"].mode == "parallel"
    assert parsed.providers["work"].max_retries == 2
    assert parsed.attention.score_window == 65_536


def _printed() -> list[str]:
    return config_written.written().splitlines()


def test_sections_with_names_of_their_own():
    parsed = parse('[models.small-128k]\nmodel = "a"\n[providers.far]\nbase_url = "https://h"\nmodels = ["m"]')
    assert parsed.models == {"small-128k": ModelSection(model="a")}
    assert parsed.providers == {"far": ProviderSection(base_url="https://h", models=("m",))}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[server]\nhots = 1", "server.hots (line 2): There is no key of that name; did you mean host?."),
        ("[atention]", "atention (line 1): There is no section of that name; did you mean attention?."),
        ("port = 1", "port (line 1): There is no section of that name"),
        ("server = 1", "server (line 1): It must be a section: [server]."),
        ("[models]\nx = 1", "models (line 1): Give it a name of its own: [models.NAME]."),
        ('[models."a b"]\nmodel = "x"', "models.a b (line 1): A name is letters, digits"),
        ("[server]\nport = 70000", "It must be a whole number from 0 to 65,535; 70000 was written."),
        ('[server]\nport = "8"', 'It must be a whole number from 0 to 65,535; "8" was written.'),
        ("[server]\nport = true", "It must be a whole number from 0 to 65,535; true was written."),
        ("[server]\nhost = 1", 'It must be text in quotation marks ("..."); 1 was written.'),
        ('[server]\nnames = "a"', "It must be a list, each of it text"),
        ("[server]\ncontext_length = 511", "It must be a whole number of 512 or more; 511 was written."),
        ("[server]\nmem_fraction_static = 0", "It must be a number above 0 and at most 1; 0 was written."),
        ("[server]\nrequest_timeout = -1", "It must be a number above 0; -1 was written."),
        ("[server]\napi_key = 12", "server.api_key (line 2): It must be text"),
        ("[attention]\nadaptive_weight = 0.5", "It must be true or false; 0.5 was written."),
        ("[quantization]\nmethod = 'awq'", 'It must be gptq_int4 or int8; "awq" was written.'),
        ("[long_context]\nrope_scaling = []", "It must be none, ntk or yarn; a list was written."),
        ("[long_context.kv_eviction]", "It must be true or false; a section was written."),
        ("[providers.x]\nmax_retries = 11", "It must be a whole number from 0 to 10; 11 was written."),
        ("a = ", "The file is no TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, sentence):
    assert any(sentence in one for one in faults(text)), faults(text)


def test_every_fault_at_once():
    assert len(faults("[server]\nport = -1\nhots = 1\n[attention]\nsparse_impl = 'cuda'")) == 3


def test_a_key_is_never_repeated_in_what_is_said():
    assert "sk-secret" not in " ".join(
        faults('[server]\napi_key = ["sk-secret"]\n[providers.x]\napi_key = ["sk-secret"]')
    )


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "latin.toml").write_bytes(b"[server]\nhost = '\xe9'")
    (tmp_path / "marked.toml").write_bytes(b"\xef\xbb\xbf[server]\r\nport = 0\r\n")
    for name, sentence in (("none.toml", "The file cannot be read"), ("latin.toml", "The file is not UTF-8")):
        with pytest.raises(NotHonoured) as refused:
            read(tmp_path / name)
        assert said(refused.value.faults[0]).startswith(sentence)
    assert read(tmp_path / "marked.toml").server.port == 0


def test_the_documentation_has_every_key():
    section, told = "", set()
    for line in (Path(__file__).parents[3] / "resources" / "docs" / "config.md").read_text().splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ").strip("[]")
        elif line.startswith("| `"):
            told |= {f"{section}.{name}" for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert told == set(config_written.meanings())
