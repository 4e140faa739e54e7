"""The job `quantize`: a checkpoint to one of 4 or 8 bits, as GPTQ readers know it, layer by layer in bounded memory.

Gates, embeddings, norms and the output matrix are left alone. With method gptq a calibration text passes through the
layers as they are rounded, one layer in memory at a time: each is rounded by what those before it give it. Beside
the layer there is in memory what the text has become in it, and how the inputs of each product go together: of N inputs
N x N numbers, and as many again while one is rounded. With method rtn there is no more than a layer as it is written.
"""

import json
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

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
from engine.weights.folder import Folder, Written
from engine.weights.forms import GATES
from kernels.dense_linear import DenseLinear
from kernels.stacked_linear import Part

SEQUENCES, TOKENS = 64, 512
"""Of the calibration text, at most."""
HELD_OUT = 8
"""One sequence in so many is kept from the rounding and measures it, when errors are asked for."""
GROUPS = (128, 64, 32)
"""The first that all widths are multiples of."""
TILE = 8 * 1024 * 1024
"""Elements of a matrix that are rounded, or passed on, at once."""
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
    """A product that adds up the Hessian of what it is given. `places`: the first row of each of its matrices, by their
    names."""

    def __init__(self, linear: Linear, places: dict[str, int]) -> None:
        self.places = places
        self.hessians: list[Tensor | None] = [None, None]
        """Of what matrices are rounded by, and of what is held out."""
        self.held_out = self.over = False
        (self._dense,) = linear.parts

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self._dense,)

    @property
    def nbytes(self) -> int:
        return self._dense.nbytes

    @property
    def columns(self) -> int:
        return self._dense.columns

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        if not self.over:
            rows = x.reshape(-1, x.shape[-1]).float()
            hessian = self.hessians[self.held_out]
            if hessian is None:
                hessian = self.hessians[self.held_out] = torch.zeros(rows.shape[1], rows.shape[1])
            hessian.addmm_(rows.t(), rows)
        return self._dense.read(x, onto)

    def factor(self) -> Tensor:
        """As `rounding.by_inputs` takes it, and nothing is added up any more."""
        hessian, self.hessians[0], self.over = self.hessians[0], None, True
        assert hessian is not None
        return rounding.factor(hessian)

    def exchange(self, name: str, start: int, rows: Tensor) -> None:
        """From now on the product is that of these rows of a matrix."""
        assert isinstance(self._dense, DenseLinear)
        at = self.places[name] + start
        self._dense.weight[at : at + len(rows)] = rows


class _Watching(Builder):
    """Layers whose products are watched where they are of matrices that are `wanted`."""

    def __init__(
        self, checkpoint: Checkpoint, dtype: torch.dtype, stopped: Callable[[], bool], wanted: Collection[str]
    ) -> None:
        super().__init__(checkpoint, "bf16", dtype, torch.device("cpu"), lambda done, total: None, stopped)
        self.watched: list[_Watched] = []
        self._wanted = wanted

    def _linear(self, weights: list[str], *, biased: bool) -> Linear:
        linear = super()._linear(weights, biased=biased)
        if not all(name in self._wanted for name in weights):
            return linear
        rows = [self.checkpoint.tensors[name].shape[0] for name in weights]
        watched = _Watched(linear, {name: sum(rows[:at]) for at, name in enumerate(weights)})
        self.watched.append(watched)
        return watched  # type: ignore[return-value]  # layers are only read

    def layer(self, number: int) -> tuple[Layer, list[_Watched]]:
        self.watched = []
        return self._layer(self.checkpoint.config, number), self.watched

    def embedded(self, sequences: list[list[int]]) -> list[Tensor]:
        shape = self.checkpoint.tensors[names.EMBEDDING].shape
        every = [torch.tensor([ids]) for ids in sequences]
        made = [torch.empty(*ids.shape, shape[1], dtype=self.dtype) for ids in every]
        for start, end in tiles(shape):
            rows = self.checkpoint.rows(names.EMBEDDING, start, end)
            for ids, to in zip(every, made, strict=True):
                here = (ids >= start) & (ids < end)
                to[here] = rows[ids[here] - start].to(self.dtype).mul_(self.checkpoint.config.embedding_scale)
        return made


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
        self._wanted = {name for name in checkpoint.tensors if self._is_wanted(name)}
        widths = {checkpoint.tensors[name].shape[1] for name in self._wanted}
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
        self._builder = _Watching(self.checkpoint, dtype, self._stopped, self._wanted)
        self._states = self._builder.embedded(sequences)

    @torch.inference_mode()
    def shards(self) -> Iterator[dict[str, Written]]:
        """The tensors of the new checkpoint: what belongs to no layer, then layer after layer."""
        prefixes = [names.layer(number) for number in range(self.config.layers)]
        yield self._left([name for name in self.checkpoint.tensors if not name.startswith(tuple(prefixes))])
        for number, prefix in enumerate(prefixes):
            own = [name for name in self.checkpoint.tensors if name.startswith(prefix)]
            shard = self._left([name for name in own if name not in self._wanted])
            if self._states:
                shard |= self._by_inputs(number, last=number + 1 == len(prefixes))
            else:
                for name in own:
                    if name in self._wanted:
                        shard |= self._matrix(name, None, None)
            yield shard

    def _by_inputs(self, number: int, *, last: bool) -> dict[str, Written]:
        """The matrices of a layer, and what the text becomes in it as they are then."""
        layer, watched = self._builder.layer(number)
        self._pass(number, layer, watched, keep=False)
        made = {}
        for each in watched:
            factor = each.factor()
            for name in each.places:
                made |= self._matrix(name, each, factor)
            each.hessians = [None, None]
        if not last:
            self._pass(number, layer, watched, keep=True)
        return made

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

    def _matrix(self, name: str, watched: _Watched | None, factor: Tensor | None) -> dict[str, Written]:
        """Rounded, some rows at a time, and where it is watched exchanged for that."""
        shape = self.checkpoint.tensors[name].shape
        how = self.bits, self.group, self.symmetric
        index = torch.arange(shape[1]) // self.group
        held_out = watched.hessians[1] if watched is not None else None
        found: list[dict[str, Tensor]] = []
        wrong = {"gptq": 0.0, "rtn": 0.0}
        right = 0.0
        for start, end in tiles(shape):
            weight = self._rows(name, start, end)
            made = rounding.nearest(weight, *how) if factor is None else rounding.by_inputs(weight, factor, *how)
            found.append(gptq.stored(made.steps, made.zeros, made.scales, index, self.bits, 1 if self.symmetric else 2))
            if watched is None:
                continue
            again = made.dequantized()
            watched.exchange(name, start, again)
            if held_out is not None:
                weight = weight.float()
                near = rounding.nearest(weight, *how).dequantized()
                wrong["gptq"] += rounding.squares(weight - again, held_out)
                wrong["rtn"] += rounding.squares(weight - near, held_out)
                right += rounding.squares(weight, held_out)
        if held_out is not None:
            self.errors[name] = {method: (each / right) ** 0.5 if right else 0.0 for method, each in wrong.items()}
        self.rounded += 1
        parts = {part: torch.cat([each[part] for each in found], 1) for part in gptq.PARTS if part != "g_idx"}
        parts["g_idx"] = found[0]["g_idx"]
        stem = name.removesuffix(".weight")
        return {f"{stem}.{part}": Written(each.dtype, tuple(each.shape), (each,)) for part, each in parts.items()}

    def _left(self, those: list[str]) -> dict[str, Written]:
        found = {}
        for name in those:
            stored = self.checkpoint.tensors[name]
            dtype = FLOATS.get(stored.dtype, torch.bfloat16)
            found[name] = Written(dtype, stored.shape, self._pieces(name, dtype))
            self.left += len(stored.shape) == 2
        return found

    def _pieces(self, name: str, dtype: torch.dtype) -> Iterator[Tensor]:
        for start, end in tiles(self.checkpoint.tensors[name].shape):
            yield self._rows(name, start, end).to(dtype)

    def _rows(self, name: str, start: int, end: int) -> Tensor:
        if self._stopped():
            raise Stopped
        stored = self.checkpoint.tensors[name]
        self._done += (stored.end - stored.start) * (end - start) // stored.shape[0]
        self._progress(self._done, self._total)
        return self.checkpoint.rows(name, start, end)

    def _is_wanted(self, name: str) -> bool:
        shape = self.checkpoint.tensors[name].shape
        inner = name not in (names.EMBEDDING, names.HEAD) and not name.endswith(GATES)
        return inner and len(shape) == 2 and shape[1] % GROUPS[-1] == 0


def tiles(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Rows of a tensor, `TILE` elements at once: begin and end. Words hold numbers of eight rows, so never fewer."""
    columns = shape[1] if len(shape) == 2 else 1
    step = max(1, TILE // columns // 8) * 8
    return ((start, min(start + step, shape[0])) for start in range(0, shape[0], step))
