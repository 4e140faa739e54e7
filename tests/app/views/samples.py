"""Made-up documents, messages and ledgers: for the tests of the window and for the gallery."""

import msgspec

from app.data.conversation import FoundPart, Message
from app.data.document import Item
from app.data.ledger import Ledger, LedgerDocument, LedgerForgotten, LedgerPlace, LedgerPruned, LedgerSegment
from app.data.quote import Quote, QuotePlace
from app.models.readings import OnDisk

GIB = 2**30
QUESTION = "Which clauses limit the Seller's liability, and is there any exception for tax claims?"
ANSWER = """The Seller's total liability is capped at the Consideration: "the aggregate liability of the Seller …
shall not exceed the Consideration". Claims are excluded below a threshold of £50,000.

Tax claims are carved out of the threshold but **not** of the cap: "Clause 9.4 shall not apply to any Tax Claim". The
Disclosure Letter adds that the Seller "accepts no wider liability"."""
CODE = """Retries are set in `client.py`, and there are **three** things to know:

1. The delay doubles with every attempt
   - at most 30 seconds
   - with a jitter of 10 %
2. A `429` waits as long as the server says

```python
@retry(attempts=5)
def fetch(url: str) -> bytes:
    # a server may ask for patience
    delay = min(2 ** attempt * 0.5, 30.0)
    return session.get(url, timeout=delay).content
```

| Setting | Default | Where |
|:--|--:|:--|
| `attempts` | 5 | client.py |
| `ceiling` | 30 s | settings.toml |

> Delays are counted from the answer, not from the question.

See [the notes](https://example.org/notes) for more."""
PAGE = """9. LIMITATION OF LIABILITY

9.1 The provisions of this clause apply notwithstanding any other provision of this Agreement.

9.2 Save in the case of fraud, the aggregate liability of the Seller in respect of all Claims shall not exceed the \
Consideration actually received by the Seller.

9.3 The Buyer shall not be entitled to recover damages more than once in respect of the same loss.

9.4 The Seller shall not be liable for any Claim unless the amount of the liability exceeds the threshold."""


def item(number: int, name: str, kind: str, unit: str, units: int, tokens: int) -> Item:
    key = f"{number:064x}"
    return Item(key, name, f"/home/anna/{name}", kind, unit, units, tokens * 4, "", 1.0, tokens=tokens)


AGREEMENT = item(1, "Share Purchase Agreement.pdf", "pdf", "page", 412, 218_340)
LETTER = item(2, "Disclosure letter.docx", "docx", "page", 96, 51_207)
SERVICE = item(3, "payments-service/", "folder", "file", 1284, 348_657)
LEDGER = Ledger(
    documents=(
        LedgerDocument(AGREEMENT.id, AGREEMENT.name, "4f" * 32, 218_340),
        LedgerDocument(LETTER.id, LETTER.name, "a1" * 32, 51_207),
    ),
    prompt=269_547,
    read=612,
    reused=268_935,
    written=141,
    unread=0,
    evicted=0,
    finish="complete",
    first_token=0.9,
    reading_rate=4812.0,
    writing_rate=41.0,
    model="MiniCPM-SALA 9B",
    fingerprint="9b" * 32,
    precision="int8",
    writing="int8 rows",
    device="NVIDIA RTX 5090",
    window=524_288,
    layers={"lightning": 24, "sparse": 8},
    temperature=0.0,
    seed=None,
)

QUOTED = """The Seller's liability is capped at the Consideration: “the aggregate liability of the Seller … shall not
exceed the Consideration”. Claims are excluded below a threshold of £50,000, and must be notified within 24 months.

> Clause 9.4 shall not apply to any Tax Claim

The Disclosure Letter adds that the Seller “accepts no wider liability whatsoever”, and both say that “time is of the
essence” of every notice to Harcourt Lane Ltd."""


def _quote(
    words: str, verdict: str, kind: str = "quote", *places: QuotePlace, found: str = "", count: int = 0
) -> Quote:
    start = QUOTED.index(words)
    return Quote(start, start + len(words), verdict, kind, places, found, count or len(places))


def _on(item: Item, page: str, *path: str) -> QuotePlace:
    return QuotePlace(item.id, 0, 9, page, "page", int(page), "", path)


QUOTES = (
    _quote("“the aggregate liability of the Seller … shall not\nexceed the Consideration”", "exact", "quote",
           _on(AGREEMENT, "214", "9. Limitation of liability")),
    _quote("£50,000", "exact", "fact", _on(AGREEMENT, "213", "8. Claims"), count=1),
    _quote("24 months", "close", "fact", _on(AGREEMENT, "215", "10. Notice"), found="twenty-four (24) months"),
    _quote("Clause 9.4 shall not apply to any Tax Claim", "close", "quote",
           _on(AGREEMENT, "214", "9. Limitation of liability"), found="Clause 9.4 shall apply to any Tax Claim"),
    _quote("“accepts no wider liability whatsoever”", "missing"),
    _quote("“time is of the\nessence”", "ambiguous", "quote", _on(AGREEMENT, "12"), _on(AGREEMENT, "97"),
           _on(LETTER, "3"), count=3),
    _quote("Harcourt Lane Ltd", "exact", "fact", _on(AGREEMENT, "1", "Parties")),
)  # fmt: skip


MIB = 2**20
BOOK = item(4, "The Archive Book.pdf", "pdf", "page", 310, 131_072)
MINUTES = item(5, "Board minutes 2019.docx", "docx", "section", 12, 6_200)
DISK = {
    BOOK.id: OnDisk(3 * GIB, True, 1.4, frozenset()),
    MINUTES.id: OnDisk(148 * MIB, False, None, frozenset()),
    AGREEMENT.id: OnDisk(5 * GIB, True, None, frozenset()),
}
KEPT = {4: 1.62, 9: 1.81, 17: 1.9}
SEGMENTS = tuple(
    LedgerSegment(
        number,
        (LedgerPlace(BOOK.id, number * 4000, number * 4000 + 4000, str(number * 5 - 4), str(number * 5 + 1)),),
        1_980 - number % 7,
        KEPT.get(number, 2.4 + (number * 37 % 23) / 12),
        number in KEPT,
        1_980 - number % 7 if number in KEPT else 0,
    )
    for number in range(1, 67)
)
PARALLEL = msgspec.structs.replace(
    LEDGER,
    documents=(LedgerDocument(BOOK.id, BOOK.name, "c3" * 32, 131_072),),
    prompt=132_480,
    read=46,
    reused=132_434,
    reopened=131_072,
    model="SmolLM2-135M-Instruct",
    precision="bf16",
    layers={"full": 30},
    window=8192,
    first_token=2.3,
    mode="parallel",
    segments=SEGMENTS,
    asked=66,
    join="consecutive",
    kv="int8",
)
NUMBERS = ("4417", "8023", "1956", "7340", "2681", "9105", "3374", "6642", "5590", "1287", "7703", "8816")


def _found(part: int, text: str, surprise: float, stands: bool = True) -> FoundPart:
    page = str(1 + part * 310 // 256)
    certain = stands and surprise < 0.3
    return FoundPart(part, 256, BOOK.id, part * 1900, part * 1900 + 1900, text, surprise, stands, certain, page, page)


FOUND = tuple(
    _found(part, NUMBERS[part // 20], 0.13 + (part % 9) / 80)
    if part % 20 == 3
    else _found(part, f"The number {part * 7 % 90} is given in the text.", 0.41 + (part * 13 % 50) / 90, part % 3 == 0)
    for part in range(240)
    if part % 20 == 3 or part % 9 == 1
)
VISITED = tuple(msgspec.structs.replace(one, score=None, kept=False, rows=0) for one in SEGMENTS)
COVERAGE = msgspec.structs.replace(PARALLEL, mode="coverage", segments=VISITED, asked=256, join=None)

PAGES_GONE = tuple(
    LedgerForgotten(LedgerPlace(BOOK.id, n * 500, n * 500 + 500, str(n + 1), str(n + 1 + n % 3 // 2)), 120, share)
    for n, share in enumerate(
        (0.2, 0.95, 0.9, 0.9, 1.0, 0.7, 0.85, 0.31, 0.92, 0.88, 0.997, 0.86, 0.004) + (0.8, 0.9) * 9
    )
)
PRUNED = msgspec.structs.replace(
    PARALLEL,
    documents=(LedgerDocument(BOOK.id, BOOK.name, "c3" * 32, 3_720),),
    prompt=3_960,
    read=3_960,
    reused=0,
    reopened=0,
    written=41,
    mode="whole",
    segments=(),
    asked=0,
    join=None,
    kv="model",
    evicted=2_801,
    pruned=LedgerPruned("triattention", "per_layer_per_head", 1_188, 1_200, 2_801, PAGES_GONE),
)
"""Of a book's first pages, by a policy that keeps three tenths."""


def message(name: str, role: str, text: str, **more: object) -> Message:
    return Message(name, "c1", role, text, 1.0, **more)
