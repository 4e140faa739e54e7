"""The sentences that go with codes, in English: one source for the window, which translates them, and the command line.

A sentence says what happened, what it means for the person's work and what to do. `QT_TRANSLATE_NOOP` only marks a
sentence for the translation tools; the views translate with context "words".
"""

from app.notes import ADVICE, IN_BYTES, NOTES, QT_TRANSLATE_NOOP

__all__ = ["ABOUT", "ADVICE", "FAILURES", "FINISHES", "IN_BYTES", "ISOLATION", "NOTES", "PROBLEMS", "PURPOSES"]
__all__ += ["REASONS", "REFUSALS", "WARNINGS", "sentence", "size"]

FAILURES: dict[str, str] = {
    "too_long": QT_TRANSLATE_NOOP(
        "words",
        "This is {needed} tokens and the window holds {available}, and you chose to have it read whole. Nothing was "
        "cut and nothing was sent to the model. Read in segments it is no longer too long; or remove a document, "
        "choose a larger context window, or a model with a longer one.",
    ),
    "too_long_model": QT_TRANSLATE_NOOP(
        "words",
        "This is {needed} tokens and the window holds {available}; this model reads every text whole. Nothing was cut "
        "and nothing was sent to the model. Choose a larger context window in the settings, or remove a document.",
    ),
    "too_long_question": QT_TRANSLATE_NOOP(
        "words",
        "The question with what was said before it is {needed} tokens, and the window leaves {available} for it, "
        "however the documents are read. Nothing was cut and nothing was sent to the model. Ask more briefly, begin a "
        "new conversation, or choose a model with a longer window.",
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

REFUSALS: dict[str, str] = {
    "missing": QT_TRANSLATE_NOOP(
        "words", "{name} is not there. It was moved, renamed or deleted; add it from where it is now."
    ),
    "empty": QT_TRANSLATE_NOOP(
        "words", "{name} is empty. If it is still being copied or downloaded, add it again when that is done."
    ),
    "no_text": QT_TRANSLATE_NOOP(
        "words",
        "{name} holds no text that can be read. If it is a scan, its pages are pictures: run text recognition (OCR) "
        "over it and add the result.",
    ),
    "unknown_format": QT_TRANSLATE_NOOP(
        "words",
        "{name} is in a format that Longread does not read yet. It reads PDF, DOCX, EPUB, HTML, Markdown, plain text,"
        " source code and folders of these; save it as one of them.",
    ),
    "damaged": QT_TRANSLATE_NOOP(
        "words",
        "{name} is damaged and could not be opened. Nothing of it was read. Get a fresh copy, or save it anew in the "
        "program that made it.",
    ),
    "encrypted": QT_TRANSLATE_NOOP(
        "words",
        "{name} is protected by a password, so nothing of it was read. Save a copy without the password in the "
        "program that made it, and add the copy.",
    ),
    "too_big": QT_TRANSLATE_NOOP(
        "words",
        "{name} is more than one document may hold, or needs more memory than reading it may take. Nothing of it was "
        "read. Divide it and add the parts.",
    ),
    "too_slow": QT_TRANSLATE_NOOP(
        "words",
        "{name} took too long to open and was given up. Nothing of it was read. It may be damaged: save it anew in "
        "the program that made it, or divide it.",
    ),
    "crashed": QT_TRANSLATE_NOOP(
        "words",
        "The part of Longread that opens documents stopped at {name}. Nothing of it was read, and nothing else was "
        "touched. It may be damaged: save it anew in the program that made it.",
    ),
    "denied": QT_TRANSLATE_NOOP("words", "The system does not let Longread read {name}. Check who may read it."),
}
"""By `Refused.code`: why a document gave no text. {name}"""

REASONS: dict[str, str] = {
    "ignored": QT_TRANSLATE_NOOP("words", "ignored by git"),
    "vendored": QT_TRANSLATE_NOOP("words", "other people's code or a tool's cache"),
    "version_control": QT_TRANSLATE_NOOP("words", "version control's own files"),
    "link": QT_TRANSLATE_NOOP("words", "links to other places"),
    "loop": QT_TRANSLATE_NOOP("words", "folders that hold themselves"),
    "special": QT_TRANSLATE_NOOP("words", "no ordinary files"),
    "binary": QT_TRANSLATE_NOOP("words", "no text (pictures, programs, data)"),
    "minified": QT_TRANSLATE_NOOP("words", "minified"),
    "generated": QT_TRANSLATE_NOOP("words", "generated by a program"),
    "empty": QT_TRANSLATE_NOOP("words", "empty"),
    "no_text": QT_TRANSLATE_NOOP("words", "without text"),
    "unknown_format": QT_TRANSLATE_NOOP("words", "formats not read yet"),
    "damaged": QT_TRANSLATE_NOOP("words", "damaged"),
    "encrypted": QT_TRANSLATE_NOOP("words", "protected by a password"),
    "too_big": QT_TRANSLATE_NOOP("words", "too big"),
    "too_slow": QT_TRANSLATE_NOOP("words", "took too long to open"),
    "crashed": QT_TRANSLATE_NOOP("words", "stopped the reading of the folder"),
    "denied": QT_TRANSLATE_NOOP("words", "not allowed by the system"),
    "missing": QT_TRANSLATE_NOOP("words", "not there"),
    "remote": QT_TRANSLATE_NOOP("words", "on the internet (never fetched)"),
    "no_text_layer": QT_TRANSLATE_NOOP("words", "pages without a text layer"),
}
"""By `LeftOut.reason`: why a part of a document is not in its text. Short, for a list."""

WARNINGS: dict[str, str] = {
    "no_text_layer": QT_TRANSLATE_NOOP("words", "no text layer on pages {pages}: they are pictures, and were left out"),
    "damaged_pages": QT_TRANSLATE_NOOP("words", "pages {pages} are damaged and were left out"),
    "garbled_pages": QT_TRANSLATE_NOOP(
        "words", "on pages {pages} the file does not say which letters it shows: much there cannot be read"
    ),
    "running_heads": QT_TRANSLATE_NOOP(
        "words", "{count} page numbers and repeated lines at the edges of pages were left out"
    ),
    "attachments": QT_TRANSLATE_NOOP("words", "{count} attached files were not read"),
    "tracked_changes": QT_TRANSLATE_NOOP(
        "words", "tracked changes were read as accepted: {deletions} deletions left out, {insertions} insertions read"
    ),
    "hidden_text": QT_TRANSLATE_NOOP("words", "{count} hidden pieces of text were left out"),
    "parts_missing": QT_TRANSLATE_NOOP("words", "{count} parts of the book are not in the file"),
    "no_reading_order": QT_TRANSLATE_NOOP(
        "words", "the book gives no reading order; its parts were read as they are listed"
    ),
    "uncertain_encoding": QT_TRANSLATE_NOOP("words", "the encoding is not certain: read as {encoding}"),
    "damaged_characters": QT_TRANSLATE_NOOP("words", "{count} characters are not valid {encoding} and stand as �"),
    "more": QT_TRANSLATE_NOOP("words", "{count} further warnings about single files"),
}
"""By `Warning.code` of a document. Of a file in a folder, `Warning.values` hold its path as "file"."""

ISOLATION: dict[str, str] = {
    "seccomp": QT_TRANSLATE_NOOP(
        "words",
        "The process that opens a document has no network: the system's kernel refuses it every connection (seccomp).",
    ),
    "audit_hook": QT_TRANSLATE_NOOP(
        "words", "The process that opens a document has no network: Python refuses it every connection (audit hook)."
    ),
}
"""By `Probe.network` of `app.documents.run.isolation`: what keeps the document process from the network."""

FINISHES: dict[str, str] = {
    "complete": QT_TRANSLATE_NOOP("words", "Complete."),
    "stop": QT_TRANSLATE_NOOP("words", "Ended at a stop word."),
    "length": QT_TRANSLATE_NOOP("words", "Ended early: the longest answer that was allowed, or the end of the window."),
    "loop": QT_TRANSLATE_NOOP("words", "Ended early: the answer had begun to repeat itself."),
    "cancelled": QT_TRANSLATE_NOOP("words", "Stopped by you; what was written is kept."),
    "read": QT_TRANSLATE_NOOP("words", "Read."),
}
"""By `Done.finish`: how an answer ended, for the ledger."""


PROBLEMS: dict[str, str] = {
    "newer_database": QT_TRANSLATE_NOOP(
        "words",
        "The file {subject} was made by a newer Longread. It was left as it is. Install the newer version again, or "
        "set LONGREAD_HOME to another folder.",
    ),
    "damaged_database": QT_TRANSLATE_NOOP(
        "words",
        "The file {subject} is damaged and was left as it is. Your documents are not touched. Put a copy from a "
        "backup in its place, or move it away to begin anew.",
    ),
    "busy_database": QT_TRANSLATE_NOOP(
        "words",
        "The file {subject} is in use by another program for longer than usual. Nothing was lost; try again in a "
        "moment.",
    ),
    "disk_full": QT_TRANSLATE_NOOP(
        "words", "The disk that holds {subject} is full. What could not be kept is still here. Make room and try again."
    ),
    "cannot_write": QT_TRANSLATE_NOOP(
        "words", "Longread cannot write in {subject}: {message}. Check the permissions of that folder."
    ),
    "text_missing": QT_TRANSLATE_NOOP(
        "words", "The kept text of {subject} is missing or has changed. Add the document again."
    ),
    "settings_newer": QT_TRANSLATE_NOOP(
        "words",
        "The settings in {subject} were made by a newer Longread and were left as they are. Changes hold until you "
        "close Longread.",
    ),
    "settings_damaged": QT_TRANSLATE_NOOP(
        "words", "The settings could not be read and are now the usual ones. The damaged file was kept as {subject}."
    ),
    "settings_unreadable": QT_TRANSLATE_NOOP(
        "words",
        "The system does not let Longread read the settings in {subject}. They are now the usual ones, until you "
        "close Longread.",
    ),
    "model_missing": QT_TRANSLATE_NOOP(
        "words", "{subject} is not on this computer. Get it with: longread models fetch {name}"
    ),
    "model_unknown": QT_TRANSLATE_NOOP(
        "words",
        "There is no model {subject}: neither the list of models nor this computer has it. See: longread models list",
    ),
    "model_nothing_there": QT_TRANSLATE_NOOP("words", "There is nothing at {subject}."),
    "model_not_gguf": QT_TRANSLATE_NOOP("words", "{subject} is no model: a single file must be a .gguf file."),
    "model_no_config": QT_TRANSLATE_NOOP("words", "{subject} is no whole model: config.json is missing."),
    "model_no_weights": QT_TRANSLATE_NOOP(
        "words",
        "{subject} is no whole model: it has no .safetensors file, and weights in other formats are not opened.",
    ),
    "no_connection": QT_TRANSLATE_NOOP(
        "words",
        "{subject} could not be reached. What has come so far is kept. Check the connection, the proxy or the "
        "address in the settings, and try again.",
    ),
    "download_cut": QT_TRANSLATE_NOOP(
        "words",
        "The connection to {subject} broke off several times. What has come so far is kept, and the next try goes "
        "on from there.",
    ),
    "download_refused": QT_TRANSLATE_NOOP(
        "words", "{subject} answered with {message} and gave no file. What has come so far is kept."
    ),
    "download_wrong": QT_TRANSLATE_NOOP(
        "words",
        "{subject} is not the file that was expected, so it was deleted. Try again; if that does not help, the "
        "source is damaged or has been changed.",
    ),
    "download_incomplete": QT_TRANSLATE_NOOP(
        "words", "{subject} lacks {message}, which a model must have. Choose another model."
    ),
    "download_offline": QT_TRANSLATE_NOOP(
        "words", "HF_HUB_OFFLINE is set, so nothing is downloaded from the hub. Unset it and try again."
    ),
    "download_running": QT_TRANSLATE_NOOP("words", "{subject} is already being downloaded by another Longread."),
    "no_space": QT_TRANSLATE_NOOP(
        "words",
        "There is too little room in {subject}: {needed} are needed and {available} are free. Nothing was lost; "
        "make room and try again.",
    ),
    "documents_open": QT_TRANSLATE_NOOP(
        "words",
        "The process that opens documents could not be closed off from the network on this system. Open only documents "
        "that you trust.",
    ),
    "engine_busy": QT_TRANSLATE_NOOP(
        "words",
        "Another Longread is running with the same data folder and holds the model in memory. Ask in its window, "
        "close it, or set LONGREAD_HOME to another folder.",
    ),
    "engine_down": QT_TRANSLATE_NOOP(
        "words",
        "The engine stopped several times and stays down. Your words are kept. What it said last is in {subject}; "
        "choose a smaller model or window, then try again.",
    ),
}
"""By `Problem.code` of a service; also what `Failure.code` may be when the engine could not be asked."""

ABOUT: dict[str, str] = {
    "finds_facts": QT_TRANSLATE_NOOP(
        "words", "Finds facts and quotes them; it does not reason, and summaries are rough."
    ),
    "summarises": QT_TRANSLATE_NOOP("words", "Finds facts, quotes and summarises; it reasons a little."),
    "compares": QT_TRANSLATE_NOOP("words", "Summarises, compares and reasons over long texts."),
    "longest": QT_TRANSLATE_NOOP(
        "words", "Made for texts of half a million tokens and more, on a graphics card; reads every text whole."
    ),
    "added": QT_TRANSLATE_NOOP("words", "Added from this computer."),
}
"""By `ModelEntry.about`: what a model can do."""

PURPOSES: dict[str, str] = {
    "model": QT_TRANSLATE_NOOP("words", "a model that you asked for"),
    "model_list": QT_TRANSLATE_NOOP("words", "what belongs to a model that you asked for"),
}
"""By `Connection.purpose`: what was fetched, in a list."""


class _Known(dict[str, str]):
    """What is not known is said to be so: a ledger of an older Longread has no values for its notes."""

    def __missing__(self, name: str) -> str:
        return "?"


def sentence(table: dict[str, str], code: str, values: dict[str, str]) -> str:
    """The table's sentence for the code with the values filled in, after the path that `values["file"]` may hold."""
    said = table[code].format_map(_Known(values))
    return f"{values['file']}: {said}" if "file" in values else said


def size(count: int) -> str:
    """Bytes with their unit, as the window shows them in English: "93 MB", "9.5 GB"; 1,024 bytes are a KB."""
    value, unit = float(count), 0
    while value >= 999.5 and unit < 4:
        value, unit = value / 1024, unit + 1
    return f"{value:,.{0 if (value >= 10 and unit < 3) or unit == 0 else 1}f} {('B', 'KB', 'MB', 'GB', 'TB')[unit]}"
