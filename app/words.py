"""The sentences that go with codes, in English: one source for the window, which translates them, and the command line.

A sentence says what happened, what it means for the person's work and what to do. `QT_TRANSLATE_NOOP` only marks a
sentence for the translation tools; the views translate with context "words".
"""


def QT_TRANSLATE_NOOP(context: str, sentence: str) -> str:
    return sentence


FAILURES: dict[str, str] = {
    "too_long": QT_TRANSLATE_NOOP(
        "words",
        "This is {needed} tokens and the window holds {available}. Nothing was cut and nothing was sent to the model. "
        "Remove a document, choose a larger context window, or a model with a longer one.",
    ),
    "out_of_memory": QT_TRANSLATE_NOOP(
        "words",
        "The computer ran out of memory: {needed} were needed and {available} are free. What was read is kept where it "
        "could be. Choose a smaller context window or a smaller precision, or close other programs.",
    ),
    "bad_model": QT_TRANSLATE_NOOP(
        "words", "This model cannot be used: {message}. Choose another one in the settings."
    ),
    "bad_document": QT_TRANSLATE_NOOP(
        "words", "The kept text of {subject} is missing or has changed. Add the document again."
    ),
    "engine_died": QT_TRANSLATE_NOOP(
        "words", "The engine stopped unexpectedly and was started again. Your words are kept; ask again."
    ),
    "internal": QT_TRANSLATE_NOOP(
        "words", "Something went wrong in the engine: {message}. Your words are kept; ask again, or restart Longread."
    ),
}

REFUSALS: dict[str, str] = {}
"""By `Refused.code`: why a document gave no text."""

REASONS: dict[str, str] = {}
"""By `LeftOut.reason`: why a part of a document is not in its text. Short, for a list."""

WARNINGS: dict[str, str] = {}
"""By `Warning.code` of a document."""

NOTES: dict[str, str] = {}
"""By `Note.code` of the engine."""

FINISHES: dict[str, str] = {}
"""By `Done.finish`: how an answer ended, for the ledger."""


def sentence(table: dict[str, str], code: str, values: dict[str, str]) -> str:
    """The table's sentence for the code with the values filled in; a missing value is shown as "?"."""
    known = dict.fromkeys(("needed", "available", "message", "subject"), "?")
    return table[code].format_map(known | values)
