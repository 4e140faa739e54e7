"""Everything of the loaded model: weights, tokenizer, and what is held of the texts that it has read."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec.structs import replace

from engine import device
from engine.call_forms import form_of
from engine.chain import Chain
from engine.chains import Chains
from engine.grammar import Grammars
from engine.memory import planner, selected_rows
from engine.memory.caches import Caches
from engine.memory.held import Form
from engine.model.decoder import never
from engine.prompt import Texts
from engine.protocol import DeviceInfo, Eviction, MemoryParts, ModelSettings, Planned, ReadingSettings
from engine.reading import calibration
from engine.reading.eviction import policies, statistics
from engine.reading.eviction.pruning import Pruning
from engine.reading.eviction.series import Means
from engine.reading.reader import Reader
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.weights import LoadedModel
from engine.weights.tokenizer_files import TokenizerFiles

CPU_SECOND = 600e9
"""Operations that a CPU is thought to do in a second: pieces of big models are made to take not much longer, so that
progress moves. Fixed, not measured, so that the same text is always read in the same pieces."""
SMALLEST_PIECE = 64
CHAINS = 3
"""Windows of rows that are kept in memory of texts that are not in use, where there is room."""


class InUse:
    """Everything of the loaded model. `piece`: tokens read in one go."""

    def __init__(
        self,
        data: Path,
        settings: ModelSettings,
        planned: Planned,
        model: LoadedModel,
        files: TokenizerFiles,
        tokenizer: Tokenizer,
        template: Template,
    ) -> None:
        self.settings = settings
        self.model = model
        self.device: DeviceInfo = planned.device
        self.tokenizer = tokenizer
        self.template = template
        self.texts = Texts(tokenizer)
        self.grammars = Grammars(tokenizer)
        self.call_form = form_of(template)
        """In which the model writes calls of tools; None: it has no place for tools."""
        self.piece = settings.piece or _piece(model.parameters, planned.device)
        config = replace(model.config, window=planned.window)
        self.calibration = calibration.load(data, model.fingerprint, config, model.parameters)
        self.reader = Reader(
            *(data, settings, model, tokenizer, template, self.texts, files, self.calibration),
            device=device.choose(settings.device),  # as it is now, with the weights in its memory
            piece=self.piece,
            window=planned.window,
        )
        budget = min(self.reader.pool.budget // 4, CHAINS * planned.kv)
        self.chains = Chains(
            *(model.decoder, planned.window, budget, lambda form: self.reader.made(form, "whole")),
            prepare=self._pruning,
        )
        self._data = data
        self._means: Means | None = None
        self.layers = model.config.counted
        self.whole_only = model.config.whole_only
        """As in `protocol.Loaded`."""
        self.selectable = model.config.selectable
        """Whether tokens may look at a selection of rows."""

    def means(self, stopped: Callable[[], bool] = never) -> Means:
        """What the model's queries are like: measured the first time that it is asked. Raises Stopped."""
        if self._means is None:
            about = (self._data, self.model.fingerprint, self.model.decoder, self.tokenizer, self.piece)
            self._means = statistics.prepared(*about, stopped)
        return self._means

    def form(self, settings: ReadingSettings) -> Form:
        """How the rows of a text that is read whole are held."""
        return self.settings.kv if settings.kv == "auto" else settings.kv

    def ran(self, calls: dict[str, int]) -> dict[str, int]:
        """Layers that ran, by what they did: sparse ones may have read a short prompt densely, or some of one; those
        that look at a selection of rows do not always, nor all."""
        counts = {"lightning": self.layers.get("lightning", 0)}
        counts |= dict.fromkeys(("sparse", "dense"), self.layers.get("sparse", 0))
        if self.selectable:
            every = self.layers["full"]
            counts = {"quest": max(0, every - selected_rows.DENSE_LAYERS), "blocks": every, "full": every}
        ran = {what: counts[what] for what in counts if calls.get(what)}
        others = {kind: count for kind, count in self.layers.items() if kind not in counts}
        return others | ran if ran else self.layers

    def bytes(self) -> int:
        """Of memory: weights and rows."""
        return self.model.bytes + self.chains.bytes() + self.reader.bytes()

    def give_back(self) -> None:
        """Memory is short: everything that can be had again goes."""
        self.chains.give_back()
        self.reader.give_back()

    @contextmanager
    def aside(self, chain: Chain | None) -> Iterator[None]:
        """While another request is worked on: what belongs to the one that it took over from stays as it is. `chain`:
        that it reads onto, if it does."""
        with ExitStack() as stack:
            stack.enter_context(self.reader.aside())
            if chain is not None:
                stack.enter_context(self.chains.aside(chain))
            yield

    def forget(self, documents: Sequence[str] | None) -> None:
        """Let go of what is in memory of these documents (sha256); None: of all."""
        self.chains.forget(documents)
        self.reader.forget(documents)
        self.texts.forget(documents)

    def memory(self) -> MemoryParts:
        state = self.chains.state_bytes()
        kv = self.chains.bytes() - state + self.reader.bytes()
        return device.memory_parts(self.device, weights=self.model.bytes, kv=kv, state=state)

    def _pruning(self, how: Eviction, caches: Caches) -> Pruning:
        return policies.pruning(how, caches, self.model.config, self.chains.window, self.means)


def _piece(parameters: int, info: DeviceInfo) -> int:
    if info.kind != "cpu":
        return planner.PIECE
    return max(SMALLEST_PIECE, min(planner.PIECE, int(CPU_SECOND / (2 * parameters)) // 64 * 64))
