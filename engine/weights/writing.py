"""Which product writes a token fastest here, and whether the kernels can be trusted here: found out when loading."""

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.model.decoder import Decoder
from engine.protocol import Note
from kernels import dispatch, timing
from kernels.dense_linear import DenseLinear
from kernels.stacked_linear import Part

log = logging.getLogger(__name__)

PLAIN = "bf16"
"""Name under which the plain product is listed among those of weights of fewer bits."""
SAMPLE = 32 * 1024 * 1024
"""Elements of the weights that are timed, the first rows of each: some products keep a copy of theirs, and a layer of a
large model, or its vocabulary, copied several times to be compared, would be the most memory that loading takes."""


@dataclass(frozen=True)
class Writing:
    """As in `protocol.Loaded`."""

    product: str
    candidates: dict[str, float]
    notes: tuple[Note, ...]


def prepare(decoder: Decoder) -> Writing:
    """Check every kernel on the decoder's device, time the products on its first layer and use the fastest throughout.

    Weights of each form have a product of their own choice, timed on the first layer that has any; told is what was
    found for the form that most of the weights have. So has the vocabulary: its matrix is many times a layer's.
    """
    notes = [
        Note("kernel_failed", {"operation": failure.operation, "device": failure.device, "reason": failure.reason})
        for failure in dispatch.checked(decoder.device)
    ]
    main: tuple[timing.Timed, list[Part]] | None = None
    for first, all_of_kind in sorted(_kinds(decoder), key=lambda kind: -sum(each.nbytes for each in kind[1])):
        timed = _timed(first, decoder)
        for linear in all_of_kind:
            linear.use(timed.fastest)
        main = main or (timed, first)
    head = _timed(decoder.head.parts, decoder)
    for linear in decoder.head.parts:
        linear.use(head.fastest)
    assert main is not None
    timed, first = main
    for dropped in timed.dropped:
        log.info("%s is not used for writing: %s", dropped.product, dropped.reason)
        notes.append(Note("product_dropped", {"product": dropped.product, "reason": dropped.reason}))
    candidates = dict(timed.milliseconds)
    if not isinstance(first[0], DenseLinear):
        candidates[PLAIN] = min(_timed(first, decoder, plainly=True).milliseconds.values())
        if candidates[PLAIN] <= candidates[timed.fastest]:
            notes.append(Note(f"{first[0].kind[:4]}_not_faster"))
    return Writing(timed.fastest, candidates, tuple(notes))


def _timed(linears: Sequence[Part], decoder: Decoder, *, plainly: bool = False) -> timing.Timed:
    """The products of these, reckoned from `SAMPLE` elements where they have more. `plainly`: as if they were dense."""
    part = min(1.0, SAMPLE / _elements(linears))
    some: list[Part] = [linear.some(slice(math.ceil(linear.rows * part))) for linear in linears]
    share = _elements(some) / _elements(linears)
    if plainly:
        some = [DenseLinear(linear.dequantized(), linear.bias) for linear in some]
    timed = timing.time_products(some, decoder.dtype, decoder.device)
    return replace(timed, milliseconds={name: each / share for name, each in timed.milliseconds.items()})


def _elements(linears: Sequence[Part]) -> int:
    return sum(linear.rows * linear.columns for linear in linears)


def _kinds(decoder: Decoder) -> list[tuple[list[Part], list[Part]]]:
    """Of each kind of product: those of the first layer that has any, and all."""
    kinds: dict[str, tuple[list[Part], list[Part]]] = {}
    for layer in decoder.layers:
        here: dict[str, list[Part]] = {}
        for linear in layer.linears():
            here.setdefault(linear.kind, []).append(linear)
        for kind, linears in here.items():
            kinds.setdefault(kind, (linears, []))[1].extend(linears)
    return list(kinds.values())
