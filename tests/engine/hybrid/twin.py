"""MiniCPM-SALA once more, in double precision, all tokens by all tokens, from the papers' formulas."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

LIGHTNING = "lightning-attn"


class Twin:
    """`weights`: a checkpoint's tensors. `config`: its config.json."""

    def __init__(self, weights: dict[str, Tensor], config: dict[str, Any], normaliser: str = "coarse") -> None:
        self.weights = {name: weight.double() for name, weight in weights.items()}
        self.config, self.normaliser = config, normaliser
        self.choices: list[list[tuple[Tensor, Tensor]]] = []
        self._there: Iterator[Tensor] | None = None
        self.plain = config["model_type"] == "minicpm"
        """MiniCPM4: all layers are sparse, with positions and without a gate."""

    @torch.inference_mode()
    def read(self, ids: list[int], there: list[Tensor] | None = None) -> Tensor:
        """Logits [T, vocab]. `there`: of each sparse layer, which blocks a query may find, [Hkv, T, blocks]; None: all.
        What queries chose stays in `choices`, of each sparse layer and key head, with the scores, [T, blocks] each."""
        config = self.config
        self.choices = []
        self._there = None if there is None else iter(there)
        sparse = len(ids) >= config["sparse_config"]["dense_len"]
        x = self.weights["model.embed_tokens.weight"][torch.tensor(ids)] * config["scale_emb"]
        share = config["scale_depth"] / math.sqrt(config["num_hidden_layers"])
        for number, kind in enumerate(config["mixer_types"]):
            name = f"model.layers.{number}."
            normed = self._norm(x, name + "input_layernorm")
            mix = self._lightning if kind == LIGHTNING else self._sparse
            x = x + share * mix(normed, name + "self_attn.", sparse)
            normed = self._norm(x, name + "post_attention_layernorm")
            gate, up = (self._times(normed, f"{name}mlp.{part}_proj") for part in ("gate", "up"))
            x = x + share * self._times(torch.nn.functional.silu(gate) * up, name + "mlp.down_proj")
        x = self._norm(x, "model.norm") / (config["hidden_size"] / config["dim_model_base"])
        return x @ self.weights["lm_head.weight"].T

    def _lightning(self, x: Tensor, name: str, sparse: bool) -> Tensor:
        heads, width = self.config["lightning_nh"], self.config["lightning_head_dim"]
        q, k, v = (self._times(x, f"{name}{part}_proj").view(len(x), heads, width) for part in "qkv")
        q, k = self._norm(q, name + "q_norm"), self._norm(k, name + "k_norm")
        q, k = self._turned(q), self._turned(k)
        ago = torch.arange(len(x), dtype=torch.float64)[:, None] - torch.arange(len(x), dtype=torch.float64)
        out = torch.empty_like(q)
        for head, slope in enumerate(slopes(heads)):
            faded = torch.where(ago < 0, 0, torch.exp(-slope * ago))
            out[:, head] = (q[:, head] @ k[:, head].T / math.sqrt(width) * faded) @ v[:, head]
        mixed = self._norm(out.reshape(len(x), -1), name + "o_norm")
        if self.config["use_output_gate"]:
            mixed = mixed * torch.sigmoid(self._times(x, name + "z_proj"))
        return self._times(mixed, name + "o_proj")

    def _sparse(self, x: Tensor, name: str, sparse: bool) -> Tensor:
        config = self.config
        heads, kv_heads, width = config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]
        q = self._times(x, name + "q_proj").view(len(x), heads, width)
        k, v = (self._times(x, f"{name}{part}_proj").view(len(x), kv_heads, width) for part in "kv")
        if self.plain or config["attn_use_rope"]:
            q, k = self._turned(q), self._turned(k)
        out = torch.empty_like(q)
        at = torch.arange(len(x))
        block = at // config["sparse_config"]["block_size"]
        every = torch.ones(kv_heads, len(x), int(block[-1]) + 1, dtype=torch.bool)
        there = every if self._there is None else next(self._there)
        self.choices.append([])
        for group in range(kv_heads):
            own = range(group * heads // kv_heads, (group + 1) * heads // kv_heads)
            seen = (at <= at[:, None]) & there[group][:, block]
            blocks, scores = self._blocks(q[:, list(own)].transpose(0, 1), k[:, group], there[group])
            self.choices[-1].append((blocks, scores))
            if sparse:
                seen = seen & blocks[:, block]
            for head in own:
                scores = (q[:, head] @ k[:, group].T / math.sqrt(width)).masked_fill(~seen, -math.inf)
                out[:, head] = scores.softmax(-1) @ v[:, group]
        mixed = out.reshape(len(x), -1)
        if not self.plain and config["attn_use_output_gate"]:
            mixed = mixed * torch.sigmoid(self._times(x, name + "o_gate"))
        return self._times(mixed, name + "o_proj")

    def _blocks(self, q: Tensor, k: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Which blocks queries [G, T, D] read of the keys [T, D] among those that are there, and by which scores:
        [T, blocks] each."""
        sizes = self.config["sparse_config"]
        kernel, stride, block = sizes["kernel_size"], sizes["kernel_stride"], sizes["block_size"]
        at, count = torch.arange(len(k))[:, None], -(-len(k) // block)
        fine, coarse = means(k, kernel, stride), means(k, 4 * kernel, 4 * stride)
        seen = torch.arange(len(fine)) * stride + kernel - 1 <= at
        seen_coarse = torch.arange(len(coarse)) * 4 * stride + 4 * kernel - 1 <= at
        seen = seen & _left(there, len(fine), kernel, stride, block)
        seen_coarse = seen_coarse & _left(there, len(coarse), 4 * kernel, 4 * stride, block)
        scores = (q @ fine.T / math.sqrt(q.shape[2])).masked_fill(~seen, -math.inf)  # [G, T, windows]
        below = (q @ coarse.T / math.sqrt(q.shape[2])).masked_fill(~seen_coarse, -math.inf)
        normaliser = (scores if self.normaliser == "exact" else below).logsumexp(-1, keepdim=True)
        likely = torch.where(normaliser > -math.inf, (scores - normaliser).exp(), 0).sum(0)  # [T, windows]
        likely = likely.masked_fill(~seen, -math.inf)
        best = torch.full((len(k), count), -math.inf, dtype=torch.float64)
        for b in range(count):
            windows = [j for j in range(len(fine)) if j * stride < (b + 1) * block and j * stride + kernel > b * block]
            if windows:
                best[:, b] = likely[:, windows].amax(-1)
        scores_of = best.clamp(min=0)
        best = best.masked_fill(~there, -math.inf)
        number, own = torch.arange(count), at // block
        local = number >= own - sizes["window_size"] // block
        best[(number < sizes["init_blocks"]) | local] = math.inf
        best[number > own] = -math.inf
        # Neighbours share windows, so that equal scores are equal bits: of those the lower block
        order = torch.sort(best, dim=-1, descending=True, stable=True).indices
        order = order[:, : sizes["topk"] + sizes["window_size"] // block]
        chosen = torch.zeros(len(k), count, dtype=torch.bool)
        chosen = chosen.scatter_(1, order, torch.ones_like(order, dtype=torch.bool)) & (number <= own) & there
        return chosen, scores_of

    def _times(self, x: Tensor, name: str) -> Tensor:
        return x @ self.weights[name + ".weight"].T

    def _norm(self, x: Tensor, name: str) -> Tensor:
        scale = (x.square().mean(-1, keepdim=True) + self.config["rms_norm_eps"]).rsqrt()
        return x * scale * self.weights[name + ".weight"]

    def _turned(self, x: Tensor) -> Tensor:
        """[T, H, D] at positions 0 to T - 1."""
        half = x.shape[-1] // 2
        speed = self.config["rope_theta"] ** -(torch.arange(half, dtype=torch.float64) / half)
        scaling, longer = self.config["rope_scaling"] or {}, 1.0
        if scaling.get("rope_type") == "longrope":
            original = scaling["original_max_position_embeddings"]
            speed = speed / torch.tensor(scaling["long_factor" if len(x) > original else "short_factor"])
            stretch = self.config["max_position_embeddings"] / original
            longer = math.sqrt(1 + math.log(stretch) / math.log(original))
        angles = torch.arange(len(x), dtype=torch.float64)[:, None, None] * speed
        cos, sin = longer * angles.cos(), longer * angles.sin()
        a, b = x.split(half, -1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def slopes(heads: int) -> list[float]:
    """Of a power of two."""
    return [2 ** (-8 * (head + 1) / heads) for head in range(heads)]


def means(k: Tensor, kernel: int, stride: int) -> Tensor:
    """Of all whole windows [n, D]."""
    starts = range(0, len(k) - kernel + 1, stride)
    return torch.stack([k[s : s + kernel].mean(0) for s in starts]) if len(starts) else k[:0]


def _left(there: Tensor, count: int, kernel: int, stride: int, block: int) -> Tensor:
    """Of so many windows those that have a row in a block that is there [T, blocks]: [T, count]."""
    spans = [range(j * stride // block, (j * stride + kernel - 1) // block + 1) for j in range(count)]
    return torch.stack([there[:, list(span)].any(1) for span in spans], 1) if count else there[:, :0]
