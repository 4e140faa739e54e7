"""The sentences that go with codes, in English: one source for the window, which translates them, and the command line.

A sentence says what happened, what it means for the person's work and what to do. `QT_TRANSLATE_NOOP` only marks a
sentence for the translation tools; the views translate with context "words".
"""

from app import remote_words, runtime_words, verify_words
from app.notes import ADVICE, IN_BYTES, QT_TRANSLATE_NOOP
from app.notes import NOTES as ENGINE_NOTES

__all__ = ["ABOUT", "ADVICE", "FAILURES", "FINISHES", "IN_BYTES", "ISOLATION", "NOTES", "PROBLEMS", "PURPOSES"]
__all__ += ["sentence", "size"]

NOTES = ENGINE_NOTES | remote_words.NOTES
_OF_OTHERS = remote_words.PROBLEMS | runtime_words.PROBLEMS | verify_words.PROBLEMS

FAILURES: dict[str, str] = remote_words.FAILURES | {
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
    "no_selection": QT_TRANSLATE_NOOP(
        "words",
        "This model looks at a text in a way of its own, so no selection of its rows can be read instead. Nothing was "
        "read. Ask without a selection, or choose a model that looks at everything.",
    ),
    "selection_whole": QT_TRANSLATE_NOOP(
        "words",
        "A selection can be looked at in a text that is read whole; this one would be read in segments, each of them "
        "in full. Nothing was read. Ask without a selection, or read the text whole in a larger context window.",
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
        "words", "The engine stopped unexpectedly. Your words are kept, and what was written so far; ask again."
    ),
    "no_kernel": QT_TRANSLATE_NOOP(
        "words",
        "Attention cannot be computed as it was chosen: {message}. The model was not loaded. Choose one of those, or "
        "auto.",
    ),
    "evict_model": QT_TRANSLATE_NOOP(
        "words",
        "This model does not keep all of a text in every layer, so no policy can choose what to forget. Nothing was "
        "read. Ask without a policy.",
    ),
    "evict_sparse": QT_TRANSLATE_NOOP(
        "words",
        "This model chooses blocks of a text to look at, and forgets whole blocks or nothing: the policy {subject} "
        "cannot choose for it. Nothing was read. Choose the policy of blocks (--policy blocks), or keep everything.",
    ),
    "evict_blocks": QT_TRANSLATE_NOOP(
        "words",
        "Blocks are forgotten by how a model chooses them, and this one chooses none. Nothing was read. Choose another "
        "policy, or keep everything.",
    ),
    "evict_mode": QT_TRANSLATE_NOOP(
        "words",
        "The policy {subject} does not know that mode. Nothing was read. Leave the mode to it, or choose another "
        "policy.",
    ),
    "evict_pieces": QT_TRANSLATE_NOOP(
        "words",
        "SnapKV chooses by the question at the end, so a prompt cannot be forgotten piece by piece. Nothing was read. "
        "Let it forget at the prompt's end, or choose another policy.",
    ),
    "evict_segments": QT_TRANSLATE_NOOP(
        "words",
        "A policy forgets parts of a text that is read whole; in segments, or with every part asked, it has nothing to "
        "choose. Nothing was read. Ask without it, or have the text read whole.",
    ),
    "evict_selection": QT_TRANSLATE_NOOP(
        "words",
        "A selection looks at rows of all that is kept, and a policy forgets some of them: one question cannot have "
        "both. Nothing was read. Ask without the selection, or without the policy.",
    ),
    "evict_budget": QT_TRANSLATE_NOOP(
        "words",
        "At least {needed} tokens must be kept here, and {available} may be: the first and the newest always stay. "
        "Nothing was read. Keep more.",
    ),
    "evict_refused": QT_TRANSLATE_NOOP(
        "words",
        "This is {needed} tokens, of which {available} would be kept, and you chose not to have that. Nothing was "
        "read. Keep more, or let the rest be forgotten.",
    ),
    "evict_inactive": QT_TRANSLATE_NOOP(
        "words",
        "{needed} tokens were read and {available} may be kept, but nothing was forgotten: the policy did not work. "
        "Ask without it.",
    ),
    "internal": QT_TRANSLATE_NOOP(
        "words", "Something went wrong in the engine: {message}. Your words are kept; ask again, or restart Longread."
    ),
}

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


PROBLEMS: dict[str, str] = _OF_OTHERS | {
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
    "index_anew": QT_TRANSLATE_NOOP(
        "words",
        "What the search knew of your texts was damaged and is made anew from them. Nothing of yours was lost; search "
        "again in a moment.",
    ),
    "matter_unnamed": QT_TRANSLATE_NOOP("words", "A matter needs a name."),
    "matter_long": QT_TRANSLATE_NOOP("words", "The name of a matter may have {count} characters at most."),
    "matter_exists": QT_TRANSLATE_NOOP("words", "There is a matter {subject} already. Choose another name."),
    "matter_unknown": QT_TRANSLATE_NOOP("words", "There is no matter {subject}. See: longread library matters"),
    "matter_empty": QT_TRANSLATE_NOOP(
        "words", "The matter {subject} holds no documents. Nothing was asked; put documents into it first."
    ),
    "item_unknown": QT_TRANSLATE_NOOP(
        "words",
        "Nothing in the library is called {subject}, comes from there or has that id. See: longread library list",
    ),
    "item_ambiguous": QT_TRANSLATE_NOOP(
        "words", "{count} documents of the library are meant by {subject}. Give the beginning of the id of one of them."
    ),
    "key_unnamed": QT_TRANSLATE_NOOP("words", "A key needs a name, such as the program's that will use it."),
    "key_long": QT_TRANSLATE_NOOP("words", "The name of a key may have {count} characters at most."),
    "key_exists": QT_TRANSLATE_NOOP(
        "words", "There is a key {subject} already, in force or revoked. Choose another name, or forget that one first."
    ),
    "key_limit": QT_TRANSLATE_NOOP("words", "A daily limit is at least 1 token. Leave it out for a key without one."),
    "key_in_force": QT_TRANSLATE_NOOP("words", "The key {subject} is in force. Revoke it before it is forgotten."),
    "no_such_key": QT_TRANSLATE_NOOP("words", "There is no key {subject}. See: longread keys list"),
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
    "export_format": QT_TRANSLATE_NOOP(
        "words", "{subject} does not say in what form to export: let its name end in .md, .pdf or .docx."
    ),
    "export_failed": QT_TRANSLATE_NOOP(
        "words",
        "The pages could not be laid out, so no PDF was written. Export as Markdown or Word instead, or try again.",
    ),
    "export_no_twin": QT_TRANSLATE_NOOP(
        "words",
        "{subject} is not there. It was written beside the exported file and holds what is checked: put both into one "
        "folder.",
    ),
    "export_damaged": QT_TRANSLATE_NOOP(
        "words", "{subject} is no export of Longread, or was damaged: nothing can be checked by it."
    ),
    "export_newer": QT_TRANSLATE_NOOP(
        "words", "{subject} was written by a newer Longread. Install that version to check it."
    ),
    "documents_open": QT_TRANSLATE_NOOP(
        "words",
        "The process that opens documents could not be closed off from the network on this system. Open only documents "
        "that you trust.",
    ),
    "api_port_taken": QT_TRANSLATE_NOOP(
        "words",
        "The local API cannot be served at {subject}: another program listens there. Choose another port, or close "
        "that program.",
    ),
    "api_ended": QT_TRANSLATE_NOOP(
        "words", "The local API stopped unexpectedly, and no program can ask. Switch it on again."
    ),
    "api_no_address": QT_TRANSLATE_NOOP(
        "words",
        "The local API cannot be served at {subject} ({message}). Choose an address of this computer and a port above "
        "1023.",
    ),
    "api_certificate": QT_TRANSLATE_NOOP(
        "words",
        "The local API was not started: {subject} is no certificate or key that can be used. Both are PEM files, and "
        "both are needed.",
    ),
    "engine_held": QT_TRANSLATE_NOOP(
        "words",
        "Another Longread ({subject}) runs with the same data folder and holds the model in memory. Its local API is "
        "off, so it cannot be asked from here. Ask in its window, switch its local API on, close it, or set "
        "LONGREAD_HOME to another folder.",
    ),
    "beside_options": QT_TRANSLATE_NOOP(
        "words", "The engine belongs to the Longread that runs as process {subject}. Nothing was asked."
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

ABOUT: dict[str, str] = remote_words.ABOUT | {
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

PURPOSES: dict[str, str] = (
    remote_words.PURPOSES
    | runtime_words.PURPOSES
    | {
        "model": QT_TRANSLATE_NOOP("words", "a model that you asked for"),
        "model_list": QT_TRANSLATE_NOOP("words", "what belongs to a model that you asked for"),
    }
)
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
