"""Checkpoints on disk to a decoder in memory. Their names and formats are known here and nowhere else.

Nothing in a model folder is ever run: configurations and headers are data, pickled weights are refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from engine.device import activation_dtype, choose, resolve, torch_device
from engine.memory import allocator
from engine.model.config import ModelConfig
from engine.model.decoder import Decoder, never
from engine.model.extension import NotExtended, extended
from engine.protocol import Device, DeviceInfo, Extension, Note, Precision
from engine.weights.build import Builder
from engine.weights.checkpoint import BadModel, Checkpoint, Stored
from engine.weights.fingerprint import fingerprint
from engine.weights.forms import STEPS
from engine.weights.gguf import GgufCheckpoint
from engine.weights.safetensors import SafetensorsCheckpoint
from engine.weights.writing import prepare

__all__ = ["BadModel", "Description", "LoadedModel", "describe", "load", "notes_on", "open_checkpoint"]


class Description(Struct, frozen=True):
    """What the headers of a checkpoint say. `bytes`: of the tensors as stored. `dtype`: of most of them, as stored.
    `stored`: the precision that a quantised checkpoint was made for, auto for any other."""

    path: Path
    name: str
    config: ModelConfig
    parameters: int
    bytes: int
    dtype: str
    tensors: dict[str, Stored]
    stored: Precision = "auto"

    def asked(self, precision: Precision) -> Precision:
        """What `auto` asks for."""
        return self.stored if precision == "auto" else precision

    @property
    def architecture(self) -> str:
        return self.config.architecture


@dataclass
class LoadedModel:
    """`bytes`: of the weights in memory. `writing` and `candidates` as in `protocol.Loaded`. `config` is the one that
    the decoder runs by, stretched where that was asked for; `fingerprint` is of the checkpoint alone."""

    decoder: Decoder
    config: ModelConfig
    name: str
    fingerprint: str
    parameters: int
    architecture: str
    precision: Precision
    writing: str
    candidates: dict[str, float]
    notes: tuple[Note, ...]
    bytes: int


def open_checkpoint(path: Path) -> Checkpoint:
    """A .gguf file, a folder with a checkpoint, or a folder with one .gguf file. Raises BadModel."""
    try:
        return _open(path)
    except OSError as error:
        raise BadModel(f"it cannot be read: {error.strerror}", path.name) from None


def _open(path: Path) -> Checkpoint:
    if not path.exists():
        raise BadModel("there is nothing at this place", path.name)
    if path.is_file():
        if path.suffix.lower() in (".bin", ".pt", ".pth", ".ckpt"):
            message = "the weights are pickled, which can run code when opened; a safetensors or GGUF copy is needed"
            raise BadModel(message, path.name)
        return GgufCheckpoint(path)
    found = sorted(file for file in path.iterdir() if file.suffix.lower() == ".gguf")
    if found and not any(path.glob("*.safetensors")):
        if len(found) == 1:
            return GgufCheckpoint(found[0])
        raise BadModel("the folder holds several GGUF files; choose one of them", path.name)
    if not (path / "config.json").is_file():
        raise BadModel("config.json is missing", path.name)
    return SafetensorsCheckpoint(path)


def describe(path: Path | str) -> Description:
    """Reads headers alone. Raises BadModel."""
    checkpoint = open_checkpoint(Path(path))
    described = _describe(checkpoint, Path(path))
    checkpoint.close()
    return described


def load(
    path: Path | str,
    precision: Precision = "auto",
    device: Device = "auto",
    *,
    extension: Extension = "none",
    window: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    stopped: Callable[[], bool] = never,
) -> LoadedModel:
    """`extension` stretches the positions to reach `window` tokens, which without it means nothing; see
    `engine.model.extension`. `progress` gets bytes of the checkpoint read and in all.

    Raises BadModel, also for positions that cannot be stretched so far, Stopped, and RuntimeError where memory runs
    out: torch.OutOfMemoryError on CUDA, a plain one by the CPU's allocator."""
    checkpoint = open_checkpoint(Path(path))
    described = _describe(checkpoint, Path(path))
    try:
        config = extended(checkpoint.config, extension, window or checkpoint.config.window)
    except NotExtended as error:
        checkpoint.close()
        raise BadModel(error.message, Path(path).name) from None
    info = choose(device)
    actual = resolve(described.asked(precision), info)
    dtype = activation_dtype(actual, info)
    allocator.keep_freed()
    builder = Builder(checkpoint, actual, dtype, torch_device(info), progress, stopped)
    decoder = builder.decoder(config)
    writing = prepare(decoder)
    loaded = LoadedModel(
        decoder=decoder,
        config=config,
        name=described.name,
        fingerprint=fingerprint(checkpoint),
        parameters=described.parameters,
        architecture=described.architecture,
        precision=actual,
        writing=writing.product,
        candidates=writing.candidates,
        notes=notes_on(described, actual, device, info) + writing.notes,
        bytes=builder.bytes,
    )
    checkpoint.close()
    allocator.give_back()
    return loaded


def notes_on(model: Description, precision: Precision, wanted: Device, info: DeviceInfo) -> tuple[Note, ...]:
    """What the person should know of running `model` in `precision` on `info`, having asked for device `wanted`."""
    notes = []
    if wanted == "cuda" and info.kind != "cuda":
        notes.append(Note("no_cuda"))
    if model.dtype == "F16" and info.kind == "cpu":
        notes.append(Note("fp16_runs_as", {"precision": precision}))
    if precision == "bf16" and "bf16" not in info.precisions:
        notes.append(Note("bf16_slow_here"))
    if precision == "int8" and STEPS.get(model.dtype) == 4:
        notes.append(Note("four_bits_kept"))
    return tuple(notes)


def _describe(checkpoint: Checkpoint, path: Path) -> Description:
    sizes: dict[str, int] = {}
    for stored in checkpoint.tensors.values():
        sizes[stored.dtype] = sizes.get(stored.dtype, 0) + stored.end - stored.start
    return Description(
        path=path,
        name=checkpoint.name,
        config=checkpoint.config,
        parameters=sum(stored.elements for stored in checkpoint.tensors.values()),
        bytes=sum(sizes.values()),
        dtype=max(sizes, key=lambda dtype: sizes[dtype]),
        tensors=checkpoint.tensors,
        stored=checkpoint.precision,
    )
