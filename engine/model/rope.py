"""Rotary positions (RoFormer, arXiv 2104.09864) and the ways in which checkpoints stretch them.

Element i of a head is turned together with element i + D/2 by the angle position * frequency[i]. Frequencies are
those of transformers' `modeling_rope_utils`. Kinds dynamic and longrope choose theirs by the length of the text;
here the length is the capacity of the caches, so that rows kept from an earlier piece stay right for a later one.
"""

import math

import torch
from torch import Tensor

from engine.model.config import ModelConfig, RopeConfig

BLOCK = 512
"""Positions whose cosines are kept at least, so that writing computes them once in so many tokens."""


def frequencies(config: ModelConfig, length: int) -> tuple[Tensor, float]:
    """Radians a position, float32 [head_width / 2], and the factor on cosine and sine, for texts of `length`."""
    rope, width = config.rope, config.head_width
    exponents = torch.arange(0, width, 2, dtype=torch.float32) / width
    if rope.kind == "dynamic":
        # NTK-aware: the base grows with the text, once that is longer than the window
        stretch = rope.factor * max(length, config.window) / config.window - (rope.factor - 1)
        return 1.0 / (rope.theta * stretch ** (width / (width - 2))) ** exponents, 1.0
    plain = 1.0 / rope.theta**exponents
    if rope.kind == "linear":
        return plain / rope.factor, 1.0
    if rope.kind == "llama3":
        return _llama3(rope, plain), 1.0
    if rope.kind == "yarn":
        return _yarn(rope, plain, width), _yarn_attention(rope)
    if rope.kind == "longrope":
        factors = rope.long_factor if length > rope.original_window else rope.short_factor
        return plain / torch.tensor(factors, dtype=torch.float32), _longrope_attention(rope)
    if rope.divisors:
        return plain / torch.tensor(rope.divisors, dtype=torch.float32), 1.0
    return plain, 1.0


def _llama3(rope: RopeConfig, plain: Tensor) -> Tensor:
    """Long wavelengths are slowed by `factor`, short ones kept, those between blended."""
    wavelength = 2 * math.pi / plain
    blend = (rope.original_window / wavelength - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor)
    blend = blend.clamp(0, 1)
    return (1 - blend) * plain / rope.factor + blend * plain


def _yarn(rope: RopeConfig, plain: Tensor, width: int) -> Tensor:
    """YaRN (arXiv 2309.00071): a ramp over the pairs between kept and interpolated frequencies."""

    def pair_of(rotations: float) -> float:
        return width * math.log(rope.original_window / (rotations * 2 * math.pi)) / (2 * math.log(rope.theta))

    low, high = pair_of(rope.beta_fast), pair_of(rope.beta_slow)
    if rope.truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    if low == high:
        high += 0.001
    ramp = ((torch.arange(width // 2, dtype=torch.float32) - low) / (high - low)).clamp(0, 1)
    return plain / rope.factor * ramp + plain * (1 - ramp)


def _yarn_attention(rope: RopeConfig) -> float:
    if rope.attention_factor is not None:
        return rope.attention_factor

    def scale(weight: float) -> float:
        return 1.0 if rope.factor <= 1 else 0.1 * weight * math.log(rope.factor) + 1.0

    if rope.mscale and rope.mscale_all_dim:
        return scale(rope.mscale) / scale(rope.mscale_all_dim)
    return scale(1.0)


def _longrope_attention(rope: RopeConfig) -> float:
    if rope.attention_factor is not None:
        return rope.attention_factor
    if rope.factor <= 1:
        return 1.0
    return math.sqrt(1 + math.log(rope.factor) / math.log(rope.original_window))


class Rotation:
    """Cosines and sines by position, for the life of one set of caches. `length`: the most tokens they can hold."""

    def __init__(self, config: ModelConfig, length: int, dtype: torch.dtype, device: torch.device) -> None:
        frequency, self._scale = frequencies(config, length)
        self._frequency = frequency.to(device)
        self._dtype = dtype
        self._start, self._end = 0, 0
        self._cos = self._sin = torch.empty(0)

    def at(self, position: int, count: int) -> tuple[Tensor, Tensor]:
        """Cosine and signed sine [count, 1, D] of positions `position` to `position + count`, for `rotate`."""
        if position < self._start or position + count > self._end:
            self._fill(position, max(count, BLOCK))
        first = position - self._start
        return self._cos[first : first + count], self._sin[first : first + count]

    @property
    def frequency(self) -> Tensor:
        """Radians a position, float32 [D / 2]."""
        return self._frequency

    @property
    def scale(self) -> float:
        """The factor by which turning makes a head longer."""
        return self._scale

    def exact(self, position: int | Tensor) -> tuple[Tensor, Tensor]:
        """Cosine and signed sine fp32 [..., D] that turn what is turned already on by `position` [...], changing no
        length."""
        angles = (position[..., None] if isinstance(position, Tensor) else position) * self._frequency
        cos, sin = angles.cos(), angles.sin()
        return torch.cat((cos, cos), -1), torch.cat((-sin, sin), -1)

    def _fill(self, position: int, count: int) -> None:
        self._start, self._end = position, position + count
        steps = torch.arange(self._start, self._end, dtype=torch.float32, device=self._frequency.device)
        angles = steps[:, None] * self._frequency  # [count, D / 2]
        cos, sin = angles.cos() * self._scale, angles.sin() * self._scale
        self._cos = torch.cat((cos, cos), -1)[:, None].to(self._dtype)
        self._sin = torch.cat((-sin, sin), -1)[:, None].to(self._dtype)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn heads [..., T, H, D] by cosine and signed sine [T, 1, D] of their positions."""
    return torch.addcmul(x * cos, x.roll(x.shape[-1] // 2, -1), sin)
