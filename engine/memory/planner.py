"""What will fit: bytes that a model needs at a window, and the largest window that this machine holds.

The one place where this is computed: the settings panel, the catalogue's offers and the guard before loading all show
these numbers. Keys and values are exact, weights and states are exact, the rest is an upper estimate.

    K/V bytes = window * layers that keep rows * 2 * kv_heads * head_width * bytes of an element
    states    = lightning layers * heads * head_width^2 * 4

A model whose positions are stretched takes what its window takes, as any other; only how far that may go differs.
"""

import math
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from engine.device import activation_dtype, choose, resolve
from engine.memory.held import Form
from engine.memory.selected_rows import DENSE_LAYERS
from engine.memory.sparse_rows import COARSER
from engine.memory.states import COPIES, STEP
from engine.model import extension
from engine.model.config import NSA_BRANCHES, ModelConfig
from engine.protocol import Advice, DeviceInfo, Eviction, ModelSettings, Note, Planned, PlannedPolicy, Precision
from engine.reading.eviction import guard
from engine.weights import Description, describe, names, notes_on
from engine.weights.checkpoint import Stored
from engine.weights.forms import form
from kernels.low_bit_linear.cpu import CARD_TILE, TILE
from kernels.page_scores import pages_of

SMALLEST_WINDOW = 512
"""Tokens below which no answer is worth having; models made for less are taken as they are."""
PIECE = 2048
"""Tokens read in one go where the settings leave it open."""
WINDOW_STEP = 256
"""Offered windows are multiples of it."""
OVERHEAD = 96 * 2**20
"""Tokenizer, threads and scratch that come with any model, beyond the engine that runs already and so is not free."""
POOL = 32 * 2**20
"""What a graph's own memory on a card is rounded up by: it is taken in pieces of 2 and of 20 MiB."""
SHARES, HEADS = 32, 16
"""Programs on a card that share a key head's rows while a token is written, and query heads of each, at least."""
CHUNK = 64
"""Tokens that lightning layers take at once on a card."""
SLACK = 0.02
"""Of weights and K/V: what allocators round up and lose."""
ENDS = 4
"""Copies of lightning layers' states at ends of documents and prompts that are counted on, beside those on the way."""
READING_SHARE = 0.5
"""Of the memory that is free beyond a loaded model, for the segments of a long text: the rest is the answer's and
other programs'."""
READING_LEAST = 256 * 2**20
SMALLER: tuple[Precision, ...] = ("int8", "int4")
"""Precisions that save memory, the least harmful first."""


class Needs(Struct, frozen=True):
    """Bytes, by what they are for."""

    weights: int
    kv: int
    """Of keys and values; what stands for windows of them, by which blocks and pages are chosen, is among the
    activations."""
    state: int
    """Of lightning layers' states."""
    activations: int
    overhead: int

    @property
    def total(self) -> int:
        return self.weights + self.kv + self.state + self.activations + self.overhead


def weight_bytes(
    config: ModelConfig, precision: Precision, element: int, stored: Mapping[str, Stored] | None = None
) -> int:
    """`element`: bytes of an element of the activations, which vectors and the scales of int8 rows share. `stored`: the
    checkpoint's tensors, where it is one that holds some of them in groups already."""
    total = 0
    for name, shape in names.expected(config).items():
        elements = math.prod(shape)
        if len(shape) == 2:
            total += form(name, shape, precision, stored.get(name) if stored else None).nbytes(shape, element)
        else:
            total += elements * element
    return total


def kv_token(config: ModelConfig, element: int) -> int:
    """Bytes of one token's keys and values in all layers that keep them, `element` bytes an element."""
    return config.row_layers * 2 * config.kv_heads * config.head_width * element


def kv_token_int8(config: ModelConfig) -> int:
    """The same as int8, with an fp32 scale for each head's key and for its value."""
    return config.row_layers * 2 * config.kv_heads * (config.head_width + 4)


def kv_bytes(config: ModelConfig, rows: int, element: int, form: Form = "model") -> int:
    return rows * (kv_token_int8(config) if form == "int8" else kv_token(config, element))


def means_bytes(config: ModelConfig, rows: int, element: int) -> int:
    """Of what stands for windows of so many rows beside them: in sparse layers means of keys, fine and coarse; in
    MoBA's of whole blocks, fp32; in NSA's compressed keys and values; in dense ones, where tokens may look at chosen
    pages, bounds of keys."""
    total = 0
    if config.sparse is not None:
        windows = rows // config.sparse.stride + rows // (COARSER * config.sparse.stride)
        total += config.mixers.count("sparse") * windows * config.kv_width * element
    if config.moba is not None:
        total += config.mixers.count("moba") * (rows // config.moba.block) * config.kv_width * 4
    if config.nsa is not None:
        total += config.mixers.count("nsa") * (rows // config.nsa.stride) * 2 * config.kv_width * element
    if config.selectable:
        total += max(0, config.layers - DENSE_LAYERS) * pages_of(rows) * 2 * config.kv_width * element
    return total


def copies_bytes(config: ModelConfig, window: int) -> int:
    """Of copies of lightning layers' states, which are kept in the computer's own memory, at a full window."""
    return min(COPIES, config.state_bytes * (window // STEP + ENDS)) if config.state_layers else 0


def reading_budget(device: DeviceInfo, held: int) -> int:
    """Bytes that the segments of a long text may take beside the loaded model, on `device` as it is now. `held`: of
    segments in memory already, which are not free and count as if they were."""
    return max(READING_LEAST, int(READING_SHARE * (device.free + held)))


def activation_bytes(
    config: ModelConfig, precision: Precision, element: int, piece: int, window: int, tile: int = TILE
) -> int:
    """At the widest point of a layer, for a piece read at the end of a full window. Twice what is alive at once:
    measured, since allocators keep some of what was freed. `tile`: elements that are dequantised at once."""
    hidden, query, inner = config.hidden, config.query_width, config.intermediate
    branches = len(NSA_BRANCHES) if config.nsa is not None else 1
    qkv = query + 2 * branches * config.kv_width
    layer = piece * element * (4 * hidden + max(3 * qkv + branches * query, 3 * inner))
    if config.nsa is not None:  # windows of keys and values, each row in two of them, and the MLP's inner channels
        entries = 2 * (piece // config.nsa.stride + 1) * config.kv_heads
        layer += element * entries * (config.nsa.kernel * config.head_width + config.nsa.compress)
    merging = piece * 4 * 3 * query  # attention to older and to new rows is merged in fp32
    logits = config.vocab * 4 * 3  # one row, sorted and scaled while sampling
    tile *= element if precision in ("int8", "int4") else 0
    # A layer's rows while they move to a larger place, or, held as bytes, while they are seen as what they stand for
    grown = kv_bytes(config, window, element) // config.row_layers
    means = means_bytes(config, window, element) + config.state_bytes  # and the states that come next
    heads = 0 if config.lightning is None else config.lightning.heads
    chunks = piece // CHUNK * heads * config.head_width**2 * element * 2  # on a card, a state before each chunk
    return 2 * (layer + merging) + logits + tile + grown + means + chunks


def graph_bytes(config: ModelConfig, precision: Precision, element: int) -> int:
    """What the graph that repeats written tokens on a card keeps: all that is made on a token's way, in fp32."""
    hidden, query, inner = config.hidden, config.query_width, config.intermediate
    layer = 4 * hidden + 3 * (query + 2 * config.kv_width) + 3 * inner
    group = max(HEADS, config.heads // config.kv_heads)
    found = config.kv_heads * SHARES * group * (config.head_width + 2)
    kept = config.row_layers * query + 2 * config.vocab
    tile = CARD_TILE * element if precision in ("int8", "int4") else 0
    return POOL + 4 * (layer + found + kept) + tile


def needs(
    config: ModelConfig,
    precision: Precision,
    device: DeviceInfo,
    window: int,
    piece: int = PIECE,
    stored: Mapping[str, Stored] | None = None,
    form: Form = "model",
) -> Needs:
    """What `config` takes at `window` tokens in a precision other than auto, keys and values held in this form.
    `stored` as in `weight_bytes`."""
    element = activation_dtype(precision, device).itemsize
    weights, kv = weight_bytes(config, precision, element, stored), kv_bytes(config, window, element, form)
    copies, tile = (copies_bytes(config, window), TILE) if device.kind == "cpu" else (0, CARD_TILE)
    graph = graph_bytes(config, precision, element) if device.kind == "cuda" and config.captured else 0
    return Needs(
        weights=weights,
        kv=kv,
        state=config.state_bytes,
        activations=activation_bytes(config, precision, element, min(piece, window), window, tile) + graph,
        overhead=OVERHEAD + int(SLACK * (weights + kv)) + copies,
    )


def largest_window(
    config: ModelConfig,
    precision: Precision,
    device: DeviceInfo,
    available: int,
    piece: int,
    most: int,
    stored: Mapping[str, Stored] | None = None,
    form: Form = "model",
) -> int:
    """Tokens, never above `most`; 0 when not even the smallest useful one fits. `stored` and `form` as in `needs`."""

    def fits(window: int) -> bool:
        return needs(config, precision, device, window, piece, stored, form).total <= available

    smallest = min(SMALLEST_WINDOW, config.window)
    if not fits(smallest):
        return 0
    if fits(most):
        return most
    low, high = smallest // WINDOW_STEP, most // WINDOW_STEP + 1  # low fits, high does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle * WINDOW_STEP) else (low, middle)
    return max(smallest, low * WINDOW_STEP)


def advice(
    config: ModelConfig,
    precision: Precision,
    device: DeviceInfo,
    available: int,
    piece: int,
    wanted: int,
    stored: Mapping[str, Stored] | None = None,
    form: Form = "model",
) -> tuple[Advice, ...]:
    """What to change when `wanted` tokens do not fit in this precision and form, the least harmful first: a smaller
    window, then weights in fewer bits, then int8 for keys and values beside the fewest bits told, each where it lets
    more fit than those before it do. `stored` as in `weight_bytes`."""
    told: list[Advice] = []
    fewest = precision
    smaller = SMALLER[SMALLER.index(precision) + 1 if precision in SMALLER else 0 :]
    for choice in (precision, *(one for one in smaller if one in device.precisions)):
        window = largest_window(config, choice, device, available, piece, wanted, stored, form)
        if window > max((one.window for one in told), default=0):
            told.append(Advice("window" if choice == precision else choice, window))  # type: ignore[arg-type]
            fewest = choice
    if form == "model":
        window = largest_window(config, fewest, device, available, piece, wanted, stored, "int8")
        if window > max((one.window for one in told), default=0):
            told.append(Advice("kv", window))
    return tuple(told)


def with_policy(
    how: Eviction, config: ModelConfig, window: int, piece: int, element: int, form: Form = "model"
) -> PlannedPolicy:
    """What a policy makes of the keys and values of a full window that is read in pieces of so many tokens. What stands
    for windows of rows goes with them, and is not counted."""
    found = guard.obstacle(how, config, window)
    if found is not None:
        return PlannedPolicy(how, refused=found[0])
    reading, after = (
        kv_bytes(config, rows, element, form) for rows in guard.needed(how, config, window, window, piece)
    )
    return PlannedPolicy(how, guard.budget(how, config, window, window), reading, after)


def plan(
    model: Description | Path | str, settings: ModelSettings, *, held: int = 0, eviction: Eviction | None = None
) -> Planned:
    """What `settings` would need. `held`: bytes that are freed before loading, of the model that is loaded now.
    `eviction`: what is kept, where its part is to be told.

    Without a window in the settings the largest that fits is planned for, or the smallest where none does. A window
    above the native one, or above what the settings' extension stretches it to, is brought down, with a note. Raises
    BadModel for a path that is none.
    """
    description = model if isinstance(model, Description) else describe(model)
    config = description.config
    device = choose(settings.device)
    precision = resolve(description.asked(settings.precision), device)
    piece = settings.piece or PIECE
    available = device.free + held
    stretches = settings.extension != "none" and extension.obstacle(config) is None
    most = config.window * extension.MOST if stretches else max(config.window, config.reach)
    largest = largest_window(config, precision, device, available, piece, most, description.tensors, settings.kv)
    asked = settings.window or largest or min(SMALLEST_WINDOW, config.window)
    window = min(asked, most)
    notes = _notes_on_window(config, settings, asked, window)
    notes += notes_on(description, precision, settings.device, device)
    about = (config, precision, device)
    need = needs(*about, window, piece, description.tensors, settings.kv)
    fits = need.total <= available
    element = activation_dtype(precision, device).itemsize
    wanted = window if settings.window else most
    return Planned(
        weights=need.weights,
        kv=need.kv,
        state=need.state,
        activations=need.activations,
        overhead=need.overhead,
        needed=need.total,
        available=available,
        window=window,
        native_window=config.window,
        largest=largest,
        fits=fits,
        precision=precision,
        device=device,
        notes=tuple(notes),
        advice=() if fits else advice(*about, available, piece, wanted, description.tensors, settings.kv),
        policies=guard.allowed(config),
        policy=None if eviction is None else with_policy(eviction, config, window, piece, element, settings.kv),
    )


def _notes_on_window(config: ModelConfig, settings: ModelSettings, asked: int, window: int) -> list[Note]:
    """What became of the window and of the extension that the settings ask for."""
    native, method, notes = config.window, settings.extension, []
    obstacle = extension.obstacle(config) if method != "none" else None
    stretched = method != "none" and obstacle is None
    if obstacle is not None and (settings.window is None or asked > native):
        told = {"method": method, "native": str(native), "kind": extension.scaling(config)}
        notes.append(Note(f"not_extended_{obstacle.code}", told))
    elif asked > window:
        code = "window_extended" if window > native and stretched else "window_native"
        notes.append(Note(code, {"asked": str(asked), "window": str(window)}))
    if settings.window is None and window < native:
        notes.append(Note("window_memory", {"window": str(window), "native": str(native)}))
    if window > native and not stretched:
        notes.append(Note("window_reach", {"native": str(native), "window": str(window)}))
    elif window > native:
        times = extension.factor(config, window)
        told = {"factor": str(times), "native": str(native), "window": str(window), "method": method}
        notes.append(Note("extended", told))
    return notes
