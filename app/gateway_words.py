"""Sentences about the local API: what each program is told, and what a check of it finds."""

from app.notes import QT_TRANSLATE_NOOP

TOOLS: dict[str, str] = {
    "openai": QT_TRANSLATE_NOOP(
        "words",
        "Python, with OpenAI's client. A long document may be read for minutes before the first word, so its time-out "
        "is an hour and it asks once.",
    ),
    "claude_code": QT_TRANSLATE_NOOP(
        "words", "Type these into the terminal in which you start Claude Code; they hold until it is closed."
    ),
    "settings_json": QT_TRANSLATE_NOOP(
        "words",
        "The same for good: for ~/.claude/settings.json, or as a custom provider in CC Switch, which writes that file.",
    ),
    "continue": QT_TRANSLATE_NOOP("words", "For Continue's config.yaml, among its models."),
    "cline": QT_TRANSLATE_NOOP("words", "What to enter in Cline's settings."),
    "curl": QT_TRANSLATE_NOOP(
        "words", "To try it in a terminal: words arrive as they are written. A proxy is passed over."
    ),
}
"""By `Snippet.tool`: where its text belongs."""

CHECKS: dict[str, str] = {
    "no_proxies": QT_TRANSLATE_NOOP("words", "No proxy variables are set."),
    "proxies_spare": QT_TRANSLATE_NOOP(
        "words", "{variables} is set; NO_PROXY spares this computer, so programs reach this address directly."
    ),
    "proxies_dead": QT_TRANSLATE_NOOP(
        "words",
        "{variables} is set to {proxy}, where nothing answers. Longread goes past it, but a program that obeys it does "
        "not reach this address: set NO_PROXY=localhost,127.0.0.1 for that program.",
    ),
    "proxies_take": QT_TRANSLATE_NOOP(
        "words",
        "{variables} is set to {proxy}. Longread goes past it, but a program that obeys it sends what it asks there "
        "instead of here: set NO_PROXY=localhost,127.0.0.1 for that program.",
    ),
    "not_served": QT_TRANSLATE_NOOP("words", "The local API is off, so nothing answers. Switch it on and check again."),
    "reached": QT_TRANSLATE_NOOP("words", "{address} answers."),
    "no_key": QT_TRANSLATE_NOOP("words", "No key was given to try. Paste one above, or make a new one."),
    "key_works": QT_TRANSLATE_NOOP("words", "The key is accepted. Models that it may ask: {models}."),
    "model_answers": QT_TRANSLATE_NOOP("words", "{model} answered, with its first word after {seconds} s."),
    "message_answers": QT_TRANSLATE_NOOP("words", "{model} answered a message of Anthropic's protocol in {seconds} s."),
    "message_refused": QT_TRANSLATE_NOOP("words", "Anthropic's protocol was answered with {status}: {said}"),
    "no_message": QT_TRANSLATE_NOOP("words", "Anthropic's protocol was not answered ({why}). Check again."),
    "model_absent": QT_TRANSLATE_NOOP("words", "{model} is none of the models that this key may ask."),
}
"""By `Check.code`."""

ERRORS: dict[str, str] = {
    "daily_limit": QT_TRANSLATE_NOOP("words", "daily limit reached"),
    "queue_full": QT_TRANSLATE_NOOP("words", "too many requests at once"),
    "context_length_exceeded": QT_TRANSLATE_NOOP("words", "too long for the window"),
    "too_long": QT_TRANSLATE_NOOP("words", "too long for the window"),
    "too_long_model": QT_TRANSLATE_NOOP("words", "too long for the window"),
    "model_not_found": QT_TRANSLATE_NOOP("words", "unknown model"),
    "model_not_allowed": QT_TRANSLATE_NOOP("words", "a model that it may not ask"),
    "document_not_allowed": QT_TRANSLATE_NOOP("words", "a document that it may not use"),
    "remote_not_allowed": QT_TRANSLATE_NOOP("words", "an engine elsewhere, which it may not ask"),
    "another_model": QT_TRANSLATE_NOOP("words", "another model is loaded"),
    "timed_out": QT_TRANSLATE_NOOP("words", "not answered in time"),
    "cannot_load": QT_TRANSLATE_NOOP("words", "the model could not be loaded"),
    "engine_died": QT_TRANSLATE_NOOP("words", "the engine stopped"),
    "out_of_memory": QT_TRANSLATE_NOOP("words", "out of memory"),
}
"""By `Key.last_error`, short, for a list. A code that is not here is shown as it is."""
