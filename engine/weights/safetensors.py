"""A folder with config.json and safetensors, in one file or sharded with an index. Files are mapped, never loaded."""

from pathlib import Path

import msgspec
import safetensors
import torch
from msgspec import Struct
from torch import Tensor

from engine.protocol import Precision
from engine.weights import gptq, hub_config, names
from engine.weights.checkpoint import FLOATS, BadModel, Stored, check
from kernels.group_linear.packing import Groups

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
LARGEST_HEADER = 100_000_000
"""Bytes; the format's own limit."""
IGNORED = (".rotary_emb.inv_freq", ".attn.bias", ".attn.masked_bias")
"""Buffers that old checkpoints carry and that follow from the configuration."""


class _Index(Struct):
    weight_map: dict[str, str]


class _Entry(Struct):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


class SafetensorsCheckpoint:
    precision: Precision = "auto"

    def __init__(self, folder: Path) -> None:
        """BadModel: whatever keeps the folder from being a whole, supported checkpoint."""
        self.config = hub_config.parse(folder / "config.json")
        self.name = folder.absolute().name
        self.headers: dict[Path, bytes] = {}
        self.tensors: dict[str, Stored] = {}
        self._open: dict[Path, safetensors.safe_open] = {}
        self._raw = self.tensors
        """By the files' own names."""
        self._dtypes = FLOATS
        quantised = gptq.settings(folder)
        if quantised is not None:
            self._dtypes = FLOATS | {"I32": torch.int32}
        files = _files(folder)
        for path in files:
            self._read_header(path)
        if quantised is not None:
            self.precision = "int4" if quantised.bits == 4 else "int8"
            self._quantised = gptq.Quantised(self._raw, quantised, self._some)
            self.tensors = self._quantised.tensors
        if self.config.tied and names.HEAD in self.tensors:
            # Both are stored, and only equal ones would be the same matrix: each is used for what it is named
            self.config = msgspec.structs.replace(self.config, tied=False)
        subject = files[0].name if len(files) == 1 else INDEX
        check(self.tensors, names.expected(self.config), subject)

    def rows(self, name: str, start: int, end: int) -> Tensor:
        if self.tensors[name].group:
            return self._quantised.rows(name, start, end)
        return self._some(name, slice(start, end))

    def groups(self, name: str, start: int, end: int) -> Groups:
        return self._quantised.groups(name, start, end)

    def _some(self, name: str, rows: slice, columns: slice | None = None) -> Tensor:
        path = self._raw[name].file
        try:
            if path not in self._open:
                self._open[path] = safetensors.safe_open(path, framework="pt", device="cpu")
            part = self._open[path].get_slice(name)
            return part[rows] if columns is None else part[rows, columns]
        except (OSError, safetensors.SafetensorError) as error:  # gone, or stricter than our look at the header
            raise BadModel(f"the file is damaged: {error}", path.name) from None

    def close(self) -> None:
        self._open.clear()

    def _read_header(self, path: Path) -> None:
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                prefix = file.read(8)
                length = int.from_bytes(prefix, "little")
                if len(prefix) < 8 or length > LARGEST_HEADER or 8 + length > size:
                    raise BadModel("the file is cut short or is no safetensors file", path.name)
                header = file.read(length)
        except FileNotFoundError:
            raise BadModel("the file is missing", path.name) from None
        except OSError as error:
            raise BadModel(f"the file cannot be read: {error.strerror}", path.name) from None
        self.headers[path] = prefix + header
        try:
            entries = msgspec.json.decode(header, type=dict[str, dict[str, object]])
            entries.pop("__metadata__", None)
            stored = msgspec.convert(entries, dict[str, _Entry])
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError):
            raise BadModel("the file's header is damaged", path.name) from None
        for name, entry in stored.items():
            if name.endswith(IGNORED):
                continue
            self._add(name, entry, path, 8 + length, size)

    def _add(self, name: str, entry: _Entry, path: Path, base: int, size: int) -> None:
        if entry.dtype not in self._dtypes:
            raise BadModel(f"{name} is stored as {entry.dtype}, which is not supported", path.name)
        start, end = base + entry.data_offsets[0], base + entry.data_offsets[1]
        tensor = Stored(path, entry.dtype, entry.shape, start, end)
        if end > size:
            raise BadModel(f"the file is cut short: {size} bytes where {name} ends at {end}", path.name)
        whole = end - start == tensor.elements * self._dtypes[entry.dtype].itemsize
        if not whole or min(*entry.data_offsets, *entry.shape) < 0:
            raise BadModel(f"the file's header is damaged at {name}", path.name)
        if name in self.tensors:
            raise BadModel(f"{name} is in two files", path.name)
        self.tensors[name] = tensor


def _files(folder: Path) -> list[Path]:
    """The files with tensors. Sharded ones are those of the index; any other name is looked for only without one."""
    index = folder / INDEX
    if index.is_file():
        try:
            shards = sorted(set(msgspec.json.decode(index.read_bytes(), type=_Index).weight_map.values()))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise BadModel("the index is damaged", INDEX) from None
        if not shards or any(Path(shard).name != shard or shard in (".", "..") for shard in shards):
            raise BadModel("the index names files outside its folder, or none", INDEX)
        return [folder / shard for shard in shards]
    found = sorted(folder.glob("*.safetensors"))
    if (folder / SINGLE) in found:
        return [folder / SINGLE]
    if len(found) == 1:
        return found
    if found:
        raise BadModel("the checkpoint is in several files and their index is missing", INDEX)
    pickled = sorted(path.name for path in folder.iterdir() if path.suffix in (".bin", ".pt", ".pth", ".ckpt"))
    if pickled:
        message = "the weights are pickled, which can run code when opened; a safetensors or GGUF copy is needed"
        raise BadModel(message, pickled[0])
    raise BadModel("the folder holds no weights", SINGLE)
