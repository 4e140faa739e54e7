"""The words of exported files, in English; the window translates them with context "words"."""

from app.data.quote import Verdict
from app.notes import QT_TRANSLATE_NOOP

LABELS: dict[str, str] = {
    "question": QT_TRANSLATE_NOOP("words", "Question"),
    "answer": QT_TRANSLATE_NOOP("words", "Answer"),
    "notes": QT_TRANSLATE_NOOP("words", "Notes"),
    "documents": QT_TRANSLATE_NOOP("words", "Documents"),
    "ledger": QT_TRANSLATE_NOOP("words", "What the answers were written from"),
    "attached": QT_TRANSLATE_NOOP("words", "With: {names}"),
    "untitled": QT_TRANSLATE_NOOP("words", "Conversation"),
    "exact": QT_TRANSLATE_NOOP("words", "exact"),
    "close": QT_TRANSLATE_NOOP("words", "close"),
    "missing": QT_TRANSLATE_NOOP("words", "not found in the documents"),
    "ambiguous": QT_TRANSLATE_NOOP("words", "found in {count} places"),
    "unchecked": QT_TRANSLATE_NOOP("words", "not checked"),
    "page": QT_TRANSLATE_NOOP("words", "page {label}"),
    "section": QT_TRANSLATE_NOOP("words", "section {label}"),
    "slide": QT_TRANSLATE_NOOP("words", "slide {label}"),
    "sheet": QT_TRANSLATE_NOOP("words", "sheet {label}"),
    "row": QT_TRANSLATE_NOOP("words", "row {n}"),
    "message": QT_TRANSLATE_NOOP("words", "message {label}"),
    "cell": QT_TRANSLATE_NOOP("words", "cell {label}"),
    "file": QT_TRANSLATE_NOOP("words", "file {label}"),
    "in_document": QT_TRANSLATE_NOOP("words", "In the document: “{passage}”"),
    "checked": QT_TRANSLATE_NOOP(
        "words",
        "Quotes and figures checked: {exact} ✓ exact, {close} ≈ close, {missing} ✗ not found, {ambiguous} unclear",
    ),
    "stopped": QT_TRANSLATE_NOOP("words", "The answer was stopped before its end."),
    "failed": QT_TRANSLATE_NOOP("words", "The answer ended with a failure ({code})."),
    "name": QT_TRANSLATE_NOOP("words", "Name"),
    "extent": QT_TRANSLATE_NOOP("words", "Extent"),
    "extent_of": QT_TRANSLATE_NOOP("words", "{units}, characters: {characters}"),
    "count_page": QT_TRANSLATE_NOOP("words", "pages: {count}"),
    "count_section": QT_TRANSLATE_NOOP("words", "sections: {count}"),
    "count_slide": QT_TRANSLATE_NOOP("words", "slides: {count}"),
    "count_sheet": QT_TRANSLATE_NOOP("words", "sheets: {count}"),
    "count_message": QT_TRANSLATE_NOOP("words", "messages: {count}"),
    "count_cell": QT_TRANSLATE_NOOP("words", "cells: {count}"),
    "count_file": QT_TRANSLATE_NOOP("words", "files: {count}"),
    "mode_whole": QT_TRANSLATE_NOOP("words", "read whole"),
    "mode_parallel": QT_TRANSLATE_NOOP("words", "read in segments"),
    "mode_coverage": QT_TRANSLATE_NOOP("words", "every part asked"),
    "file_digest": QT_TRANSLATE_NOOP("words", "SHA-256 of the file"),
    "text_digest": QT_TRANSLATE_NOOP("words", "SHA-256 of its text"),
    "left_out": QT_TRANSLATE_NOOP("words", "left out: {count}"),
    "model": QT_TRANSLATE_NOOP("words", "Model"),
    "settings": QT_TRANSLATE_NOOP("words", "Settings"),
    "read": QT_TRANSLATE_NOOP("words", "Tokens"),
    "model_at": QT_TRANSLATE_NOOP("words", "{model}, at {host} (the question and the documents were sent there)"),
    "model_of": QT_TRANSLATE_NOOP("words", "{model} ({precision}), fingerprint {fingerprint}"),
    "settings_of": QT_TRANSLATE_NOOP("words", "window {window}, temperature {temperature}, seed {seed}, {mode}"),
    "read_of": QT_TRANSLATE_NOOP("words", "{prompt} in the prompt, {unread} of them not read, {evicted} forgotten"),
    "forgotten": QT_TRANSLATE_NOOP("words", "Forgotten"),
    "forgotten_of": QT_TRANSLATE_NOOP("words", "{forgotten} of {total} tokens, by {policy}"),
    "forgotten_most": QT_TRANSLATE_NOOP("words", "{told}; most of {places}"),
    "and_more": QT_TRANSLATE_NOOP("words", "{places} and {count} more"),
    "nothing": QT_TRANSLATE_NOOP("words", "nothing, by {policy}"),
    "made": QT_TRANSLATE_NOOP(
        "words",
        "Exported by Longread {version} on {date}. “longread verify-export” checks this file and its JSON twin against "
        "the documents.",
    ),
}
"""By what they name in an exported file."""

SIGNS: dict[Verdict, str] = {"exact": "✓", "close": "≈", "missing": "✗", "ambiguous": "?"}

CHECKS: dict[str, str] = {
    "file": QT_TRANSLATE_NOOP("words", "the exported file {subject} is the one that was written"),
    "text": QT_TRANSLATE_NOOP("words", "the text of {subject} is the one that was read"),
    "original": QT_TRANSLATE_NOOP("words", "{subject} is the file that was read"),
    "quote": QT_TRANSLATE_NOOP("words", "note {subject}: the document says so there"),
}
"""By `Check.what` of `app.services.export.verify`."""

FINDINGS: dict[str, str] = {
    "right": QT_TRANSLATE_NOOP("words", "yes"),
    "wrong": QT_TRANSLATE_NOOP("words", "no"),
    "missing": QT_TRANSLATE_NOOP("words", "not checked: it is not here"),
}
"""By `Check.found`."""
