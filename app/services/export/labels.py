"""The sentences of an exported file, in the person's language: the same in every format."""

from collections import Counter
from collections.abc import Callable, Iterator

from app.data.export import Exchange, ExportedDocument, ExportedQuote, Record
from app.data.forgotten import worst_of
from app.data.ledger import Ledger, LedgerPlace, LedgerPruned
from app.data.policies import NAMES
from app.data.quote import QuotePlace
from app.export_words import LABELS, SIGNS

AROUND_PATH = " › "
NAMED = 8
"""Places that lost most to a policy, named at most."""


class Labels:
    def __init__(self, translate: Callable[[str], str] = str) -> None:
        self._translate = translate

    def __call__(self, name: str, **values: object) -> str:
        told = {key: f"{value:,}" if isinstance(value, int) else str(value) for key, value in values.items()}
        return self._translate(LABELS[name]).format(**told) if told else self._translate(LABELS[name])

    def title(self, record: Record) -> str:
        return record.title or self("untitled")

    def attached(self, record: Record, exchange: Exchange) -> str:
        """ "With: lease.pdf, annex.docx"; "" without documents."""
        names = {document.text_sha256: document.name for document in record.documents}
        told = [names.get(id) or id[:12] for id in exchange.documents]
        return self("attached", names=", ".join(told)) if told else ""

    def ending(self, exchange: Exchange) -> str:
        """How an answer that is not whole ended; "" for one that is."""
        if exchange.state == "failed":
            return self("failed", code=exchange.failure)
        return self("stopped") if exchange.state == "stopped" else ""

    def note(self, record: Record, quote: ExportedQuote) -> str:
        """ "✓ exact: lease.pdf, page 12, 3. Term"; with the document's words where they differ from the answer's."""
        names = {document.text_sha256: document.name for document in record.documents}
        verdict = quote.quote.verdict
        said = self("ambiguous", count=len(quote.quote.places)) if verdict == "ambiguous" else self(verdict)
        told = f"{SIGNS[verdict]} {said}"
        if quote.quote.places:
            told += ": " + "; ".join(self.place(place, names) for place in quote.quote.places)
        if quote.passage and verdict == "close":
            told += ". " + self("in_document", passage=" ".join(quote.passage.split()))
        return told

    def place(self, place: QuotePlace, names: dict[str, str]) -> str:
        told = [names.get(place.item) or place.item[:12], place.file, *self._label(place)]
        told.append(AROUND_PATH.join(place.path))
        return ", ".join(dict.fromkeys(part for part in told if part))

    def _label(self, place: QuotePlace) -> Iterator[str]:
        if place.label:
            yield self(place.unit, label=place.label)
        if place.row:
            yield self("row", n=place.row)

    def checked(self, exchange: Exchange) -> str:
        """How many quotes and facts were found; "" where none was looked for."""
        if not exchange.quotes:
            return ""
        counts = Counter(quote.quote.verdict for quote in exchange.quotes)
        return self("checked", **{name: counts[name] for name in SIGNS})

    def document(self, document: ExportedDocument) -> list[tuple[str, str]]:
        """Name and value of everything that is known of a document."""
        units = self(f"count_{document.unit}", count=document.units)
        extent = self("extent_of", units=units, characters=document.characters)
        if document.left_out:
            extent += ", " + self("left_out", count=len(document.left_out))
        rows = [(self("name"), document.name or document.text_sha256[:12])]
        if document.characters:
            rows.append((self("extent"), extent))
        if document.file_sha256:
            rows.append((self("file_digest"), document.file_sha256))
        return [*rows, (self("text_digest"), document.text_sha256)]

    def ledger(self, ledger: Ledger) -> list[tuple[str, str]]:
        made = {"model": ledger.model, "precision": ledger.precision, "fingerprint": ledger.fingerprint[:16]}
        model = self("model_at", model=ledger.model, host=ledger.host) if ledger.host else self("model_of", **made)
        seed = "–" if ledger.seed is None else str(ledger.seed)
        chosen = self(
            "settings_of",
            window=ledger.window,
            temperature=ledger.temperature,
            seed=seed,
            mode=self(f"mode_{ledger.mode}"),
        )
        read = self("read_of", prompt=ledger.prompt, unread=ledger.unread, evicted=ledger.evicted)
        rows = [(self("model"), model), (self("settings"), chosen), (self("read"), read)]
        return rows if ledger.pruned is None else [*rows, (self("forgotten"), self._forgotten(ledger, ledger.pruned))]

    def _forgotten(self, ledger: Ledger, pruned: LedgerPruned) -> str:
        """ "512 of 732 tokens, by TriAttention; most of page 9, page 3–5", those that lost most first."""
        policy = NAMES.get(pruned.policy) or pruned.policy
        if not pruned.forgotten:
            return self("nothing", policy=policy)
        total = pruned.rows + pruned.forgotten
        told = self("forgotten_of", forgotten=pruned.forgotten, total=total, policy=policy)
        names = {each.id: each.name for each in ledger.documents} if len(ledger.documents) > 1 else {}
        worst = [self._part(part.place, names) for part in worst_of(pruned)]
        places = ", ".join(worst[:NAMED])
        if len(worst) > NAMED:
            places = self("and_more", places=places, count=len(worst) - NAMED)
        return self("forgotten_most", told=told, places=places) if places else told

    def _part(self, place: LedgerPlace, names: dict[str, str]) -> str:
        first, last = place.first_label, place.last_label or place.first_label
        label = self(place.unit, label=first if first == last else f"{first}–{last}") if first else ""
        characters = f"{place.start + 1:,}–{place.end:,}" if not label or place.unit == "section" else ""
        return " ".join(part for part in (names.get(place.item, ""), place.file, label, characters) if part)

    def made(self, record: Record) -> str:
        return self("made", version=record.version, date=record.exported)


def noted(exchange: Exchange) -> Iterator[ExportedQuote]:
    """The quotes that have a note, in the order of the answer."""
    return (quote for quote in exchange.quotes if quote.number)


def marked(exchange: Exchange, mark: Callable[[int], str]) -> str:
    """The answer with `mark(number)` behind each noted quote."""
    text = exchange.answer
    for quote in sorted(noted(exchange), key=lambda quote: quote.quote.end, reverse=True):
        text = text[: quote.quote.end] + mark(quote.number) + text[quote.quote.end :]
    return text
