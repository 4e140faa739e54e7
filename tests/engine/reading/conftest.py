"""Tiny random models: transformers' own, ours of the same weights, and a naive twin that takes rows anywhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor
from torch.nn import functional

from engine.memory.pool import Pool
from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder, never
from engine.model.rope import Rotation
from engine.protocol import ReadingSettings
from engine.reading.frame import Frame
from engine.reading.kept import Kept
from engine.reading.segmented import Desk, Segmented
from engine.reading.segments import Segment
from engine.tokenizer import Tokenizer
from engine.weights import load, tokenizer_files

WINDOW = 512
SIZES = {
    "vocab_size": 120,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": WINDOW,
    "initializer_range": 0.2,
    "bos_token_id": None,
    "eos_token_id": None,
}
SLIDING = 24
KINDS: dict[str, tuple[str, dict[str, Any], list[int | None]]] = {
    "full": ("Llama", {}, [None] * 4),
    "full, norms": ("Qwen3", {}, [None] * 4),
    "sliding": ("Mistral", {"sliding_window": SLIDING}, [SLIDING] * 4),
    "both, norms": (
        "Qwen3",
        {"use_sliding_window": True, "sliding_window": SLIDING, "max_window_layers": 2},
        [None, None, SLIDING, SLIDING],
    ),
}
"""Transformers' name, options, and rows that each layer sees."""


@dataclass
class Rows:
    """Of one layer: keys before they are turned [Hkv, R, D], the position of each [Hkv, R], values [Hkv, R, D]."""

    keys: Tensor
    positions: Tensor
    values: Tensor

    def taken(self, rows: slice | Tensor, shift: int = 0) -> "Rows":
        """`rows`: the same of all heads, or numbers for each [Hkv, n]. Each moved by `shift` positions."""
        if isinstance(rows, slice):
            return Rows(self.keys[:, rows], self.positions[:, rows] + shift, self.values[:, rows])
        wide = rows[..., None].expand(-1, -1, self.keys.shape[-1])
        return Rows(self.keys.gather(1, wide), self.positions.gather(1, rows) + shift, self.values.gather(1, wide))

    @classmethod
    def together(cls, parts: Sequence["Rows"]) -> "Rows":
        return cls(*(torch.cat([getattr(part, name) for part in parts], 1) for name in ("keys", "positions", "values")))


class Twin:
    """The decoder once more, in plain torch and double precision, one text at a time."""

    def __init__(self, model: transformers.PreTrainedModel, windows: Sequence[int | None]) -> None:
        self.config, self.windows = model.config, windows
        self.weights = {name: weight.double() for name, weight in model.state_dict().items()}
        self.theta = model.config.rope_parameters["rope_theta"]

    @torch.inference_mode()
    def read(
        self, ids: Sequence[int], first: int = 0, before: Sequence[Rows] | None = None
    ) -> tuple[Tensor, list[Rows], list[Tensor]]:
        """Ids from position `first` on, behind these rows of every layer: logits [T, vocab]; the ids' own rows; and the
        attention that each query head gives the rows before and the ids' own, [Hq, T, R + T] for each layer."""
        config, weights = self.config, self.weights
        tokens, groups = len(ids), config.num_attention_heads // config.num_key_value_heads
        x = weights["model.embed_tokens.weight"][torch.as_tensor(list(map(int, ids)))]
        own: list[Rows] = []
        seen: list[Tensor] = []
        for number, window in enumerate(self.windows):
            name = f"model.layers.{number}."
            normed = self._norm(x, name + "input_layernorm")
            q, k, v = (self._heads(normed, f"{name}self_attn.{part}") for part in "qkv")
            own.append(Rows(k, torch.arange(first, first + tokens).expand(len(k), -1), v))
            rows = own[-1] if before is None else Rows.together((before[number], own[-1]))
            keys = self.turned(rows).repeat_interleave(groups, 0)
            queries = self._turned(q, torch.arange(first, first + tokens).expand(len(q), -1))
            scores = queries @ keys.mT / config.head_dim**0.5
            count = keys.shape[1]
            row, query = torch.arange(count), torch.arange(count - tokens, count)[:, None]
            hidden = (row > query) | (row <= query - (window or count + 1))
            seen.append(scores.masked_fill(hidden, -torch.inf).softmax(-1))
            mixed = seen[-1] @ rows.values.repeat_interleave(groups, 0)
            x = x + mixed.transpose(0, 1).reshape(tokens, -1) @ weights[name + "self_attn.o_proj.weight"].T
            normed = self._norm(x, name + "post_attention_layernorm")
            gate, up = (normed @ weights[f"{name}mlp.{part}_proj.weight"].T for part in ("gate", "up"))
            x = x + (functional.silu(gate) * up) @ weights[name + "mlp.down_proj.weight"].T
        return self._norm(x, "model.norm") @ weights["lm_head.weight"].T, own, seen

    def turned(self, rows: Rows) -> Tensor:
        """Their keys at their positions."""
        return self._turned(rows.keys, rows.positions)

    def _heads(self, x: Tensor, name: str) -> Tensor:
        """[H, T, D]."""
        heads = (x @ self.weights[name + "_proj.weight"].T).view(len(x), -1, self.config.head_dim).transpose(0, 1)
        return self._norm(heads, name + "_norm") if name + "_norm.weight" in self.weights else heads

    def _norm(self, x: Tensor, name: str) -> Tensor:
        scale = (x.square().mean(-1, keepdim=True) + self.config.rms_norm_eps).rsqrt()
        return x * scale * self.weights[name + ".weight"]

    def _turned(self, x: Tensor, positions: Tensor) -> Tensor:
        half = x.shape[-1] // 2
        angles = positions[..., None] * self.theta ** -(torch.arange(half, dtype=torch.float64) / half)
        a, b = x.split(half, -1)
        return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)


@dataclass
class Model:
    decoder: Decoder
    theirs: transformers.PreTrainedModel
    twin: Twin

    @property
    def rotation(self) -> Rotation:
        return Rotation(self.decoder.config, WINDOW, torch.float32, self.decoder.device)


@pytest.fixture(scope="session")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Model]:
    """make_model(kind, **options): one of KINDS, with other options for its configuration."""

    @cache
    def made(kind: str, options: str = "{}") -> Model:
        torch.manual_seed(7)
        family, own, windows = KINDS[kind]
        config = getattr(transformers, family + "Config")(**SIZES | own | eval(options))
        model = getattr(transformers, family + "ForCausalLM")(config).eval()
        for parameter in model.parameters():
            if parameter.ndim == 1:  # norms are all ones until somebody trains them
                torch.nn.init.uniform_(parameter.data, 0.5, 1.5)
        folder = tmp_path_factory.mktemp("model")
        model.save_pretrained(folder)
        return Model(load(folder, "fp32", "cpu").decoder, model, Twin(model, windows))

    return lambda kind, **options: made(kind, repr(options))


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, make_model: Callable[..., Model]) -> Model:
    """Each kind of attention in turn."""
    return make_model(request.param)


def ids(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, SIZES["vocab_size"], count, np.int32)


PREAMBLE = ids(5, 99)


@pytest.fixture
def texts() -> list[Segment]:
    """Segments of 40, 61, 23 and 90 tokens, the first five of them the same."""
    return [
        Segment(np.concatenate((PREAMBLE, ids(count - 5, count))), 5, (), (), str(count)) for count in (40, 61, 23, 90)
    ]


@pytest.fixture
def tail() -> np.ndarray:
    """13 tokens."""
    return ids(13, 1)


Read = Callable[..., list[SegmentRows]]


@pytest.fixture
def read() -> Read:
    """read(model, segments, form="model", piece=1000) -> the segments' rows, as a request for reading makes them."""

    def rows(model: Model, segments: Sequence[Segment], form: str = "model", piece: int = 1000) -> list[SegmentRows]:
        desk = Desk(model.decoder, None, model.rotation, None, piece, 1, 1)
        kept = Kept(Pool(1 << 30), None, lambda form: None, torch.device("cpu"))
        around = Frame(PREAMBLE, (), PREAMBLE, 0, (0, 0), "", False)
        task = Segmented("1", desk, around, segments, kept, ReadingSettings(kv=form), never, 0.0)
        assert list(task.read())[-1].finish == "read"
        return [task.rows(number) for number in range(len(segments))]

    return rows


@pytest.fixture
def distance() -> Callable[[Tensor, Tensor], float]:
    """Norm of the difference over the norm of the second; NaN is below nothing."""
    return lambda ours, theirs: ((ours.double() - theirs.double()).norm() / theirs.double().norm()).item()


@pytest.fixture(scope="session")
def tokenizer(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    """Of 600 tokens, which knows made-up words of the latin script; everything else it takes byte by byte."""
    return Tokenizer(tokenizer_files.read(tiny_model, tmp_path_factory.mktemp("tokenizer")))
