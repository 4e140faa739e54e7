"""Methods of long context by the names that other programs give them: what they mean for the settings, or why not.

One place for config.toml, for the further parameters of a request and for models under names of their own, so that a
word means the same wherever it is written.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.data import policies
from app.data.fault import Fault, NotHonoured
from app.data.settings import Settings
from engine.protocol import Policy

IN_BODY = {
    "impl": "attention_impl",
    "compress_ratio": "kv_compress_ratio",
    "score_window": "tri_score_window",
    "adaptive_weight": "tri_adaptive_weight",
    "chunk_size": "chunk_size",
    "eviction_strategy": "eviction_strategy",
    "extrapolation": "extrapolation",
}
"""By the fields of `Methods`: parameters of a request's body."""

POLICIES: tuple[Policy, ...] = ("triattention", "h2o", "snapkv", "streaming")
SELECTIONS = ("quest", "blocks")
LAYERS = {
    "full": ({"full", "sliding"}, {"full", "sliding"}),
    "sala": ({"sparse", "lightning"}, {"sparse", "lightning"}),
    "moba": ({"moba"}, {"full", "moba"}),
    "nsa": ({"nsa"}, {"full", "nsa"}),
}
"""Of which kinds a model has one at least, and none beyond which."""
CHOOSING = ("sala", "blocks")
"""Names with which a share that is kept may be one of blocks."""
IMPLS = ("auto", *LAYERS, *POLICIES, *SELECTIONS, "parallel")
OTHER_NAMES = {
    "dense": "full",
    "hybrid": "sala",
    "minicpmsala": "sala",
    "streamingllm": "streaming",
    "parallelcomp": "parallel",
}
"""Written without hyphens and underscores."""

MODES = {"auto": "auto", "none": "whole", "parallel": "parallel"}
STRETCHED = ("yarn", "ntk")
STRATEGIES = {
    "none": (False, False),
    "calibration": (True, False),
    "compression": (False, True),
    "calibration-compression": (True, True),
}
"""Whether what a question attends to abnormally much goes, and whether all but a share does."""
SCORED, SNAPKV_WINDOW = ("triattention", "snapkv"), 32
"""Policies that choose by a window, and the one that SnapKV's is: tokens at a prompt's end."""
SMALLEST_CHUNK = 128


class Methods(Struct, frozen=True, forbid_unknown_fields=True):
    """Each None where nothing is said. `compress_ratio`: the share that is kept. `score_window`: tokens, ahead of the
    newest for triattention, at the prompt's end for snapkv."""

    impl: str | None = None
    compress_ratio: float | None = None
    score_window: int | None = None
    adaptive_weight: bool | None = None
    chunk_size: int | None = None
    eviction_strategy: str | None = None
    extrapolation: str | None = None


def changed(
    settings: Settings, methods: Methods, names: Mapping[str, str], layers: Mapping[str, int] | None = None
) -> Settings:
    """The settings with these methods. `names`: what each field of `methods` is called where it was written. `layers`:
    the model's, by kind, where they are known; `of_model` follows where they are not yet.

    Raises `NotHonoured` with every fault.
    """
    change = _Change(methods, names)
    wanted = change.how(settings)
    wanted = change.segments(wanted)
    wanted = change.kept(wanted)
    wanted = change.scores(wanted)
    faults = change.faults
    if layers is not None and methods.impl is not None:
        wanted, of_layers = of_model(wanted, methods.impl, names, layers)
        faults += of_layers
    if faults:
        raise NotHonoured(*faults)
    return wanted


def of_model(
    settings: Settings, impl: str, names: Mapping[str, str], layers: Mapping[str, int]
) -> tuple[Settings, list[Fault]]:
    """What settings that `changed` made for `impl` come to with such a model, and why they cannot be.

    `blocks` is a selection for layers that look at everything, and for layers that choose blocks themselves the policy.
    """
    impl, found = impl_of(impl), []

    def fault(field: str, code: str) -> None:
        found.append(Fault(names[field], code, dict(names) | {"value": impl, "layers": counted(layers)}))

    if impl in LAYERS and not suits(impl, layers):
        fault("impl", "impl_layers")
    elif impl == "blocks" == settings.selection and settings.policy == "none":
        if "sparse" in layers:
            return replace(policies.chosen(settings, "blocks"), selection="none"), found
        if layers.keys() != {"full"}:
            fault("impl", "no_blocks")
    elif impl in CHOOSING and settings.policy == "blocks" and "sparse" not in layers:
        if impl == "blocks" and layers.keys() == {"full"}:
            fault("compress_ratio", "blocks_keep_all")
        else:
            fault("impl", "no_blocks")
    return settings, found


def suits(impl: str, layers: Mapping[str, int]) -> bool:
    """Whether a model with these layers computes attention so."""
    some, no_others = LAYERS[impl]
    return not some.isdisjoint(layers) and no_others >= layers.keys()


def counted(layers: Mapping[str, int]) -> str:
    """ "8 sparse, 24 lightning"."""
    return ", ".join(f"{count} {kind}" for kind, count in layers.items())


def impl_of(written: str) -> str:
    """A name of `IMPLS`, where what was written is one or another name of one."""
    plain = written.strip().lower()
    return OTHER_NAMES.get(plain.replace("-", "").replace("_", ""), plain)


class _Change:
    """What was said, step by step, and what of it cannot be."""

    def __init__(self, methods: Methods, names: Mapping[str, str]) -> None:
        self._said = methods
        self._names = names
        self.faults: list[Fault] = []

    def _fault(self, field: str, code: str, **values: str) -> None:
        self.faults.append(Fault(self._names[field], code, dict(self._names) | values))

    def how(self, settings: Settings) -> Settings:
        """Policy, selection and the way in which texts are read."""
        wanted = settings
        if self._said.impl is not None:
            impl = impl_of(self._said.impl)
            if impl not in IMPLS:
                self._fault("impl", "unknown_value", value=self._said.impl, known=", ".join(IMPLS))
                return wanted
            mode = "parallel" if impl == "parallel" else "auto"
            policy = self._policy(impl, settings)
            wanted = replace(
                policies.chosen(wanted, policy),
                selection=impl if impl in SELECTIONS and policy == "none" else "none",
                reading_mode=mode if wanted.reading_mode == "parallel" or mode == "parallel" else wanted.reading_mode,
            )
        wanted = self._extrapolated(wanted)
        chosen = wanted.policy if wanted.policy != "none" else wanted.selection
        if wanted.reading_mode == "parallel" and chosen != "none":
            self._fault("extrapolation" if self._said.extrapolation else "impl", "not_in_segments", value=chosen)
        return wanted

    def _policy(self, impl: str, settings: Settings) -> Policy | Literal["none"]:
        """By which something is forgotten. A share of what layers keep that choose blocks is one of blocks."""
        if impl in POLICIES:
            return impl
        if impl not in CHOOSING or self._compresses():
            return "none"
        if self._said.compress_ratio is None:
            return settings.policy if settings.policy == "blocks" and impl == "sala" else "none"
        return "blocks" if self._said.compress_ratio < 1 else "none"

    def _compresses(self) -> bool:
        """Whether the share is one of segments."""
        return STRATEGIES.get(_plain(self._said.eviction_strategy or ""), (False, False))[1]

    def _extrapolated(self, wanted: Settings) -> Settings:
        if self._said.extrapolation is None:
            return wanted
        value = self._said.extrapolation.strip().lower()
        value = "parallel" if value.replace("-", "").replace("_", "") == "parallelcomp" else value
        if value in STRETCHED:
            if value == wanted.extension:
                return replace(wanted, reading_mode="whole")
            self._fault("extrapolation", "stretched_when_loaded", value=value, now=wanted.extension)
        elif value not in MODES:
            self._fault("extrapolation", "unknown_value", value=value, known=", ".join((*MODES, *STRETCHED)))
        elif impl_of(self._said.impl or "") != "parallel":
            return replace(wanted, reading_mode=MODES[value])
        elif value == "none":
            self._fault("extrapolation", "impl_is_parallel", value=value)
        return wanted

    def segments(self, wanted: Settings) -> Settings:
        size = self._said.chunk_size
        if size is None:
            return wanted
        if size < SMALLEST_CHUNK:
            self._fault("chunk_size", "too_small", least=str(SMALLEST_CHUNK))
        elif _whole(wanted):
            self._fault("chunk_size", "no_segments")
        return replace(wanted, segment=size)

    def kept(self, wanted: Settings) -> Settings:
        """How much of what was read stays, and by what."""
        ratio, strategy = self._said.compress_ratio, self._said.eviction_strategy
        if ratio is not None and not 0 < ratio <= 1:
            self._fault("compress_ratio", "not_a_share", value=f"{ratio:g}")
            return wanted
        if strategy is not None:
            strategy = _plain(strategy)
            if strategy not in STRATEGIES:
                self._fault("eviction_strategy", "unknown_value", value=strategy, known=", ".join(STRATEGIES))
                return wanted
            calibrate, compress = STRATEGIES[strategy]
            if (calibrate or compress) and _whole(wanted):
                self._fault("eviction_strategy", "no_segments")
            if compress and ratio is None and wanted.kept_rows == 1:
                self._fault("eviction_strategy", "compress_how_much")
            if not compress and ratio is not None and ratio < 1 and wanted.policy == "none":
                self._fault("compress_ratio", "nothing_chooses")
            rows = (ratio or wanted.kept_rows) if compress else 1.0
            wanted = replace(wanted, calibrate=calibrate, kept_rows=rows)
        if ratio is None or (strategy is not None and STRATEGIES[strategy][1]):
            return wanted
        if wanted.policy != "none":
            return replace(wanted, policy_keep=ratio, policy_rows=None)
        if ratio == 1 and wanted.selection == "blocks":  # the policy, if it comes to be one, forgets nothing
            return replace(wanted, policy_keep=ratio, policy_rows=None)
        if wanted.kept_rows < 1:
            return replace(wanted, kept_rows=ratio)
        if ratio < 1 and strategy is None:
            self._fault("compress_ratio", "nothing_chooses")
        return wanted

    def scores(self, wanted: Settings) -> Settings:
        """By what a policy chooses. SnapKV's window may be said as it is, and not otherwise."""
        window, weight = self._said.score_window, self._said.adaptive_weight
        if window is not None and wanted.policy not in SCORED:
            self._fault("score_window", "no_score_window", policies=", ".join(SCORED))
        elif window is not None and window < 1:
            self._fault("score_window", "too_small", least="1")
        elif window is not None and wanted.policy == "snapkv" and window != SNAPKV_WINDOW:
            self._fault("score_window", "score_window_fixed", own=str(SNAPKV_WINDOW), policy=wanted.policy)
        elif window is not None and wanted.policy == "triattention":
            wanted = replace(wanted, policy_score_window=window)
        if weight is not None and wanted.policy != "triattention":
            self._fault("adaptive_weight", "weight_of_triattention")
        elif weight is not None:
            wanted = replace(wanted, policy_adaptive_weight=weight)
        return wanted


def _plain(strategy: str) -> str:
    return strategy.strip().lower().replace("_", "-")


def _whole(settings: Settings) -> bool:
    """Whether texts are never read in segments."""
    return settings.reading_mode == "whole" or settings.policy != "none" or settings.selection != "none"
