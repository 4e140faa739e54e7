"""transformers with the same weights, to measure against: its own model, attention and cache, as it ships them."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from engine.weights import open_checkpoint


class Peer:
    """transformers' model in bf16, with scaled_dot_product_attention and a DynamicCache, on the CPU."""

    def __init__(self, path: Path) -> None:
        # Seconds of import, which only who compares shall pay
        from transformers import AutoConfig, AutoModelForCausalLM, DynamicCache

        place = {"gguf_file": path.name} if path.is_file() else {}
        config = AutoConfig.from_pretrained(path.parent if path.is_file() else path, local_files_only=True, **place)
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16, attn_implementation="sdpa").eval()
        # By our own reading of the file: transformers' of GGUF needs a package more
        checkpoint = open_checkpoint(path)
        weights = {name: checkpoint.rows(name, 0, stored.shape[0]) for name, stored in checkpoint.tensors.items()}
        missing, unexpected = model.load_state_dict(weights, strict=False)
        checkpoint.close()
        if unexpected or set(missing) - {"lm_head.weight"}:
            raise ValueError(f"transformers wants other tensors: {missing}, {unexpected}")
        model.tie_weights()
        self._model = model
        self._new_cache = lambda: DynamicCache(config=config)
        self._cache = self._new_cache()

    @torch.inference_mode()
    def read(self, ids: Tensor) -> Tensor:
        """A text [1, T] from its beginning; float32 logits [1, vocab] of its last token."""
        self._cache = self._new_cache()
        return self._step(ids)

    @torch.inference_mode()
    def write(self, count: int) -> None:
        """`count` tokens, greedily, and forget them."""
        token = torch.zeros(1, 1, dtype=torch.long)
        for _ in range(count):
            token = self._step(token).argmax(-1, keepdim=True)
        self._cache.crop(-count)

    @torch.inference_mode()
    def read_segment(self, ids: Tensor) -> Any:
        """A text [1, T] from its beginning in one go; its keys and values, to be asked."""
        kept = self._new_cache()
        self._model(ids, past_key_values=kept, use_cache=True, logits_to_keep=1)
        return kept

    @torch.inference_mode()
    def ask(self, kept: Any, ids: Tensor) -> float:
        """Mean negative log-likelihood, in nats, of tokens [1, T] but the first after a segment's, which stay."""
        logits = self._model(ids, past_key_values=kept, use_cache=True).logits[0, :-1].float()
        kept.crop(-ids.shape[1])
        return float(torch.nn.functional.cross_entropy(logits, ids[0, 1:]))

    def _step(self, ids: Tensor) -> Tensor:
        return self._model(ids, past_key_values=self._cache, use_cache=True, logits_to_keep=1).logits[:, -1].float()
