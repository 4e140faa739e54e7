"""What config.toml says of its model, beside what the model says of itself."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from app.data.fault import Fault, NotHonoured
from app.data.serve_config import ServeConfig
from app.data.serving import Serving
from app.data.settings import Settings
from app.gateway.config import METHODS, names
from app.services import methods
from app.words import NOTES, sentence
from engine.protocol import Planned

NEAR = 0.005
"""By which a ratio may be off: files give two decimals."""
SPARSE, LINEAR = ("sparse", "moba", "nsa"), ("lightning",)
GPTQ = "GPTQ4"


def checked(serving: Serving, model: Path, plans: Mapping[str, Planned]) -> Serving:
    """With what only the models' layers decide. `model`: where the model is that is loaded at first. `plans`: of it
    under "", and of those under names of their own; none need be loaded.

    Raises `NotHonoured` with every fault.
    """
    config = serving.config
    settings, found = methods.of_model(serving.settings, config.attention.impl, METHODS, plans[""].layers)
    found += [*_attention(config, plans[""]), *_weights(config, model, plans[""])]
    about = ("long_context.rope_scaling", "server.context_length")
    found += _window(*about, settings, plans[""])
    named = {}
    for name, own in serving.named.items():
        named[name], faults = _named(config, name, own, plans[name])
        found += [*faults, *_window(f"models.{name}.rope_scaling", f"models.{name}.window", own, plans[name])]
    if found:
        raise NotHonoured(*(replace(fault, line=config.given.get(fault.key) or None) for fault in found))
    return replace(serving, settings=settings, named=named)


def _named(config: ServeConfig, name: str, settings: Settings, planned: Planned) -> tuple[Settings, list[Fault]]:
    """What the file says of another model's kind is none of this one's, as long as it does nothing."""
    policy = config.models[name].policy
    if policy is None and settings.policy == settings.selection == "none":
        return settings, []
    return methods.of_model(settings, policy or config.attention.impl, names(name), planned.layers)


def _attention(config: ServeConfig, planned: Planned) -> Iterator[Fault]:
    said, layers = config.attention, planned.layers
    for key, kernel, kinds in (("sparse_impl", said.sparse_impl, SPARSE), ("linear_impl", said.linear_impl, LINEAR)):
        if kernel != "auto" and layers.keys().isdisjoint(kinds):
            yield Fault(f"attention.{key}", "impl_of_nothing", {"value": kernel, "layers": methods.counted(layers)})
    if said.trig_freq_base is not None and not math.isclose(said.trig_freq_base, planned.theta, rel_tol=1e-6):
        values = {"value": f"{said.trig_freq_base:g}", "own": f"{planned.theta:g}"}
        yield Fault("attention.trig_freq_base", "theta_other", values)
    for key, value, kinds in (
        ("sparse_layers_ratio", said.sparse_layers_ratio, SPARSE),
        ("linear_layers_ratio", said.linear_layers_ratio, LINEAR),
    ):
        count, total = sum(layers.get(kind, 0) for kind in kinds), sum(layers.values())
        if value is not None and abs(value - count / total) > NEAR:
            own, what = f"{count / total:.3g}", "lightning (linear)" if kinds == LINEAR else "sparse"
            told = {"value": f"{value:g}", "own": own, "count": str(count), "layers": str(total), "kind": what}
            yield Fault(f"attention.{key}", "ratio_other", told)


def _weights(config: ServeConfig, model: Path, planned: Planned) -> Iterator[Fault]:
    tokenizer = config.server.tokenizer_path
    if tokenizer and not _same_tokenizer(Path(tokenizer).expanduser(), model):
        yield Fault("server.tokenizer_path", "tokenizer_other")
    quantization = config.quantization
    if quantization.enabled and quantization.method == "gptq_int4" and planned.stored != GPTQ:
        yield Fault("quantization.method", "not_gptq", {"stored": planned.stored})


def _same_tokenizer(named: Path, model: Path) -> bool:
    """The model's own place, or a file that is letter for letter the model's."""
    inside = model.parent if model.suffix.lower() == ".gguf" else model / "tokenizer.json"
    if named.absolute() in (model, inside):
        return True
    named = named / "tokenizer.json" if named.is_dir() else named
    try:
        return named.read_bytes() == (model / "tokenizer.json").read_bytes()
    except OSError:
        return False


def _window(scaling: str, window: str, settings: Settings, planned: Planned) -> Iterator[Fault]:
    """`scaling` and `window`: what the keys are called."""
    for note in planned.notes:
        if note.code.startswith("not_extended_"):
            yield Fault(scaling, "not_stretched", {"why": sentence(NOTES, note.code, note.values)})
            return
    dense = planned.layers.keys() <= {"full", "sliding"}
    segments = dense and settings.reading_mode != "whole" and settings.policy == settings.selection == "none"
    if settings.window is not None and settings.window > planned.window and not segments:
        yield Fault(window, "window_beyond", {"value": str(settings.window), "most": str(planned.window)})
