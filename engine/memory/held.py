"""How the rows of one layer lie in memory: as the model computes them, or as bytes with a scale each."""

from typing import Literal, Protocol

import torch
from torch import Tensor

from kernels import block_sparse_attention, full_attention, moba, page_scores, row_bytes
from kernels.page_scores import Pages, bounds_dtype
from kernels.row import Norm, Place, put

Form = Literal["model", "int8"]


class Held(Protocol):
    """Rows of keys and values, [B, Hkv, rows, D] each. `count` is how many of them there are, those behind not yet."""

    @property
    def allocated(self) -> int:
        """Rows that there is memory for."""
        ...

    def bytes(self) -> int: ...

    def grow(self, rows: int, held: int) -> None:
        """Make room for `rows`, keeping the first `held`."""
        ...

    def put(self, keys: Tensor, values: Tensor, at: Place) -> None:
        """Write [B, Hkv, T, D], as the model computes them, to rows `at` to `at + T`; T = 1 where a tensor tells it."""
        ...

    def part(self, first: int, last: int) -> tuple[Tensor, Tensor]:
        """Keys and values of rows `first` to `last` in the model's dtype."""
        ...

    def keys(self, head: int, count: int) -> Tensor:
        """Keys of one head of the first text, fp32 [count, D]."""
        ...

    def picked(self, rows: Tensor) -> Tensor:
        """Keys of these rows [n], in the model's dtype [B, Hkv, n, D]."""
        ...

    def attend(self, q: Tensor, count: int, scale: float) -> Tensor:
        """`full_attention.read` of queries [B, Hq, T, D], the newest of `count` rows."""
        ...

    def write(self, q: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
        """`full_attention.write` of one query [B, Hq, D], row `at`, which is there."""
        ...

    def step(
        self, heads: Tensor, norm: Norm | None, cos: Tensor, sin: Tensor, at: Place, window: int | None, scale: float
    ) -> Tensor:
        """`full_attention.step` of one token, which becomes row `at`."""
        ...

    def bounds(self, first: int, last: int) -> Tensor:
        """`page_scores.bounds` of the keys of rows `first`, where a page begins, to `last`."""
        ...

    def step_pages(
        self,
        heads: Tensor,
        norm: Norm | None,
        cos: Tensor,
        sin: Tensor,
        bounds: Tensor,
        at: int,
        pages: Pages,
        scale: float,
    ) -> Tensor:
        """`page_scores.step` of one token, which becomes row `at`."""
        ...

    def attend_chosen(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        """`block_sparse_attention.read` of queries [B, Hq, T, D], rows `at` to `at + T`, which are there."""
        ...

    def attend_tiles(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        """`block_sparse_attention.read_tiles` of queries [B, Hq, T, D], rows `at` to `at + T`, which are there."""
        ...

    def write_chosen(self, q: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
        """`block_sparse_attention.write` of one token's queries [B, Hq, D], row `at`, which is there."""
        ...

    def keep(self, rows: Tensor) -> None:
        """Of one text: each head's row i becomes what its row `rows[head, i]` was [Hkv, n]; those behind count no
        more. There is memory for as many as before."""
        ...

    def turn(self, cos: Tensor, sin: Tensor) -> None:
        """Of one text: turn the first keys of each head on, by cosine and signed sine fp32 [Hkv, n, D] of a row."""
        ...

    def attend_by_head(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        """`moba.read` of queries [B, Hq, T, D], rows `at` to `at + T`, which are there."""
        ...

    def write_by_head(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        """`moba.write` of one token's queries [B, Hq, D], row `at`, which is there."""
        ...

    def tensors(self, text: int, count: int) -> dict[str, Tensor]:
        """Views of the first `count` rows of text number `text`, by the names that they are saved under."""
        ...

    def take(self, tensors: dict[str, Tensor]) -> None:
        """Rows from 0 on become what `tensors` gave of one text. There must be room for them."""
        ...


class ModelRows:
    """In the model's dtype. `in_order`: row after row, as layers want them that pick pieces of them; else as the
    attention kernel is fastest over them."""

    def __init__(
        self, batch: int, kv_heads: int, width: int, dtype: torch.dtype, device: torch.device, *, in_order: bool
    ) -> None:
        self._batch, self._kv_heads, self._width, self._dtype, self._device = batch, kv_heads, width, dtype, device
        self._in_order = in_order
        self._keys, self._values = self._room(0)

    @property
    def allocated(self) -> int:
        return self._keys.shape[2]

    def bytes(self) -> int:
        return self._keys.nbytes + self._values.nbytes

    def grow(self, rows: int, held: int) -> None:
        old = self._keys, self._values
        self._keys, self._values = self._room(rows)
        self._keys[:, :, :held] = old[0][:, :, :held]
        self._values[:, :, :held] = old[1][:, :, :held]

    def put(self, keys: Tensor, values: Tensor, at: Place) -> None:
        for held, new in ((self._keys, keys), (self._values, values)):
            if isinstance(at, Tensor):
                put(held, new[:, :, 0], at)
            else:
                held[:, :, at : at + new.shape[2]] = new

    def part(self, first: int, last: int) -> tuple[Tensor, Tensor]:
        return self._keys[:, :, first:last], self._values[:, :, first:last]

    def keys(self, head: int, count: int) -> Tensor:
        return self._keys[0, head, :count].float()

    def picked(self, rows: Tensor) -> Tensor:
        return self._keys.index_select(2, rows)

    def attend(self, q: Tensor, count: int, scale: float) -> Tensor:
        return full_attention.read(q, *self.part(0, count), scale)

    def write(self, q: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
        return full_attention.write(q, self._keys, self._values, at, window, scale)

    def step(
        self, heads: Tensor, norm: Norm | None, cos: Tensor, sin: Tensor, at: Place, window: int | None, scale: float
    ) -> Tensor:
        return full_attention.step(heads, norm, cos, sin, self._keys, self._values, at, window, scale)

    def bounds(self, first: int, last: int) -> Tensor:
        return page_scores.bounds(self._keys[:, :, first:last], bounds_dtype(self._dtype))

    def step_pages(
        self,
        heads: Tensor,
        norm: Norm | None,
        cos: Tensor,
        sin: Tensor,
        bounds: Tensor,
        at: int,
        pages: Pages,
        scale: float,
    ) -> Tensor:
        return page_scores.step(heads, norm, cos, sin, self._keys, self._values, bounds, at, pages, scale)

    def attend_chosen(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        return block_sparse_attention.read(q, *self.part(0, at + q.shape[2]), chosen, at, block, scale)

    def attend_tiles(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        return block_sparse_attention.read_tiles(q, *self.part(0, at + q.shape[2]), chosen, at, block, scale)

    def write_chosen(self, q: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
        return block_sparse_attention.write(q, self._keys, self._values, chosen, at, block, scale)

    def keep(self, rows: Tensor) -> None:
        for held in (self._keys[0], self._values[0]):
            held[:, : rows.shape[1]] = held.gather(1, rows[..., None].expand(-1, -1, self._width))

    def turn(self, cos: Tensor, sin: Tensor) -> None:
        keys = self._keys[0, :, : cos.shape[1]]
        keys.copy_(_turned(keys.float(), cos, sin))

    def attend_by_head(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        return moba.read(q, *self.part(0, at + q.shape[2]), chosen, at, block, scale)

    def write_by_head(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        return moba.write(q, *self.part(0, at + 1), chosen, at, block, scale)

    def tensors(self, text: int, count: int) -> dict[str, Tensor]:
        return {"keys": self._keys[text, :, :count], "values": self._values[text, :, :count]}

    def take(self, tensors: dict[str, Tensor]) -> None:
        self.put(tensors["keys"][None], tensors["values"][None], 0)

    def _room(self, rows: int) -> tuple[Tensor, Tensor]:
        if not self._in_order:
            return full_attention.rows(self._batch, self._kv_heads, rows, self._width, self._dtype, self._device)
        shape = (self._batch, self._kv_heads, rows, self._width)
        keys, values = (torch.zeros(shape, dtype=self._dtype, device=self._device) for _ in "kv")
        return keys, values


class ByteRows:
    """As `row_bytes` packs them: half the memory of bf16.

    Every row is seen as what it stands for, by the tokens of its own piece too: so pieces make no difference.
    """

    def __init__(self, batch: int, kv_heads: int, width: int, dtype: torch.dtype, device: torch.device) -> None:
        self._shape, self._dtype, self._device = (batch, kv_heads, width), dtype, device
        self._held = self._room(0)

    @property
    def allocated(self) -> int:
        return self._held["keys"].shape[2]

    def bytes(self) -> int:
        return sum(tensor.nbytes for tensor in self._held.values())

    def grow(self, rows: int, held: int) -> None:
        old, self._held = self._held, self._room(rows)
        for name, tensor in self._held.items():
            tensor[:, :, :held] = old[name][:, :, :held]

    def put(self, keys: Tensor, values: Tensor, at: Place) -> None:
        for name, scales, rows in (("keys", "key_scales", keys), ("values", "value_scales", values)):
            for held, new in zip((self._held[name], self._held[scales]), row_bytes.pack(rows), strict=True):
                if isinstance(at, Tensor):
                    put(held, new[:, :, 0], at)
                else:
                    held[:, :, at : at + new.shape[2]] = new

    def part(self, first: int, last: int) -> tuple[Tensor, Tensor]:
        keys, key_scales, values, value_scales = (tensor[:, :, first:last] for tensor in self._all())
        return row_bytes.unpack(keys, key_scales, self._dtype), row_bytes.unpack(values, value_scales, self._dtype)

    def keys(self, head: int, count: int) -> Tensor:
        keys, scales, _, _ = (tensor[0, head, :count] for tensor in self._all())
        return row_bytes.unpack(keys, scales, torch.float32)

    def picked(self, rows: Tensor) -> Tensor:
        keys, scales, _, _ = self._all()
        return row_bytes.unpack(keys.index_select(2, rows), scales.index_select(2, rows), self._dtype)

    def attend(self, q: Tensor, count: int, scale: float) -> Tensor:
        return full_attention.read_bytes(q, *(tensor[:, :, :count] for tensor in self._all()), scale)

    def write(self, q: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
        return full_attention.write_bytes(q, *self._all(), at, window, scale)

    def step(
        self, heads: Tensor, norm: Norm | None, cos: Tensor, sin: Tensor, at: Place, window: int | None, scale: float
    ) -> Tensor:
        return full_attention.step_bytes(heads, norm, cos, sin, *self._all(), at, window, scale)

    def bounds(self, first: int, last: int) -> Tensor:
        """Of what the keys stand for, before that is rounded to the model's dtype."""
        keys, scales = self._held["keys"][:, :, first:last], self._held["key_scales"][:, :, first:last]
        return page_scores.bounds(row_bytes.unpack(keys, scales, torch.float32), torch.bfloat16)

    def step_pages(
        self,
        heads: Tensor,
        norm: Norm | None,
        cos: Tensor,
        sin: Tensor,
        bounds: Tensor,
        at: int,
        pages: Pages,
        scale: float,
    ) -> Tensor:
        return page_scores.step_bytes(heads, norm, cos, sin, *self._all(), bounds, at, pages, scale)

    def attend_chosen(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        # A piece's tokens choose nearly every block together, so that all rows are unpacked once for it
        return block_sparse_attention.read(q, *self.part(0, at + q.shape[2]), chosen, at, block, scale)

    def attend_tiles(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        held = (tensor[:, :, : at + q.shape[2]] for tensor in self._all())
        return block_sparse_attention.read_tiles_bytes(q, *held, chosen, at, block, scale)

    def write_chosen(self, q: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
        return block_sparse_attention.write_bytes(q, *self._all(), chosen, at, block, scale, self._dtype)

    def attend_by_head(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        return moba.read(q, *self.part(0, at + q.shape[2]), chosen, at, block, scale)

    def write_by_head(self, q: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
        held = block_sparse_attention.unpacked(*self._all(), chosen, at, block, self._dtype)
        return moba.write(q, *held, block, scale)

    def keep(self, rows: Tensor) -> None:
        for held in (tensor[0] for tensor in self._held.values()):
            own = rows if held.ndim == 2 else rows[..., None].expand(-1, -1, held.shape[-1])
            held[:, : rows.shape[1]] = held.gather(1, own)

    def turn(self, cos: Tensor, sin: Tensor) -> None:
        keys, scales = (self._held[name][0, :, : cos.shape[1]] for name in ("keys", "key_scales"))
        packed, new = row_bytes.pack(_turned(row_bytes.unpack(keys, scales, torch.float32), cos, sin))
        keys.copy_(packed)
        scales.copy_(new)

    def tensors(self, text: int, count: int) -> dict[str, Tensor]:
        return {name: tensor[text, :, :count] for name, tensor in self._held.items()}

    def take(self, tensors: dict[str, Tensor]) -> None:
        for name, tensor in self._held.items():
            tensor[0, :, : tensors[name].shape[1]] = tensors[name]

    def _all(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        held = self._held
        return held["keys"], held["key_scales"], held["values"], held["value_scales"]

    def _room(self, rows: int) -> dict[str, Tensor]:
        batch, kv_heads, width = self._shape
        shape = (batch, kv_heads, rows)
        held: dict[str, Tensor] = {}
        for name, scales in (("keys", "key_scales"), ("values", "value_scales")):
            held[name] = torch.zeros((*shape, width), dtype=torch.int8, device=self._device)
            held[scales] = torch.zeros(shape, device=self._device)
        return held


def _turned(keys: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    return torch.addcmul(keys * cos, keys.roll(keys.shape[-1] // 2, -1), sin)
