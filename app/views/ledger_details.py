"""Everything that a ledger holds, as a table of names and values: what opens under an answer's line."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app import words
from app.data.ledger import Ledger, LedgerDocument
from app.models import forgetting_words, quantities
from app.models.spoken import spoken
from app.views import theme


def details(ledger: Ledger, parent: QWidget) -> QWidget:
    """A table of what has a value."""
    box = QWidget(parent)
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 2, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    for place, (name, value) in enumerate(row for row in rows(ledger) if row[1]):
        for column, text in enumerate((name, value)):
            label = QLabel(text, box)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(column == 1)
            theme.set_role(label, "small" if column == 0 else "small-ink")
            if column:
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, place, column, Qt.AlignmentFlag.AlignTop)
    return box


def rows(ledger: Ledger) -> list[tuple[str, str]]:
    """(name, value) of everything, in order; some values are empty."""
    made = [(_tr("Document"), _document(document)) for document in ledger.documents]
    made += [
        (_tr("Prompt"), quantities.tokens(ledger.prompt)),
        (_tr("Written"), quantities.tokens(ledger.written)),
        *_parallel(ledger),
        *_pruned(ledger),
        (_tr("Model"), f"{ledger.model} · {ledger.fingerprint[:12]}"),
        (_tr("Server") if ledger.host else _tr("Device"), ledger.device),
        (_tr("Layers"), ", ".join(_layers(kind, count) for kind, count in ledger.layers.items())),
        (_tr("Written with"), ledger.writing),
        (_tr("Temperature"), quantities.decimal(ledger.temperature, 2)),
    ]
    if ledger.seed is not None:
        made.append((_tr("Seed"), str(ledger.seed)))
    if ledger.reading_rate is not None:
        made.append((_tr("Reading"), quantities.rate(ledger.reading_rate)))
    return made + [(_tr("Note"), note(ledger, code)) for code in ledger.notes]


def note(ledger: Ledger, code: str) -> str:
    """A note's sentence. Ledgers of older versions kept codes alone: a sentence with a gap says less than its code."""
    values = ledger.note_values.get(code, {})
    if not values and "{" in words.NOTES.get(code, ""):
        return code.replace("_", " ")
    return spoken(words.NOTES, code, values)


def _parallel(ledger: Ledger) -> list[tuple[str, str]]:
    """How a text in segments was asked and joined; nothing of a text that was read whole."""
    made = []
    if ledger.segments:
        asked, total = ledger.asked, len(ledger.segments)
        if ledger.mode == "coverage":
            made.append((_tr("Asked"), _tr("every part: {n}").format(n=quantities.number(asked))))
        else:
            said = _tr("{asked} of {total} segments")
            numbers = {"asked": quantities.number(asked), "total": quantities.number(total)}
            made.append((_tr("Asked"), said.format_map(numbers)))
    if ledger.join is not None:
        joins = {
            "shared": _tr("each at its own positions (shared)"),
            "consecutive": _tr("one after the other (consecutive)"),
            "reread": _tr("their text read again together (reread)"),
        }
        made.append((_tr("Joined"), joins[ledger.join]))
    if ledger.mode != "whole" or ledger.kv == "int8":
        held = _tr("as the model computes them") if ledger.kv == "model" else _tr("as int8: half the size, rounded")
        made.append((_tr("Keys and values"), held))
    if ledger.reopened:
        made.append((_tr("Opened from disk"), quantities.tokens(ledger.reopened)))
    return made


def _pruned(ledger: Ledger) -> list[tuple[str, str]]:
    """What a policy left and what it forgot; nothing where none was on."""
    pruned = ledger.pruned
    if pruned is None:
        return []
    modes = {
        "per_head": _tr("heads choose alike in every layer"),
        "per_layer_per_head": _tr("every head chooses for itself"),
        "union": _tr("all heads choose together"),
        "mean": _tr("by the mean of a group's heads"),
        "max": _tr("by the strongest of a group's heads"),
    }
    by = " · ".join(filter(None, (forgetting_words.policy(pruned.policy), modes.get(pruned.mode, ""))))
    kept = _tr("{tokens} in every head, {budget} at the prompt's end")
    numbers = {"tokens": quantities.tokens(pruned.rows), "budget": quantities.number(pruned.budget)}
    return [
        (_tr("Policy"), by),
        (_tr("Kept"), kept.format_map(numbers)),
        (_tr("Forgotten"), forgetting_words.forgotten(pruned)),
        (_tr("Share that was forgotten"), forgetting_words.every(ledger)),
    ]


def _layers(kind: str, count: int) -> str:
    """Layers by what they did for this answer."""
    kinds = {
        "full": _tr("{n} with full attention"),
        "sliding": _tr("{n} with attention to what is near"),
        "lightning": _tr("{n} lightning"),
        "sparse": _tr("{n} sparse over chosen blocks"),
        "dense": _tr("{n} sparse over all of a short text"),
        "moba": _tr("{n} over blocks that each head chose (MoBA)"),
        "nsa": _tr("{n} over compressed, chosen and near rows (NSA)"),
        "quest": _tr("{n} writing over chosen pages"),
        "blocks": _tr("{n} reading over chosen blocks"),
    }
    return kinds.get(kind, "{n} " + kind).format(n=quantities.number(count))


def _document(document: LedgerDocument) -> str:
    said = [document.name, quantities.tokens(document.tokens)]
    if document.unread:
        said.append(_tr("{tokens} not read").format(tokens=quantities.tokens(document.unread)))
    if document.left_out:
        said.append(_tr("{n} left out").format(n=quantities.number(document.left_out)))
    said.append(f"sha256 {document.sha256[:12]}")
    return " · ".join(said)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("ledger_details", sentence)
