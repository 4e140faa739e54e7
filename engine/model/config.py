"""What a decoder is made of: read from a checkpoint by `engine.weights`, never changed afterwards."""

from typing import Literal

from msgspec import Struct

RopeKind = Literal["default", "linear", "dynamic", "yarn", "llama3", "longrope"]
MixerKind = Literal["full", "sliding"]


class RopeConfig(Struct, frozen=True):
    """How positions turn the heads. Names follow the configuration files that transformers writes.

    `original_window`: tokens that the model was trained on before its window was extended. `divisors`, one for each
    pair of a head (head_width / 2), divide the frequencies of kind default: GGUF files carry the llama3 scaling so.
    """

    theta: float = 10_000.0
    kind: RopeKind = "default"
    factor: float = 1.0
    original_window: int = 0
    attention_factor: float | None = None
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    mscale: float | None = None
    mscale_all_dim: float | None = None
    truncate: bool = True
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    short_factor: tuple[float, ...] = ()
    long_factor: tuple[float, ...] = ()
    divisors: tuple[float, ...] = ()


class ModelConfig(Struct, frozen=True):
    """Counts and widths are plain numbers of elements; `window` is in tokens."""

    architecture: str
    """As the checkpoint names it: LlamaForCausalLM, or llama in a GGUF file."""
    vocab: int
    hidden: int
    intermediate: int
    layers: int
    heads: int
    kv_heads: int
    head_width: int
    norm_epsilon: float
    window: int
    """The native window: the longest text that the model was made for, or that its positions are stretched to."""
    tied: bool
    """Whether the output matrix is the embedding itself."""
    mixers: tuple[MixerKind, ...]
    """One for each layer."""
    rope: RopeConfig = RopeConfig()
    sliding_window: int | None = None
    """Rows that a query of a sliding layer sees, its own included."""
    qk_norm: bool = False
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False

    @property
    def query_width(self) -> int:
        return self.heads * self.head_width

    @property
    def kv_width(self) -> int:
        return self.kv_heads * self.head_width
