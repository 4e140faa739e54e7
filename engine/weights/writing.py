"""Which product writes a token fastest here, and whether the kernels can be trusted here: found out when loading."""

import logging
from dataclasses import dataclass

from engine.model.decoder import Decoder
from engine.protocol import Note
from kernels import dispatch, timing
from kernels.dense_linear import DenseLinear
from kernels.low_bit_linear import Int8Linear

log = logging.getLogger(__name__)

PLAIN = "bf16"
"""Name under which the plain product is listed among those of int8 weights."""


@dataclass(frozen=True)
class Writing:
    """As in `protocol.Loaded`. `bytes`: what the chosen products keep beside the weights themselves."""

    product: str
    candidates: dict[str, float]
    notes: tuple[Note, ...]


def prepare(decoder: Decoder) -> Writing:
    """Check every kernel on the decoder's device, time the products on its first layer and use the fastest throughout.

    The vocabulary has a product of its own choice: its matrix is many times a layer's.
    """
    notes = [
        Note("kernel_failed", {"operation": failure.operation, "device": failure.device, "reason": failure.reason})
        for failure in dispatch.checked(decoder.device)
    ]
    layers = [layer.linears() for layer in decoder.layers]
    timed = timing.time_products(layers[0], decoder.dtype, decoder.device)
    for linears in layers:
        for linear in linears:
            linear.use(timed.fastest)
    timing.time_products([decoder.head], decoder.dtype, decoder.device)
    for dropped in timed.dropped:
        log.info("%s is not used for writing: %s", dropped.product, dropped.reason)
        notes.append(Note("product_dropped", {"product": dropped.product, "reason": dropped.reason}))
    candidates = dict(timed.milliseconds)
    if all(isinstance(linear, Int8Linear) for linear in layers[0]):
        plain = [DenseLinear(linear.dequantized(), linear.bias) for linear in layers[0]]
        candidates[PLAIN] = min(timing.time_products(plain, decoder.dtype, decoder.device).milliseconds.values())
        if candidates[PLAIN] <= candidates[timed.fastest]:
            notes.append(Note("int8_not_faster"))
    return Writing(timed.fastest, candidates, tuple(notes))
