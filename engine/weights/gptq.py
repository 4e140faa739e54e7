"""Matrices as GPTQ checkpoints store them (arXiv 2210.17323; the layout of AutoGPTQ and GPTQModel).

Of a matrix [out, in] in groups of columns, with `bits` 4 or 8 and 32 / bits numbers in a word, the first lowest:

    X.qweight int32 [in * bits / 32, out]      steps, columns that follow each other in a word
    X.qzeros  int32 [groups, out * bits / 32]  the step that is zero, rows in a word; one less in the format's version 1
    X.scales  fp16 or bf16 [groups, out]
    X.g_idx   int32 [in]                       the group of each column

    weight[o, i] = (step[i, o] - zero[g_idx[i], o]) * scale[g_idx[i], o]

Such a matrix stays as it is in memory, its columns sorted by group where they are not (act-order).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import torch
from msgspec import Struct
from msgspec.structs import replace
from torch import Tensor

from engine.weights.checkpoint import BadModel, Stored
from kernels.group_linear.packing import Groups, packed

CONFIG, BESIDE = "config.json", "quantize_config.json"
PARTS = ("qweight", "qzeros", "scales", "g_idx")
WORD = 32
BITS = (4, 8)


class Settings(Struct):
    """Of the fields that describe how a checkpoint was made, those that say how it is read."""

    bits: int
    quant_method: str = "gptq"
    checkpoint_format: str = "gptq"
    """gptq (zeros are stored less one) or gptq_v2."""


class Parts(NamedTuple):
    """Some rows of a matrix. steps uint8 [rows, in], columns sorted by group; zeros and scales fp32 [rows, groups];
    `order` int32 [in]: the columns' own places, None where they are sorted so."""

    steps: Tensor
    zeros: Tensor
    scales: Tensor
    order: Tensor | None


def settings(folder: Path) -> Settings | None:
    """None: the checkpoint is not quantised. Raises BadModel for one that is, in another way."""
    for name, field in ((CONFIG, "quantization_config"), (BESIDE, None)):
        try:
            raw: Any = msgspec.json.decode((folder / name).read_bytes())
        except FileNotFoundError:
            continue
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadModel(f"it cannot be read: {error}", name) from None
        raw = raw.get(field) if field and isinstance(raw, dict) else raw
        if not raw:
            continue
        try:
            found = msgspec.convert(raw, Settings)
        except msgspec.ValidationError as error:
            raise BadModel(f"the checkpoint is quantised in a form that is not supported: {error}", name) from None
        told = f"{found.quant_method} {found.checkpoint_format} with {found.bits} bits"
        if found.quant_method != "gptq" or found.checkpoint_format not in ("gptq", "gptq_v2") or found.bits not in BITS:
            raise BadModel(f"the checkpoint is quantised in a form that is not supported: {told}", name)
        return found
    return None


class Quantised:
    """The matrices of one checkpoint. `tensors`: all, by the file's names; `some(name, rows, columns)`: part of one."""

    def __init__(
        self,
        tensors: dict[str, Stored],
        how: Settings,
        some: Callable[[str, slice, slice | None], Tensor],
    ) -> None:
        """BadModel: parts of a matrix are missing or do not fit each other."""
        self._some = some
        self._before = 1 if how.checkpoint_format == "gptq" else 0
        self._raw = tensors
        stems = [name.removesuffix(".qweight") for name in tensors if name.endswith(".qweight")]
        inner = {f"{stem}.{part}" for stem in stems for part in PARTS}
        self.tensors = {name: replace(each, alone=True) for name, each in tensors.items() if name not in inner}
        """All, by the names that they have where nothing is quantised."""
        for stem in stems:
            self.tensors[f"{stem}.weight"] = self._matrix(stem)

    def _matrix(self, stem: str) -> Stored:
        raw = {part: self._raw.get(f"{stem}.{part}") for part in PARTS}
        missing = [part for part, each in raw.items() if each is None]
        weight, zeros, scales, index = raw.values()
        if missing or weight is None or zeros is None or scales is None or index is None:
            raise BadModel(f"{stem} has no {missing[0]}", next(each.file.name for each in raw.values() if each))
        shapes = [each.shape for each in (weight, zeros, scales, index)]
        columns, rows = index.shape[0] if index.shape else 0, scales.shape[-1]
        bits = weight.shape[0] * WORD // (columns or 1)
        groups = scales.shape[0]
        fitting = [(columns * bits // WORD, rows), (groups, rows * bits // WORD), (groups, rows), (columns,)]
        if bits not in BITS or shapes != fitting or not groups or columns % groups:
            raise BadModel(f"the parts of {stem} do not fit each other: {shapes}", weight.file.name)
        if (weight.dtype, zeros.dtype, index.dtype) != ("I32",) * 3 or scales.dtype == "I32":
            raise BadModel(f"the parts of {stem} are not of the right kinds", weight.file.name)
        ordered = not torch.equal(self._index(stem), torch.arange(columns) // (columns // groups))
        made = {"dtype": f"GPTQ{bits}", "shape": (rows, columns), "group": columns // groups, "ordered": ordered}
        return replace(weight, **made)

    def groups(self, name: str, start: int, end: int) -> Groups:
        """A group must be a multiple of 32."""
        stored = self.tensors[name]
        steps, zeros, scales, order = self._parts(name, start, end)
        values = packed(steps) if stored.dtype == "GPTQ4" else steps
        return Groups(values, scales.half(), (-zeros * scales).half(), stored.group, order)

    def rows(self, name: str, start: int, end: int) -> Tensor:
        """fp32, whatever the group."""
        steps, zeros, scales, order = self._parts(name, start, end)
        whole = steps.float().unflatten(1, (scales.shape[1], -1))
        rows = whole.sub_(zeros[:, :, None]).mul_(scales[:, :, None]).flatten(1)
        return rows if order is None else rows[:, order.argsort()]

    def _parts(self, name: str, start: int, end: int) -> Parts:
        stored, stem = self.tensors[name], name.removesuffix(".weight")
        bits = int(stored.dtype.removeprefix("GPTQ"))
        own, each = slice(start, end), WORD // bits
        steps = unwoven(self._some(f"{stem}.qweight", slice(None), own), bits).t().contiguous()
        # Rows share words, so some of those around the ones asked for come along
        words = slice(start // each, -(-end // each))
        zeros = unwoven(self._some(f"{stem}.qzeros", slice(None), words).t(), bits)
        zeros = zeros[start - words.start * each :][: end - start].float() + self._before
        scales = self._some(f"{stem}.scales", slice(None), own).t().float().contiguous()
        if not stored.ordered:
            return Parts(steps, zeros, scales, None)
        index = self._index(stem)
        if not torch.equal(index.bincount(), torch.full((scales.shape[1],), stored.group)):
            raise BadModel(f"the groups of {stem} are of different sizes", stored.file.name)
        order = index.argsort(stable=True)
        return Parts(steps[:, order], zeros, scales, order.int())

    def _index(self, stem: str) -> Tensor:
        index = self._some(f"{stem}.g_idx", slice(None), None)
        if index.min() < 0:
            raise BadModel(f"{stem}.g_idx has negative numbers", self._raw[f"{stem}.g_idx"].file.name)
        return index.long()


def unwoven(words: Tensor, bits: int) -> Tensor:
    """int32 [W, n] -> the numbers in them, uint8 [W * 32 / bits, n]."""
    shifts = torch.arange(0, WORD, bits, dtype=torch.int32)[None, :, None]
    return (words[:, None] >> shifts & (1 << bits) - 1).flatten(0, 1).to(torch.uint8)


def woven(numbers: Tensor, bits: int) -> Tensor:
    """The inverse."""
    if bits == 4:
        numbers = numbers[::2] | numbers[1::2] << 4
    # Four bytes that follow each other are a word, the first lowest
    words = numbers.unflatten(0, (-1, WORD // 8)).transpose(1, 2).flatten()
    return words.view(torch.int32).view(-1, numbers.shape[1])


def stored(
    steps: Tensor, zeros: Tensor, scales: Tensor, index: Tensor, bits: int, version: int = 1
) -> dict[str, Tensor]:
    """The parts of a matrix by their names: steps [out, in] and zeros [out, groups], whole numbers, scales
    [out, groups], index [in]. In version 1 a zero is at least 1."""
    return {
        "qweight": woven(steps.to(torch.uint8).t(), bits),
        "qzeros": woven((zeros - int(version == 1)).to(torch.uint8), bits).t().contiguous(),
        "scales": scales.t().contiguous(),
        "g_idx": index.int(),
    }
