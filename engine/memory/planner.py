"""What will fit: bytes that a model needs at a window, and the largest window that this machine holds.

The one place where this is computed: the settings panel, the catalogue's offers and the guard before loading all show
these numbers. Keys and values are exact, weights are exact, the rest is an upper estimate.

    K/V bytes = window * layers * 2 * kv_heads * head_width * bytes of an element
"""

import math
from pathlib import Path

from msgspec import Struct

from engine.device import activation_dtype, choose, resolve
from engine.model.config import ModelConfig
from engine.protocol import DeviceInfo, ModelSettings, Note, Planned, Precision
from engine.weights import Description, describe, names, notes_on
from kernels.low_bit_linear.cpu import TILE

SMALLEST_WINDOW = 512
"""Tokens below which no answer is worth having; models made for less are taken as they are."""
PIECE = 2048
"""Tokens read in one go where the settings leave it open."""
WINDOW_STEP = 256
"""Offered windows are multiples of it."""
OVERHEAD = 96 * 2**20
"""Tokenizer, threads and scratch that come with any model, beyond the engine that runs already and so is not free."""
SLACK = 0.02
"""Of weights and K/V: what allocators round up and lose."""


class Needs(Struct, frozen=True):
    """Bytes, by what they are for."""

    weights: int
    kv: int
    activations: int
    overhead: int

    @property
    def total(self) -> int:
        return self.weights + self.kv + self.activations + self.overhead


def weight_bytes(config: ModelConfig, precision: Precision, element: int) -> int:
    """`element`: bytes of an element of the activations, which vectors and the scales of int8 rows share."""
    total = 0
    for name, shape in names.expected(config).items():
        elements = math.prod(shape)
        if len(shape) == 2 and precision == "int8":
            total += elements + shape[0] * element
        elif name.endswith(("q_norm.weight", "k_norm.weight")):
            heads = config.heads if name.endswith("q_norm.weight") else config.kv_heads
            total += heads * elements * element  # kept once for each head
        else:
            total += elements * element
    return total


def kv_bytes(config: ModelConfig, rows: int, element: int) -> int:
    return rows * config.layers * 2 * config.kv_heads * config.head_width * element


def activation_bytes(config: ModelConfig, precision: Precision, element: int, piece: int, window: int) -> int:
    """At the widest point of a layer, for a piece read at the end of a full window. Twice what is alive at once:
    measured, since allocators keep some of what was freed."""
    hidden, query, inner = config.hidden, config.query_width, config.intermediate
    qkv = query + 2 * config.kv_width
    layer = piece * element * (4 * hidden + max(3 * qkv + query, 3 * inner))
    merging = piece * 4 * 3 * query  # attention to older and to new rows is merged in fp32
    logits = config.vocab * 4 * 3  # one row, sorted and scaled while sampling
    tile = TILE * element if precision == "int8" else 0  # dequantised to read
    grown = kv_bytes(config, window, element) // config.layers  # a layer's rows while they move to a larger place
    return 2 * (layer + merging) + logits + tile + grown


def needs(config: ModelConfig, precision: Precision, device: DeviceInfo, window: int, piece: int = PIECE) -> Needs:
    """What `config` takes at `window` tokens in a precision other than auto."""
    element = activation_dtype(precision, device).itemsize
    weights, kv = weight_bytes(config, precision, element), kv_bytes(config, window, element)
    return Needs(
        weights=weights,
        kv=kv,
        activations=activation_bytes(config, precision, element, min(piece, window), window),
        overhead=OVERHEAD + int(SLACK * (weights + kv)),
    )


def largest_window(config: ModelConfig, precision: Precision, device: DeviceInfo, available: int, piece: int) -> int:
    """Tokens, never above the native window; 0 when not even the smallest useful one fits."""

    def fits(window: int) -> bool:
        return needs(config, precision, device, window, piece).total <= available

    smallest = min(SMALLEST_WINDOW, config.window)
    if not fits(smallest):
        return 0
    if fits(config.window):
        return config.window
    low, high = smallest // WINDOW_STEP, config.window // WINDOW_STEP + 1  # low fits, high does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle * WINDOW_STEP) else (low, middle)
    return max(smallest, low * WINDOW_STEP)


def plan(model: Description | Path | str, settings: ModelSettings, *, held: int = 0) -> Planned:
    """What `settings` would need. `held`: bytes that are freed before loading, of the model that is loaded now.

    Without a window in the settings the largest that fits is planned for, or the smallest where none does. A window
    above the native one is brought down to it, with a note. Raises BadModel for a path that is none.
    """
    description = model if isinstance(model, Description) else describe(model)
    config = description.config
    device = choose(settings.device)
    precision = resolve(settings.precision, device)
    piece = settings.piece or PIECE
    available = device.free + held
    largest = largest_window(config, precision, device, available, piece)
    notes = []
    window = settings.window or largest or min(SMALLEST_WINDOW, config.window)
    if window > config.window:
        notes.append(Note("window_native", {"asked": str(window), "window": str(config.window)}))
        window = config.window
    elif settings.window is None and 0 < window < config.window:
        notes.append(Note("window_memory", {"window": str(window), "native": str(config.window)}))
    notes += notes_on(description, precision, settings.device, device)
    need = needs(config, precision, device, window, piece)
    return Planned(
        weights=need.weights,
        kv=need.kv,
        state=0,
        activations=need.activations,
        overhead=need.overhead,
        needed=need.total,
        available=available,
        window=window,
        native_window=config.window,
        largest=largest,
        fits=need.total <= available,
        precision=precision,
        device=device,
        notes=tuple(notes),
    )
