"""THE decoder, top to bottom: embedding, layers, norm, logits. It knows no process, no tokenizer and no sampling.

Prefill and decode are two plain methods: `read` takes many tokens in one piece, `write` one token as fast as it can.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from engine.memory.caches import Caches, KeyValues
from engine.memory.held import ByteRows, Form, Held, ModelRows
from engine.memory.moba_rows import MobaRows
from engine.memory.nsa_rows import CompressedRows, NsaRows
from engine.memory.selected_rows import SelectedRows
from engine.memory.sparse_rows import SparseRows
from engine.memory.states import State
from engine.model.config import MixerKind, ModelConfig
from engine.model.graph import repeats
from engine.model.layers import MLP, Embedding, Linear, Norm
from engine.model.mixers import Mixer
from engine.model.rope import Rotation
from kernels.row import Place
from kernels.stacked_linear import Part


class Stopped(Exception):
    """Somebody asked to stop, and this work left no trace."""


def never() -> bool:
    return False


Cache = KeyValues | NsaRows | State
"""What a layer keeps of a text, by its kind."""


@dataclass
class Layer:
    mixer_norm: Norm
    mixer: Mixer
    mlp_norm: Norm
    mlp: MLP

    def linears(self) -> list[Part]:
        """Every product of the layer, in the order of use."""
        linears = [*self.mixer.linears(), self.mlp.gate_up, self.mlp.down]
        return [part for linear in linears for part in linear.parts]

    def read(self, x: Tensor, cos: Tensor, sin: Tensor, cache: Cache, at: int, keep: int) -> Tensor | None:
        """x [B, T, hidden] -> the last `keep` tokens [B, keep, hidden]; None when none are wanted. x is changed."""
        x = self.mixer.read(x, self.mixer_norm, cos, sin, cache, at, keep)
        return None if x is None else self.mlp.read(x, self.mlp_norm)

    def write(self, x: Tensor, cos: Tensor, sin: Tensor, cache: Cache, at: Place) -> Tensor:
        """x [B, hidden] -> [B, hidden], fp32."""
        x = self.mixer.write(x, self.mixer_norm, cos, sin, cache, at)
        return self.mlp.write(x, self.mlp_norm)


class Decoder:
    """Weights never change after loading; all that a text leaves behind is in its caches."""

    def __init__(
        self,
        config: ModelConfig,
        embedding: Embedding,
        layers: list[Layer],
        norm: Norm,
        head: Linear,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self.config = config
        self.embedding = embedding
        self.layers = layers
        self.norm = norm
        self.head = head
        self.dtype = dtype
        """Of activations, keys and values."""
        self.device = device

    def make_caches(self, capacity: int, batch: int = 1, form: Form = "model") -> Caches:
        """Empty caches for `batch` texts of up to `capacity` tokens; memory is taken as rows come. `form`: of rows."""
        config = self.config
        layers = [self._cache(number, kind, capacity, batch, form) for number, kind in enumerate(config.mixers)]
        operations = sum(len(layer.linears()) + 1 for layer in self.layers) + 1
        rotation = Rotation(config, capacity, self.dtype, self.device)
        return Caches(layers, rotation, capacity, batch, repeats(config, operations, self.device))

    @torch.inference_mode()
    def read(
        self,
        ids: Tensor,
        caches: Caches,
        *,
        logits: Literal["none", "last", "all"],
        prompt: int = 0,
        stopped: Callable[[], bool] = never,
    ) -> Tensor | None:
        """Read ids [B, T] after what the caches hold. `prompt`: tokens of the whole text that they are a piece of,
        where more of it is to follow: sparse layers read short ones densely.

        Returns float32 logits [B, vocab] of the last token or [B, T, vocab] of all. `stopped` is asked before every
        layer; once it says so `Stopped` is raised and the caches are as they were. ValueError: more than there is
        room for, or no tokens.
        """
        tokens = ids.shape[1]
        at = self._room(caches, tokens)
        caches.expect(max(prompt, caches.tokens + tokens))
        cos, sin = caches.rotation.at(caches.next_pos, tokens)
        # What the last layer makes of tokens whose logits nobody wants is read by nothing
        wanted = {"none": 0, "last": 1, "all": tokens}[logits]
        x: Tensor | None = self.embedding(ids)
        for number, layer in enumerate(self.layers, 1):
            if stopped():
                raise Stopped
            assert x is not None
            x = layer.read(x, cos, sin, caches[number - 1], at, wanted if number == len(self.layers) else tokens)
        caches.advance(tokens)
        if x is None:
            return None
        out = self.logits(x)
        return out[:, 0] if logits == "last" else out

    def logits(self, x: Tensor) -> Tensor:
        """Of what the last layer gave [..., hidden]: float32 [..., vocab]."""
        return self.head.read(self.norm(x)).float() / self.config.logit_divisor

    @torch.inference_mode()
    def write(self, id: Tensor, caches: Caches, *, prompt: int = 0) -> Tensor:
        """Read one token id [B] after what the caches hold; float32 logits [B, vocab]. `prompt` as in `read`, where the
        token is a prompt's. ValueError: no room."""
        at = self._room(caches, 1)
        caches.expect(max(prompt, caches.tokens + 1))
        cos, sin = caches.rotation.at(caches.next_pos, 1)
        # Activations are fp32 from here on: for one row that is no slower than bf16
        inputs = self.embedding(id).float(), cos[0].float(), sin[0].float()

        def layers(x: Tensor, cos: Tensor, sin: Tensor, at: Place) -> Tensor:
            for layer, cache in zip(self.layers, caches.layers, strict=True):
                x = layer.write(x, cos, sin, cache, at)
            return self.head.write(x, self.norm.row)

        assert caches.repeats is not None
        logits = caches.repeats.write(layers, inputs, caches, at)
        caches.wrote(at)
        caches.advance(1)
        return logits / self.config.logit_divisor

    def _cache(self, number: int, kind: MixerKind, capacity: int, batch: int, form: Form) -> Cache:
        config = self.config
        if kind == "lightning":
            assert config.lightning is not None
            return State(batch, config.lightning.heads, config.head_width, self.device)

        def held(*, in_order: bool) -> Held:
            about = (batch, config.kv_heads, config.head_width, self.dtype, self.device)
            return ByteRows(*about) if form == "int8" else ModelRows(*about, in_order=in_order)

        if kind == "sparse":
            assert config.sparse is not None
            return SparseRows(held(in_order=True), capacity, config.sparse)
        if kind == "moba":
            assert config.moba is not None
            return MobaRows(held(in_order=True), capacity, config.moba.block)
        if kind == "nsa":
            assert config.nsa is not None
            selected, sliding = (KeyValues(held(in_order=one), capacity) for one in (True, False))
            return NsaRows(CompressedRows(held(in_order=True), capacity, config.nsa), selected, sliding)
        if config.selectable:
            return SelectedRows(held(in_order=False), capacity, number)
        return KeyValues(held(in_order=False), capacity)

    def _room(self, caches: Caches, tokens: int) -> int:
        if not 0 < tokens <= caches.room():
            raise ValueError(f"{tokens} tokens to read, and room for {caches.room()}")
        return caches.length()
