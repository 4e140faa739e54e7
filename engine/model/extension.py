"""Stretching a dense model's positions beyond the window that it was made for, without training.

It costs quality, for short texts too, and grows worse with the factor: so the factor is the smallest whole one that
reaches the window, and a window that the model has anyway changes nothing. Rows turned by one factor are of no use
under another.
"""

from msgspec.structs import replace

from engine.model.config import ModelConfig
from engine.protocol import Extension

MOST = 8
"""Times the native window; beyond it nothing comes of untrained stretching."""
NTK_OVERSTRETCH = 1.5
"""NTK leaves the middle bands stretched by too little, for which 1.5 to 2 times the ratio makes up: the lower end is
taken, since the ratio is rounded up to a whole factor already (at 2, SmolLM2 answers nothing over 12,000 tokens)."""


class NotExtended(Exception):
    """Positions that cannot be stretched. `code`: scaled, sliding, hybrid or too_long."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def factor(config: ModelConfig, window: int) -> int:
    """The smallest that makes the native window reach `window` tokens; 1: it does already."""
    return max(1, -(-window // config.window))


def obstacle(config: ModelConfig) -> NotExtended | None:
    """Why this model's positions cannot be stretched at all.

    A scaling of the checkpoint's own was trained or tuned for its one factor. Layers whose attention slides never meet
    a distance that they were not trained on, and no rule tells how to stretch the others beside them.
    """
    kind = scaling(config)
    if kind != "default":
        return NotExtended("scaled", f"its positions are stretched already ({kind})")
    if "sliding" in config.mixers:
        return NotExtended("sliding", "the attention of some of its layers slides")
    if config.lightning is not None:
        return NotExtended("hybrid", "it has positions in those layers alone that see only what is near")
    return None


def scaling(config: ModelConfig) -> str:
    """The kind of the checkpoint's own scaling; llama3 for divisors, which is how GGUF files carry it."""
    return "llama3" if config.rope.divisors else config.rope.kind


def extended(config: ModelConfig, method: Extension, window: int) -> ModelConfig:
    """`config` stretched by the smallest sufficient factor, with the window that this gives it; itself where nothing
    needs to be or may be stretched. Raises NotExtended.

    yarn: arXiv 2309.00071, its factor on cosine and sine by the checkpoint's own fields (attention_factor, mscale)
    where it has them. ntk: the base grows to theta * s^(D / (D - 2)), which leaves the fastest pair as it is and
    slows the slowest s times, s = `NTK_OVERSTRETCH` * factor.
    """
    times = factor(config, window)
    if method == "none" or times == 1:
        return config
    if (reason := obstacle(config)) is not None:
        raise reason
    if times > MOST:
        raise NotExtended("too_long", f"{window} tokens are more than {MOST} times its window of {config.window}")
    if method == "yarn":
        rope = replace(config.rope, kind="yarn", factor=float(times), original_window=config.window)
    else:
        width = config.head_width
        rope = replace(config.rope, theta=config.rope.theta * (NTK_OVERSTRETCH * times) ** (width / (width - 2)))
    return replace(config, rope=rope, window=config.window * times)
