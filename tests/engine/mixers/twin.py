"""A Llama or Qwen3 whose layers are full, MoBA, NSA or sparse once more, in double precision, all tokens by all tokens,
from the papers' formulas (arXiv 2502.13189, 2502.11089)."""

import math
from typing import Any

import torch
from torch import Tensor

from tests.engine.hybrid.twin import Twin as Hybrid


class Twin(Hybrid):
    """`weights`: a checkpoint's tensors. `config`: its config.json."""

    def __init__(self, weights: dict[str, Tensor], config: dict[str, Any]) -> None:
        super().__init__(weights, config)
        self.plain = True  # sparse layers as in MiniCPM4

    @torch.inference_mode()
    def read(self, ids: list[int]) -> Tensor:
        """Logits [T, vocab]."""
        x = self.weights["model.embed_tokens.weight"][torch.tensor(ids)]
        sparse = "sparse_config" in self.config and len(ids) >= self.config["sparse_config"]["dense_len"]
        for number, kind in enumerate(self.config["mixer_types"]):
            name = f"model.layers.{number}."
            normed = self._norm(x, name + "input_layernorm")
            if kind == "sparse":
                x = x + self._sparse(normed, name + "self_attn.", sparse)
            else:
                mix = {"full": self._full, "moba": self._moba, "nsa": self._nsa}[kind]
                mixed = mix(normed, name + "self_attn.").reshape(len(x), -1)
                x = x + self._times(mixed, name + "self_attn.o_proj")
            normed = self._norm(x, name + "post_attention_layernorm")
            gate, up = (self._times(normed, f"{name}mlp.{part}_proj") for part in ("gate", "up"))
            x = x + self._times(torch.nn.functional.silu(gate) * up, name + "mlp.down_proj")
        return self._norm(x, "model.norm") @ self.weights["lm_head.weight"].T

    def _full(self, x: Tensor, name: str) -> Tensor:
        q, k, v = self._qkv(x, name, name)
        at = torch.arange(len(x))
        return self._attended(q, k, v, (at <= at[:, None])[None].expand(q.shape[1], -1, -1))

    def _moba(self, x: Tensor, name: str) -> Tensor:
        q, k, v = self._qkv(x, name, name)
        block, topk = self.config["moba"]["block_size"], self.config["moba"]["topk"]
        at, group = torch.arange(len(x)), q.shape[1] // k.shape[1]
        means = torch.stack([k[n * block : (n + 1) * block].mean(0) for n in range(-(-len(x) // block))])
        seen = torch.zeros(q.shape[1], len(x), len(x), dtype=torch.bool)
        for head in range(q.shape[1]):
            gates = (q[:, head] @ means[:, head // group].T).tolist()
            for t in range(len(x)):
                own = t // block  # of the blocks before it the best, the lower of equal ones
                best = sorted(range(own), key=lambda n, t=t, gates=gates: (-gates[t][n], n))[: topk - 1]
                seen[head, t] = torch.isin(at // block, torch.tensor([own, *best])) & (at <= t)
        return self._attended(q, k, v, seen)

    def _nsa(self, x: Tensor, name: str) -> Tensor:
        nsa, length = self.config["nsa"], len(x)
        at = torch.arange(length)
        inner = torch.nn.functional.silu(self._times(x, name + "gate.up_proj"))
        gates = self._times(inner, name + "gate.down_proj").sigmoid().view(length, 3, -1, 1)
        q, k, v = self._qkv(x, name, name + "compressed.")
        heads, kv_heads, width = q.shape[1], k.shape[1], q.shape[2]
        kernel, stride, block = nsa["kernel_size"], nsa["kernel_stride"], nsa["block_size"]
        starts = range(0, length - kernel + 1, stride)
        entries = [torch.zeros(len(starts), kv_heads, width, dtype=torch.float64) for _ in "kv"]
        for made, rows, part in zip(entries, (k, v), "kv", strict=True):
            mlp = f"{name}compressed.{part}_mlp."
            for number, start in enumerate(starts):
                for head in range(kv_heads):
                    flat = rows[start : start + kernel, head].reshape(-1) + self.weights[mlp + "position"]
                    made[number, head] = self._times(
                        torch.nn.functional.silu(self._times(flat, mlp + "up_proj")), mlp + "down_proj"
                    )
        ended = torch.tensor([start + kernel - 1 for start in starts]) <= at[:, None]  # [T, n]
        weights = torch.zeros(heads, length, len(starts), dtype=torch.float64)
        compressed = torch.zeros_like(q)
        for head in range(heads):
            keys, values = (made[:, head * kv_heads // heads] for made in entries)
            scores = (q[:, head] @ keys.T / math.sqrt(width)).masked_fill(~ended, -math.inf)
            weights[head] = torch.where(ended.any(-1, keepdim=True), scores.softmax(-1), 0.0)
            compressed[:, head] = weights[head] @ values
        count = -(-length // block)
        over = torch.zeros(len(starts), count, dtype=torch.float64)  # strides of a window in a block
        for number, start in enumerate(starts):
            for b in range(count):
                over[number, b] = max(0, min(start + kernel, b * block + block) - max(start, b * block)) / stride
        seen = torch.zeros(heads, length, length, dtype=torch.bool)
        for group in range(kv_heads):
            own = slice(group * heads // kv_heads, (group + 1) * heads // kv_heads)
            importance = (weights[own].sum(0) @ over).tolist()  # [T, blocks]
            for t in range(length):
                last = t // block
                forced = [b < nsa["init_blocks"] or b > last - nsa["local_blocks"] for b in range(last + 1)]
                order = sorted(range(last + 1), key=lambda b: (not forced[b], -importance[t][b], b))[: nsa["topk"]]
                seen[own, t] = torch.isin(at // block, torch.tensor(order)) & (at <= t)
        selected = self._attended(q, *self._qkv(x, name, name + "selected.")[1:], seen)
        near = (at <= at[:, None]) & (at > at[:, None] - nsa["window_size"])
        sliding = self._attended(q, *self._qkv(x, name, name + "sliding.")[1:], near[None].expand(heads, -1, -1))
        return gates[:, 0] * compressed + gates[:, 1] * selected + gates[:, 2] * sliding

    def _qkv(self, x: Tensor, name: str, rows: str) -> list[Tensor]:
        """Queries, keys and values [T, H, D] by the products of these names, normed where a model does so; turned."""
        width = self.config["head_dim"]
        made = [self._times(x, each + "_proj").view(len(x), -1, width) for each in (name + "q", rows + "k", rows + "v")]
        if name + "q_norm.weight" in self.weights:
            made[:2] = (self._norm(one, f"{name}{part}_norm") for one, part in zip(made[:2], "qk", strict=True))
        return [self._turned(made[0]), self._turned(made[1]), made[2]]

    def _attended(self, q: Tensor, k: Tensor, v: Tensor, seen: Tensor) -> Tensor:
        """[T, Hq, D] over rows [T, Hkv, D], `seen` [Hq, T, T]."""
        out, group = torch.empty_like(q), q.shape[1] // k.shape[1]
        for head in range(q.shape[1]):
            scores = q[:, head] @ k[:, head // group].T / math.sqrt(q.shape[2])
            out[:, head] = scores.masked_fill(~seen[head], -math.inf).softmax(-1) @ v[:, head // group]
        return out

    def _times(self, x: Tensor, name: str) -> Tensor:
        bias = self.weights.get(name + ".bias")
        return super()._times(x, name) if bias is None else super()._times(x, name) + bias
