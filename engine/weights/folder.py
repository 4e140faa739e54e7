"""A checkpoint that is written: a folder with safetensors, a configuration and a tokenizer, whole or not there."""

import json
import math
import shutil
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import torch
from torch import Tensor

from engine.model.config import ModelConfig
from engine.weights import hub_written
from engine.weights.checkpoint import FLOATS, BadModel
from engine.weights.safetensors import INDEX
from engine.weights.tokenizer_files import TokenizerFiles

COPIED = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json"),
    *("chat_template.jinja", "chat_template.json", "LICENSE", "README.md"),
)
NAMED = {dtype: name for name, dtype in FLOATS.items()} | {torch.int32: "I32"}
"""Dtypes in the format's words."""


class Written(NamedTuple):
    """A tensor in pieces that follow each other, which are made only when they are written: none is in memory whole."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    pieces: Iterable[Tensor]

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


class Folder:
    """Made beside its place and moved there at the end; left with an exception, nothing is."""

    def __init__(
        self, place: Path, source: Path, config: ModelConfig, files: TokenizerFiles, quantized: dict[str, object]
    ) -> None:
        """`source`: the folder, or GGUF file, that `config` and `files` are of. `quantized`: for its configuration."""
        self.bytes = 0
        self._place, self._source, self._files = place, source, files
        self._made = place.with_name(place.name + ".new")
        self._map: dict[str, Path] = {}
        self._shards: list[Path] = []
        self._config: dict[str, Any] = (
            json.loads((source / "config.json").read_bytes())
            if self._is_folder
            else hub_written.written(config, source.name)
        )
        self._config["quantization_config"] = quantized

    @property
    def _is_folder(self) -> bool:
        return self._source.is_dir() and any(self._source.glob("*.safetensors"))

    def __enter__(self) -> "Folder":
        shutil.rmtree(self._made, ignore_errors=True)
        self._made.mkdir(parents=True)
        return self

    def add(self, tensors: dict[str, Written]) -> None:
        """One file with these. Raises BadModel where it cannot be written."""
        path = self._made / f"{len(self._shards) + 1}.safetensors"
        try:
            _write(path, tensors)
        except OSError as problem:
            raise BadModel(f"it cannot be written: {problem.strerror}", self._place.name) from None
        self._shards.append(path)
        self.bytes += path.stat().st_size
        self._map |= dict.fromkeys(tensors, path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            shutil.rmtree(self._made, ignore_errors=True)
            return
        count = len(self._shards)
        named = {path: f"model-{at:05}-of-{count:05}.safetensors" for at, path in enumerate(self._shards, 1)}
        for path, name in named.items():
            path.replace(self._made / name)
        weights = {tensor: named[path] for tensor, path in self._map.items()}
        self._write(INDEX, {"metadata": {"total_size": self.bytes}, "weight_map": weights})
        self._write("config.json", self._config)
        if self._is_folder:
            for name in COPIED:
                if (self._source / name).is_file():
                    shutil.copyfile(self._source / name, self._made / name)
        else:
            self._write_tokenizer()
        try:
            self._made.replace(self._place)
        except OSError as problem:
            raise BadModel(f"it cannot be written: {problem.strerror}", self._place.name) from None

    def _write_tokenizer(self) -> None:
        (self._made / "tokenizer.json").write_text(self._files.json, "utf-8")
        self._write("tokenizer_config.json", self._files.special | {"chat_template": self._files.template})
        ends = [end for end in self._files.ends if isinstance(end, int)]
        if ends:
            self._write("generation_config.json", {"eos_token_id": ends})

    def _write(self, name: str, what: object) -> None:
        (self._made / name).write_text(json.dumps(what, indent=2, ensure_ascii=False), "utf-8")


def _write(path: Path, tensors: dict[str, Written]) -> None:
    """A safetensors file; its format is at https://github.com/huggingface/safetensors."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    # Wider elements first, so that each tensor begins at a multiple of its own
    ordered = sorted(tensors.items(), key=lambda each: -each[1].dtype.itemsize)
    at = 0
    for name, tensor in ordered:
        offsets = at, at + tensor.nbytes
        header[name] = {"dtype": NAMED[tensor.dtype], "shape": tensor.shape, "data_offsets": offsets}
        at = offsets[1]
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, tensor in ordered:
            for piece in tensor.pieces:
                file.write(piece.contiguous().view(torch.uint8).numpy())
