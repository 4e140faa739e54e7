"""The job `quantize`: a checkpoint to one of 4 or 8 bits, as GPTQ readers know it, layer by layer in bounded memory.

Gates, embeddings, norms and the output matrix are left alone. With method gptq a calibration text passes through the
layers as they are rounded, one layer in memory at a time: each is rounded by what it is given by those before it.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from msgspec.structs import replace
from torch import Tensor

from engine.bench_corpus import paragraphs
from engine.device import choose
from engine.memory import allocator
from engine.model.decoder import Decoder, Layer, Stopped
from engine.model.layers import Linear
from engine.tokenizer import Tokenizer
from engine.weights import BadModel, gptq, names, open_checkpoint, rounding, tokenizer_files
from engine.weights.build import Builder
from engine.weights.checkpoint import FLOATS, Checkpoint
from engine.weights.folder import Folder
from engine.weights.forms import GATES
from kernels.dense_linear import DenseLinear

SEQUENCES, TOKENS = 64, 512
"""Of the calibration text, at most."""
HELD_OUT = 8
"""One sequence in so many is kept from the rounding and measures it, when errors are asked for."""
GROUPS = (128, 64, 32)
"""The first that all widths are multiples of."""
KEPT = "tokenizers"

Progress = Callable[[int, int], None]


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool]) -> str:
    """Options: `model` (a path), `out` (a folder that is not there yet), `bits` (4 or 8), `method` (gptq or rtn),
    `symmetric` ("no": groups have a zero of their own), `calibrate` (a text file; none: a text of this computer),
    `sequences` (of 512 tokens of it, 64 at most), `errors` ("yes": measure both methods on text that is held out),
    `data` (the data folder).

    The report: `out`, `group`, `rounded` and `left` (matrices), `bytes`, `seconds`, `errors` (by matrix and method,
    norm of the difference over norm of the product). Raises BadModel, and Stopped between two matrices.
    """
    began = time.monotonic()
    path, out = Path(options["model"]), Path(options["out"])
    if out.exists():
        raise BadModel("there is something at this place already", out.name)
    files = tokenizer_files.read(path, Path(options["data"]) / KEPT)
    checkpoint = open_checkpoint(path)
    allocator.keep_freed()
    try:
        run = _Run(checkpoint, options, progress, stopped)
        if run.method == "gptq":
            most = min(int(options.get("sequences", SEQUENCES)), SEQUENCES)
            run.calibrate(_sequences(options.get("calibrate"), most, Tokenizer(files)))
        with Folder(out, path, checkpoint.config, files, run.settings()) as folder:
            for shard in run.shards():
                folder.add(shard)
    finally:
        checkpoint.close()
    report = {"out": str(out), "bits": run.bits, "method": run.method, "group": run.group, "errors": run.errors}
    report |= {"rounded": run.rounded, "left": run.left, "bytes": folder.bytes, "seconds": time.monotonic() - began}
    return json.dumps(report)


def _sequences(file: str | None, most: int, tokenizer: Tokenizer) -> list[list[int]]:
    try:
        parts = Path(file).read_text("utf-8").split("\n\n") if file else list(paragraphs())
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"the calibration text cannot be read: {error}", Path(file or "").name) from None
    step = max(1, len(parts) // (most * TOKENS // 64))  # from all over a long text
    ids: list[int] = []
    for part in parts[::step]:
        ids += list(tokenizer.encode(part + "\n\n"))
        if len(ids) >= most * TOKENS:
            break
    found = [ids[at : at + TOKENS] for at in range(0, min(len(ids), most * TOKENS), TOKENS)]
    if len(found) < 2:
        raise BadModel(
            "the calibration text is too short: a thousand tokens and more are needed", Path(file or "").name
        )
    return [each for each in found if len(each) == TOKENS]


class _Watched:
    """A product that adds up the Hessian of what it is given."""

    def __init__(self, linear: Linear, weights: list[str]) -> None:
        self.linear, self.weights = linear, weights
        self.hessians = [torch.zeros(0), torch.zeros(0)]
        """Of what matrices are rounded by, and of what is held out."""
        self.held_out = False

    @property
    def parts(self) -> Any:
        return self.linear.parts

    @property
    def nbytes(self) -> int:
        return self.linear.nbytes

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        rows = x.reshape(-1, x.shape[-1]).float()
        if not len(self.hessians[self.held_out]):
            self.hessians[self.held_out] = torch.zeros(rows.shape[1], rows.shape[1])
        self.hessians[self.held_out].addmm_(rows.t(), rows)
        return self.linear.read(x, onto)


class _Watching(Builder):
    """Layers whose products are watched."""

    def __init__(self, checkpoint: Checkpoint, dtype: torch.dtype, stopped: Callable[[], bool]) -> None:
        super().__init__(checkpoint, "bf16", dtype, torch.device("cpu"), lambda done, total: None, stopped)
        self.watched: list[_Watched] = []

    def _linear(self, weights: list[str], *, biased: bool) -> Linear:
        watched = _Watched(super()._linear(weights, biased=biased), weights)
        self.watched.append(watched)
        return watched  # type: ignore[return-value]  # layers are only read

    def layer(self, number: int) -> tuple[Layer, list[_Watched]]:
        self.watched = []
        return self._layer(self.checkpoint.config, number), self.watched

    def embedded(self, sequences: list[list[int]]) -> list[Tensor]:
        config, stored = self.checkpoint.config, self.checkpoint.tensors[names.EMBEDDING]
        rows = self.checkpoint.rows(names.EMBEDDING, 0, stored.shape[0])
        return [rows[torch.tensor(ids)].to(self.dtype)[None] * config.embedding_scale for ids in sequences]


class _Run:
    """`errors`: by matrix, of both methods."""

    def __init__(
        self, checkpoint: Checkpoint, options: dict[str, str], progress: Progress, stopped: Callable[[], bool]
    ) -> None:
        self.checkpoint, self.config = checkpoint, checkpoint.config
        self.bits, self.method = int(options.get("bits", 4)), options.get("method", "gptq")
        self.symmetric = options.get("symmetric", "yes") == "yes"
        self.errors: dict[str, dict[str, float]] = {}
        self.rounded = self.left = 0
        self._measured = options.get("errors") == "yes"
        self._progress, self._stopped = progress, stopped
        self._total = sum(each.end - each.start for each in checkpoint.tensors.values())
        self._done = 0
        self._states: list[Tensor] = []
        widths = {shape[1] for name, shape in self._matrices() if self._wanted(name)}
        fitting = [group for group in GROUPS if all(width % group == 0 for width in widths)]
        if checkpoint.precision != "auto":
            raise BadModel("it is quantised already", checkpoint.name)
        if not fitting or not widths:
            raise BadModel("its matrices cannot be divided into groups of 32", checkpoint.name)
        self.group = fitting[0]

    def settings(self) -> dict[str, object]:
        """As readers expect them in the configuration."""
        left = {f"-:.*{name.removesuffix('.weight').rpartition('.')[2]}": {} for name in GATES}
        return {
            "quant_method": "gptq",
            "bits": self.bits,
            "group_size": self.group,
            "sym": self.symmetric,
            "desc_act": False,
            "lm_head": False,
            "checkpoint_format": "gptq" if self.symmetric else "gptq_v2",
            "pack_dtype": "int32",
            "dynamic": left,
            "damp_percent": rounding.DAMPING,
            "true_sequential": False,
        }

    def calibrate(self, sequences: list[list[int]]) -> None:
        info = choose("cpu")
        dtype = torch.bfloat16 if "bf16" in info.precisions else torch.float32
        self._builder = _Watching(self.checkpoint, dtype, self._stopped)
        self._states = self._builder.embedded(sequences)

    @torch.inference_mode()
    def shards(self) -> Iterator[dict[str, Tensor]]:
        """The tensors of the new checkpoint: what belongs to no layer, then layer after layer."""
        prefixes = [names.layer(number) for number in range(self.config.layers)]
        yield dict(self._left([name for name in self.checkpoint.tensors if not name.startswith(tuple(prefixes))]))
        for number, prefix in enumerate(prefixes):
            own = [name for name in self.checkpoint.tensors if name.startswith(prefix)]
            wanted = [name for name in own if self._wanted(name)]
            shard = dict(self._left([name for name in own if name not in wanted]))
            hessians, watched, layer = {}, [], None
            if self._states:
                layer, watched = self._builder.layer(number)
                self._pass(number, layer, watched, keep=False)
                hessians = {name: each.hessians for each in watched for name in each.weights}
            made = {}
            for name in wanted:
                parts, made[name] = self._matrix(name, hessians.get(name))
                shard |= {f"{name.removesuffix('.weight')}.{part}": tensor for part, tensor in parts.items()}
            if layer is not None and number + 1 < len(prefixes):
                for each in watched:
                    _exchange(each, made)
                self._pass(number, layer, watched, keep=True)
            yield shard

    def _pass(self, number: int, layer: Layer, watched: list[_Watched], *, keep: bool) -> None:
        """All sequences through a layer, to become what the next is given when they are kept."""
        one = replace(self.config, layers=1, mixers=(self.config.mixers[number],))
        alone = Decoder(one, None, [layer], None, None, self._builder.dtype, self._builder.device)  # type: ignore[arg-type]
        for at, x in enumerate(self._states):
            if self._stopped():
                raise Stopped
            for each in watched:
                each.held_out = self._measured and at % HELD_OUT == HELD_OUT - 1
            caches = alone.make_caches(x.shape[1])
            caches.expect(x.shape[1])
            cos, sin = caches.rotation.at(0, x.shape[1])
            after = layer.read(x.clone(), cos, sin, caches[0], 0, x.shape[1])
            if keep:
                assert after is not None
                self._states[at] = after

    def _matrix(self, name: str, hessians: list[Tensor] | None) -> tuple[dict[str, Tensor], Tensor]:
        weight = self._whole(name).float()
        if hessians is None:
            made = rounding.nearest(weight, self.bits, self.group, self.symmetric)
        else:
            made = rounding.by_inputs(weight, hessians[0], self.bits, self.group, self.symmetric)
        again = made.dequantized()
        if hessians is not None and self._measured:
            plain = rounding.nearest(weight, self.bits, self.group, self.symmetric).dequantized()
            self.errors[name] = {
                method: rounding.error(weight, each, hessians[1]) for method, each in (("gptq", again), ("rtn", plain))
            }
        self.rounded += 1
        index = torch.arange(weight.shape[1]) // self.group
        return gptq.stored(made.steps, made.zeros, made.scales, index, self.bits, 1 if self.symmetric else 2), again

    def _left(self, those: list[str]) -> Iterator[tuple[str, Tensor]]:
        for name in those:
            tensor = self._whole(name)
            self.left += tensor.ndim == 2
            kept = self.checkpoint.tensors[name].dtype in FLOATS
            yield name, (tensor if kept else tensor.to(torch.bfloat16)).contiguous()

    def _whole(self, name: str) -> Tensor:
        if self._stopped():
            raise Stopped
        stored = self.checkpoint.tensors[name]
        self._done += stored.end - stored.start
        self._progress(self._done, self._total)
        return self.checkpoint.rows(name, 0, stored.shape[0])

    def _matrices(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        return ((name, each.shape) for name, each in self.checkpoint.tensors.items() if len(each.shape) == 2)

    def _wanted(self, name: str) -> bool:
        shape = self.checkpoint.tensors[name].shape
        inner = name not in (names.EMBEDDING, names.HEAD) and not name.endswith(GATES)
        return inner and len(shape) == 2 and shape[1] % GROUPS[-1] == 0


def _exchange(watched: _Watched, made: dict[str, Tensor]) -> None:
    """From now on the product is that of the rounded matrices."""
    parts = watched.parts
    if not all(name in made for name in watched.weights):
        return
    first: DenseLinear = parts[0]
    weight = torch.cat([made[name] for name in watched.weights]).to(first.weight.dtype)
    watched.linear = DenseLinear(weight, first.bias)
    watched.hessians = [torch.zeros(0), torch.zeros(0)]
