"""Every key of config.toml changes what is served, or is refused with the reason."""

import re
from pathlib import Path

import pytest

from app.data.gateway import GatewaySettings
from app.data.key import Key, KeyRefused
from app.data.provider import Provider
from app.data.settings import Settings
from app.gateway import config_written
from app.gateway.config_file import parse
from app.gateway.config_key import WithConfigured
from app.services.methods import SNAPKV_WINDOW
from app.services.requests import model_settings, reading_settings
from engine.protocol import Eviction, ModelSettings, Note, ReadingSettings, Selection
from engine.reading.eviction import guard
from tests.app.gateway.config_meaning import DENSE, KEY, by_the_model, meant, refused


def gateway(text: str) -> GatewaySettings:
    return meant(text).gateway


def model(text: str) -> ModelSettings:
    return model_settings(meant(text).settings, Path("/m"))


def reading(text: str) -> ReadingSettings:
    return reading_settings(meant(text).settings)


@pytest.fixture
def files(tmp_path):
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).write_text("PEM")
    return tmp_path


EFFECTS = {
    "server.host": ("host = '0.0.0.0'", gateway, "host", "0.0.0.0"),
    "server.port": ("port = 0", gateway, "port", 0),
    "server.names": ("names = ['books.lan']", gateway, "names", ("books.lan",)),
    "server.tls": ("tls = true", gateway, "tls_own", True),
    "server.api_key": (f"api_key = '{KEY}'", meant, "api_key", KEY),
    "server.model_path": ("model_path = '/a/model.gguf'", lambda text: meant(text).settings, "model", "/a/model.gguf"),
    "server.context_length": ("context_length = 4096", model, "window", 4096),
    "server.mem_fraction_static": ("mem_fraction_static = 0.5", model, "memory", 0.5),
    "server.request_timeout": ("request_timeout = 600", gateway, "request_timeout", 600.0),
    "server.switch": ("switch = true", meant, "switch", True),
    "attention.impl": ("impl = 'h2o'", reading, "eviction", Eviction("h2o")),
    "attention.sparse_impl": ("sparse_impl = 'torch'", model, "sparse", "torch"),
    "attention.linear_impl": ("linear_impl = 'native'", model, "linear", "native"),
    "long_context.extrapolation": ("extrapolation = 'none'", reading, "mode", "whole"),
    "long_context.chunk_size": ("chunk_size = 1024", reading, "segment", 1024),
    "long_context.rope_scaling": ("rope_scaling = 'yarn'", model, "extension", "yarn"),
}
"""By key: what is written, where it arrives, the field and its value. Those that need a second key are below."""


@pytest.mark.parametrize("key", EFFECTS)
def test_a_key_changes_what_is_served(key):
    written, where, field, value = EFFECTS[key]
    text = f"[{key.partition('.')[0]}]\n{written}"
    assert getattr(where(text), field) == value
    assert getattr(where(""), field) != value


@pytest.mark.parametrize(
    ("impl", "field", "value"),
    [
        ("triattention", "eviction", Eviction("triattention")),
        ("snapkv", "eviction", Eviction("snapkv")),
        ("StreamingLLM", "eviction", Eviction("streaming")),
        ("quest", "selection", Selection("quest")),
        ("blocks", "selection", Selection("blocks")),
        ("ParallelComp", "mode", "parallel"),
        ("dense", "mode", "auto"),
        ("auto", "mode", "auto"),
    ],
)
def test_ways_of_attention(impl, field, value):
    assert getattr(reading(f"[attention]\nimpl = '{impl}'"), field) == value


def test_a_share_of_what_is_kept():
    assert reading("[attention]\nimpl = 'triattention'\ncompress_ratio = 0.3").eviction == Eviction("triattention", 0.3)
    assert refused("[attention]\ncompress_ratio = 0.3") == [
        "attention.compress_ratio (line 2): Nothing chooses what is kept. Set attention.impl to triattention, h2o, "
        "snapkv or streaming (blocks, for a model that chooses blocks itself), or long_context.eviction_strategy to "
        "compression."
    ]


@pytest.mark.parametrize(
    ("strategy", "calibrate", "budget"),
    [("calibration", True, 1.0), ("compression", False, 0.5), ("calibration-compression", True, 0.5)],
)
def test_rows_of_segments_are_given_up(strategy, calibrate, budget):
    ratio = "[attention]\ncompress_ratio = 0.5\n" if budget < 1 else ""
    on = f"{ratio}[long_context]\neviction_strategy = '{strategy}'\nkv_eviction = "
    assert (reading(on + "true").calibrate, reading(on + "true").budget) == (calibrate, budget)
    if budget == 1:
        assert reading(on + "false") == reading(""), "switched off in so many words"


@pytest.mark.parametrize(("method", "precision"), [("int8", "int8"), ("gptq_int4", "int4")], ids=["int8", "gptq_int4"])
def test_weights_in_fewer_bits(method, precision):
    text = f"[quantization]\nmethod = '{method}'\nenabled = "
    assert model(text + "true").precision == precision
    assert model(text + "false").precision == "auto"


@pytest.mark.parametrize(
    ("impl", "said", "eviction"),
    [
        ("triattention", "score_window = 1", Eviction("triattention", score_window=1)),
        ("triattention", "score_window = 300", Eviction("triattention", score_window=300)),
        ("triattention", "adaptive_weight = false", Eviction("triattention", adaptive_weight=False)),
        ("triattention", "adaptive_weight = true", Eviction("triattention")),
        ("snapkv", "score_window = 32", Eviction("snapkv")),
    ],
)
def test_by_what_a_policy_chooses(impl, said, eviction):
    assert reading(f"[attention]\nimpl = '{impl}'\n{said}").eviction == eviction


def test_the_window_that_is_fixed_is_the_engines():
    assert guard.WINDOW == SNAPKV_WINDOW


def test_another_policy_is_not_asked_for_what_triattention_knows():
    text = "[attention]\nimpl = 'triattention'\nscore_window = 300\nadaptive_weight = false\n[models.x]\nmodel = '/m'\n"
    named = {said: meant(f"{text}{said}").named["x"] for said in ("", "policy = 'h2o'")}
    assert reading_settings(named[""]).eviction == Eviction("triattention", score_window=300, adaptive_weight=False)
    assert reading_settings(named["policy = 'h2o'"]).eviction == Eviction("h2o")


REFUSED = [
    ("[attention]\ncompress_ratio = 0.5", "Nothing chooses what is kept."),
    ("[attention]\nimpl = 'magic'", "attention.impl (line 2): magic is not known. Known: auto, full, sala,"),
    ("[attention]\nimpl = 'h2o'\nscore_window = 8", "Only these policies choose by a window of tokens"),
    ("[attention]\nimpl = 'snapkv'\nscore_window = 8", "It is 32 for snapkv and cannot be another"),
    ("[attention]\nscore_window = 8", "Only these policies choose by a window of tokens: triattention, snapkv."),
    ("[attention]\nimpl = 'h2o'\nadaptive_weight = false", "It is a part of triattention and of nothing else."),
    ("[attention]\nadaptive_weight = true", "Set attention.impl to triattention"),
    (
        "[attention]\nimpl = 'h2o'\n[long_context]\nextrapolation = 'parallel'",
        "h2o works on a text that is read whole",
    ),
    ("[attention]\nimpl = 'quest'\n[long_context]\nchunk_size = 512", "Nothing is read in segments here"),
    ("[long_context]\nextrapolation = 'none'\nchunk_size = 512", "Nothing is read in segments here"),
    ("[attention]\nimpl = 'parallel'\n[long_context]\nextrapolation = 'none'", "Leave one out"),
    ("[long_context]\nextrapolation = 'ntk'", "Positions are stretched when the model is loaded (ntk; now: none)"),
    ("[long_context]\nextrapolation = 'more'", "more is not known. Known: auto, none, parallel, yarn, ntk"),
    ("[long_context]\neviction_strategy = 'calibration'", "It waits for long_context.kv_eviction = true."),
    (
        "[long_context]\nkv_eviction = true\neviction_strategy = 'all'",
        "all is not known. Known: none,",
    ),
    ("[long_context]\nkv_eviction = true\neviction_strategy = 'compression'", "Set attention.compress_ratio"),
    ("[attention]\nimpl = 'h2o'\n[long_context]\nkv_eviction = true", "Nothing is read in segments here"),
    ("[long_context]\nauto_truncate = true", "long_context.auto_truncate (line 2): A text is never cut here"),
    ("[quantization]\nmethod = 'int8'", "It waits for quantization.enabled = true."),
    ("[server]\ntls_certificate = 'nothing.pem'", "There is no file at that place."),
    ("[server]\ntls_key = 'nothing.pem'", "A certificate needs its key"),
    ("[server]\napi_key = 'short'", "A key of fewer than 16 characters can be guessed."),
    ("[server]\napi_key = 'sk-0123456789abcdef '", "A key is one word of visible letters"),
    ("[server]\napi_key = '${env:NOT_SET}'", "The environment variable NOT_SET is not set."),
    ("[server]\napi_key = '${HOME}'", "A variable is written ${env:NAME}"),
    ("[server]\napi_key_remote = true", "It is about api_key, which is not there."),
    ("[providers.x]", "providers.x.base_url: Its address is missing"),
    ("[providers.x]\nbase_url = 'ftp://h'", "ftp://h is no address of a server"),
    ("[providers.x]\nbase_url = 'https://a'\napi_base = 'https://b'", "mean the same and say different things"),
    ("[providers.x]\nbase_url = 'https://a'\napi_key = 'k'\napi_key_env = 'THE_KEY'", "Leave one out"),
    ("[providers.x]\nbase_url = 'https://a'\napi_key_env = 'NOT_SET'", "variable NOT_SET is not set"),
    ("[providers.x]\nbase_url = 'https://a'\napi_key = \"k\\n\"", "A key is one word of visible letters"),
    ("[models.x]\nmode = 'whole'", "models.x.model: Which model?"),
    ("[models.smollm2-135m-instruct]\nmodel = '/m'", "A model of `longread models` is called so."),
    ("[models.x]\nmodel = '/m'\npolicy = 'h2o'\nmode = 'parallel'", "models.x.mode (line 4): h2o works on a text"),
    ("[models.x]\nmodel = '/m'\nkeep = 0.5", "Set models.x.policy to triattention"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_a_key_is_refused_with_the_reason(text, sentence):
    told = refused(text)
    assert any(sentence in one for one in told), told


def test_a_certificate_of_ones_own(files):
    written = f"[server]\ntls_certificate = '{files / 'cert.pem'}'\ntls_key = '{files / 'key.pem'}'\n"
    served = gateway(written + "tls = true")
    assert (served.tls_certificate, served.tls_key) == (str(files / "cert.pem"), str(files / "key.pem"))
    assert not served.tls_own
    assert any("It waits for server.tls = true" in one for one in refused(written))


def test_the_files_key_opens_beside_the_kept_ones():
    class Kept:
        def check(self, secret: str) -> Key | KeyRefused:
            return Key("1", "kept", "kept") if secret == "sk-kept" else KeyRefused("unknown")

        def used(self, id: str, **counts: object) -> None:
            assert id == "1"

        def exceeded(self, key: Key) -> bool:
            return True

    text = "[server]\napi_key = '${env:THE_KEY}'\napi_key_remote = true\n[providers.far]\nbase_url = 'https://h'"
    served = meant(text)
    assert KEY not in repr(served)
    keys = WithConfigured(Kept(), served.api_key, remote=served.api_key_remote)
    own = keys.check(KEY)
    assert (own, own.remote, own.hint) == (keys.key, True, "cdef")
    assert not keys.exceeded(own)
    keys.used(own.id, prompt=1, reused=0, written=1)
    assert keys.check("sk-kept").name == "kept"
    assert keys.check(KEY + "x") == KeyRefused("unknown")


PROVIDERS = """
[providers.work]
api_base = "https://${env:HOST}/v1"
api_key_env = "THE_KEY"
timeout_seconds = 900
max_retries = 0
models = ["a/b"]
[providers.home]
base_url = "http://10.0.0.2:8000"
api_key = "${env:THE_KEY}"
"""


def test_providers():
    work = Provider("work", "https://engine.example.org/v1", "", "THE_KEY", 900.0, 0, ("a/b",))
    assert meant(PROVIDERS).providers == (work, Provider("home", "http://10.0.0.2:8000", KEY))


NAMED = """
[server]
context_length = 2048
[attention]
impl = "h2o"
[models.small-128k]
model = "smollm2-135m-instruct"
window = 131072
precision = "int8"
mode = "parallel"
policy = "none"
chunk_size = 1024
[models.small-forgetful]
model = "smollm2-135m-instruct"
policy = "snapkv"
keep = 0.25
[models.small-stretched]
model = "smollm2-135m-instruct"
rope_scaling = "ntk"
"""


def test_models_under_names_of_their_own():
    named = meant(NAMED).named
    long, forgetful, stretched = (named[f"small-{name}"] for name in ("128k", "forgetful", "stretched"))
    assert (long.model, long.window, long.precision) == ("smollm2-135m-instruct", 131_072, "int8")
    assert (long.reading_mode, long.segment, reading_settings(long).eviction) == ("parallel", 1024, None)
    assert (forgetful.window, reading_settings(forgetful).eviction) == (2048, Eviction("snapkv", 0.25))
    assert (stretched.extension, stretched.policy) == ("ntk", "h2o")


def test_the_windows_settings_are_not_the_servers_but_this_computer_is():
    served = meant("", Settings(policy="h2o", window=1024, threads=3, readings_folder="/r", hub="https://h"))
    assert served.settings == Settings(threads=3, readings_folder="/r")


TOO_MANY = (Note("not_extended_hybrid", {"method": "yarn", "native": "4096", "kind": "default"}),)


BY_THE_MODEL = [
    ("[attention]\nsparse_layers_ratio = 0.25\nlinear_layers_ratio = 0.75", {}, ""),
    (
        "[attention]\nsparse_layers_ratio = 0.5",
        {},
        "attention.sparse_layers_ratio (line 2): 0.5 is not this model's: 8 of its 32 layers are sparse, which is",
    ),
    ("[attention]\nlinear_layers_ratio = 0.5", {}, "24 of its 32 layers are lightning (linear), which is 0.75."),
    ("[attention]\nlinear_layers_ratio = 0.5", DENSE, "0 of its 30 layers are lightning (linear), which is 0."),
    ("[attention]\nlinear_layers_ratio = 0", DENSE, ""),
    ("[attention]\ntrig_freq_base = 10000", {}, ""),
    ("[attention]\ntrig_freq_base = 500000", {}, "The base of this model's positions is 10000; by 500000 it would"),
    ("[attention]\nsparse_impl = 'native'\nlinear_impl = 'torch'", {}, ""),
    ("[attention]\nsparse_impl = 'native'", DENSE, "This model has no such layers, which native could compute"),
    ("[attention]\nlinear_impl = 'torch'", DENSE, "it has 30 full. Write auto"),
    ("[attention]\nimpl = 'sala'", {}, ""),
    ("[attention]\nimpl = 'full'", {}, "This model is not full: its layers are 8 sparse, 24 lightning."),
    ("[attention]\nimpl = 'nsa'", DENSE, "This model is not nsa: its layers are 30 full."),
    (
        "[quantization]\nenabled = true\nmethod = 'gptq_int4'",
        {},
        "The model's weights are stored as BF16",
    ),
    ("[quantization]\nenabled = true\nmethod = 'gptq_int4'", {"stored": "GPTQ4"}, ""),
    ("[server]\ncontext_length = 9999", {}, "The model reads 4096 tokens whole, and 9999 were asked for."),
    ("[server]\ncontext_length = 9999", DENSE, ""),
    (
        "[server]\ncontext_length = 9999\n[long_context]\nextrapolation = 'none'",
        DENSE,
        "The model reads 4096 tokens",
    ),
    ("[server]\ncontext_length = 4096", {}, ""),
    ("[long_context]\nrope_scaling = 'yarn'", {"notes": TOO_MANY}, "This model's positions cannot be stretched: "),
    (
        "[models.x]\nmodel = '/m'\nwindow = 8192\nmode = 'whole'",
        DENSE,
        "models.x.window (line 3): The model",
    ),
]


@pytest.mark.parametrize(("text", "about", "sentence"), BY_THE_MODEL)
def test_what_the_model_says_of_itself(text, about, sentence):
    told = by_the_model(text, **about)
    assert (sentence in " ".join(told) and told) if sentence else told == [], told


def test_a_tokenizer_is_the_models_own(tmp_path):
    model, same, other = (tmp_path / name for name in ("model", "same", "other"))
    for folder, words in ((model, "{}"), (same, "{}"), (other, '{"a": 1}')):
        folder.mkdir()
        (folder / "tokenizer.json").write_text(words)
    for path in (model, same, same / "tokenizer.json"):
        assert by_the_model(f"[server]\ntokenizer_path = '{path}'", model) == []
    for path in (other, tmp_path / "none"):
        (told,) = by_the_model(f"[server]\ntokenizer_path = '{path}'", model)
        assert told.startswith("server.tokenizer_path (line 2): It is not the model's")


def test_no_key_is_without_its_test():
    """Above, each has an effect, is refused, or is judged by the model; one has all of its own."""
    texts = [PROVIDERS, NAMED, *(text for text, *_ in (*REFUSED, *BY_THE_MODEL))]
    tested = {re.sub(r"^(providers|models)\.[^.]+", r"\1.NAME", key) for text in texts for key in parse(text).given}
    assert config_written.meanings().keys() - tested - EFFECTS.keys() == {"server.tokenizer_path"}
