"""What a decoder is made of: read from a checkpoint by `engine.weights`, never changed afterwards."""

from typing import Literal

from msgspec import Struct

RopeKind = Literal["default", "linear", "dynamic", "yarn", "llama3", "longrope"]
MixerKind = Literal["full", "sliding", "sparse", "lightning", "moba", "nsa"]
Normaliser = Literal["coarse", "exact"]


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


class SparseConfig(Struct, frozen=True):
    """InfLLM-v2 (arXiv 2509.24663): every query group reads the blocks of rows that score best for it.

    Scores come from means of `kernel` keys, one every `stride`, normalised by those of four times as much of both.
    `block`: rows of a block. `initial` blocks and those of the last `window` rows are always read, `topk` more besides
    the window's, counting the initial ones. Prompts below `dense_below` tokens are read densely.
    """

    kernel: int
    stride: int
    block: int
    initial: int
    window: int
    topk: int
    dense_below: int
    rotated: bool
    """Whether queries and keys are turned by their positions (RoPE)."""
    gated: bool
    """Whether an output gate, sigmoid of a product of the layer's input, is on what was read."""
    normaliser: Normaliser = "coarse"

    @property
    def blocks(self) -> int:
        """Blocks that a query reads at most."""
        return self.topk + self.window // self.block

    @property
    def alike(self) -> int:
        """Rows whose queries read everything before them, and so are the same as read densely."""
        return self.blocks * self.block


class LightningConfig(Struct, frozen=True):
    """Linear attention with a fixed decay for each head (arXiv 2401.04658). `scale`: of a query."""

    heads: int
    scale: float
    rotated: bool
    normed: bool
    """Whether each head of queries and keys is normed."""
    out_normed: bool
    """Whether the heads together, as one row, are normed before they are mixed."""
    gated: bool


class MobaConfig(Struct, frozen=True):
    """Mixture of block attention (arXiv 2502.13189): a query reads `topk` blocks of `block` rows, its own too."""

    block: int
    topk: int


class NsaConfig(Struct, frozen=True):
    """Native sparse attention (arXiv 2502.11089): three branches with keys and values of their own, added by gates.

    compressed: an MLP of `compress` inner channels makes one key and one value of `kernel` rows, every `stride`.
    selected: `topk` blocks of `block` rows, the `initial` first and the `local` newest among them, the same for all
    query heads of a key head, by the weights of the compressed branch. sliding: the newest `window` rows. The gates are
    sigmoids of an MLP of the layer's input, of `gate` inner channels, one for each query head and branch.
    """

    kernel: int
    stride: int
    block: int
    topk: int
    initial: int
    local: int
    window: int
    compress: int
    gate: int


NSA_BRANCHES = ("compressed", "selected", "sliding")
"""Of an NSA layer, in the order of everything that has one of each."""


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
    sparse: SparseConfig | None = None
    lightning: LightningConfig | None = None
    """Its heads are `head_width` wide."""
    moba: MobaConfig | None = None
    nsa: NsaConfig | None = None
    embedding_scale: float = 1.0
    """Of embeddings; muP's, as the next two (arXiv 2203.03466)."""
    branch_scale: float = 1.0
    """Of what a mixer or an MLP adds to its input."""
    logit_divisor: float = 1.0
    reach: int = 0
    """Tokens up to which the model is known to read though it was trained on fewer; 0: no further than `window`."""

    @property
    def query_width(self) -> int:
        return self.heads * self.head_width

    @property
    def kv_width(self) -> int:
        return self.kv_heads * self.head_width

    @property
    def whole_only(self) -> bool:
        """As in `protocol.Loaded`."""
        return not {"full", "sliding"} >= set(self.mixers)

    @property
    def captured(self) -> bool:
        """Whether a written token's way through the layers can be captured in a CUDA graph: that of full, sliding,
        sparse and lightning layers can. MoBA and NSA ask for its row as a number, on which sizes of theirs depend."""
        return {"full", "sliding", "sparse", "lightning"} >= set(self.mixers)

    @property
    def selectable(self) -> bool:
        """Whether tokens may look at a selection of rows: every layer is made to see all."""
        return set(self.mixers) == {"full"}

    @property
    def counted(self) -> dict[str, int]:
        """Layers by kind of mixer, in the order of their first."""
        return {kind: self.mixers.count(kind) for kind in dict.fromkeys(self.mixers)}

    @property
    def row_layers(self) -> int:
        """Layers that keep keys and values of every token, those of NSA three times."""
        return self.layers - self.state_layers + (len(NSA_BRANCHES) - 1) * self.mixers.count("nsa")

    @property
    def state_layers(self) -> int:
        """Layers that keep a state of one size, whatever they have read."""
        return self.mixers.count("lightning")

    @property
    def state_bytes(self) -> int:
        """Of all states of one text, fp32."""
        heads = 0 if self.lightning is None else self.lightning.heads
        return self.state_layers * heads * self.head_width**2 * 4
