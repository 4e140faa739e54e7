"""Every refusal of the local API: its status and its sentence, which programs show to people."""

from msgspec import Struct


class Refusal(Struct, frozen=True):
    status: int
    sentence: str


REFUSALS: dict[str, Refusal] = {
    # Who asks
    "missing_api_key": Refusal(
        401,
        "No key came with this request. Send one as `Authorization: Bearer sk-...` or `x-api-key: sk-...`; "
        "`longread keys add NAME` makes one.",
    ),
    "malformed_api_key": Refusal(
        401,
        "The key has a space, a line end, quotation marks or other signs in or around it that belong to no key, as "
        "copying and pasting leaves them. Paste it again without them.",
    ),
    "invalid_api_key": Refusal(
        401,
        "Longread knows no such key. `longread keys list` shows those that are in force; keys of other services "
        "do not open it.",
    ),
    "revoked_api_key": Refusal(401, "This key was revoked. `longread keys add NAME` makes a new one."),
    "foreign_host": Refusal(
        403,
        "The name {host} is none of this server's. Call it by its address, such as 127.0.0.1, or have the name "
        "allowed in its settings. (This keeps web pages from reaching it under a name of their own.)",
    ),
    "foreign_origin": Refusal(
        403, "Requests from web pages are not served. Call Longread from a program instead of a browser's page."
    ),
    "model_not_allowed": Refusal(403, "This key was not made for the model {model}. Those it may ask: {known}."),
    "document_not_allowed": Refusal(403, "This key was not made for the document {document}."),
    "no_upload": Refusal(
        403,
        "This key was made for some documents: it adds none and takes none away. Use one made without `--documents`.",
    ),
    "remote_not_allowed": Refusal(
        403,
        "{model} runs on another computer, and this key was not made to let texts leave this one. Make a key with "
        "`longread keys add NAME --remote`.",
    ),
    "daily_limit": Refusal(
        429, "This key has used its {limit} tokens of today. Ask again tomorrow, or make a key with another limit."
    ),
    # What is asked for
    "not_found": Refusal(404, "There is nothing at {path}. See the README for what is."),
    "method_not_allowed": Refusal(405, "{path} does not take {method}."),
    "model_not_found": Refusal(404, "There is no model {model}. Those that can be asked: {known}."),
    "model_missing": Refusal(404, "{model} is not on this computer. Get it with: longread models fetch {name}"),
    "document_not_found": Refusal(
        404,
        "The library has no document {document}. Those it has: {known}. GET /v1/documents tells all of them.",
    ),
    "document_ambiguous": Refusal(
        400, "{count} documents are called {document}. Name one by the beginning of its id: {known}."
    ),
    "collection_not_found": Refusal(404, "There is no collection {collection}. Those there are: {known}."),
    "collection_empty": Refusal(400, "The collection {collection} holds no documents."),
    "bad_json": Refusal(400, "The body is no JSON object: {why}."),
    "unsupported_media": Refusal(415, "The body must be JSON, with `Content-Type: application/json`."),
    "invalid_value": Refusal(400, "{param}: {why}."),
    "unknown_parameter": Refusal(
        400, "{param} is not known here, and nothing is ignored in silence. Leave it out. Known: {known}."
    ),
    "unsupported_parameter": Refusal(400, "{param} is not honoured here: {why}. Leave it out."),
    "unsupported_value": Refusal(400, "{param} cannot be {value} here: {why}. Leave it out, or say {taken}."),
    "context_length_exceeded": Refusal(
        400,
        "This is {needed} tokens, and the model's context length here is {available} tokens. Nothing was cut and "
        "nothing was read. Send less, put long texts into the library and name them under `documents`, or let the "
        "model be loaded with a larger window.",
    ),
    "no_tools": Refusal(
        400, "The chat template of this model has no place for tools. Ask without `tools`, or choose another model."
    ),
    "bad_format": Refusal(400, "The answer's format cannot be followed: {message}."),
    "engine_refused": Refusal(400, "{said}"),
    "bad_call": Refusal(
        500,
        "The model called {tool} with what is no JSON object, as small models do. Ask again, or choose a larger one.",
    ),
    # Documents that are sent
    "document_refused": Refusal(400, "{said}"),
    "no_file": Refusal(400, "The body must be a form (multipart/form-data) with the document as its field `file`."),
    "two_files": Refusal(400, "Send one document at a time; several go into a .zip."),
    "file_name": Refusal(400, "The file's name is longer than the {limit} bytes that a name may have here."),
    "cannot_keep": Refusal(
        507,
        "Longread could not write what it has to keep: its disk is full, or may not be written to. Nothing was kept. "
        "Longread's window, its terminal or its log says where.",
    ),
    "readings_left": Refusal(
        500,
        "The document is deleted, but what was read of it could not be taken away just now. `longread readings forget` "
        "does that later.",
    ),
    "method_refused": Refusal(400, "{said}"),
    # What it costs
    "body_too_large": Refusal(413, "The body is {size} bytes or more, and {limit} are taken at most."),
    "too_slow": Refusal(408, "The body did not come in time."),
    "queue_full": Refusal(429, "{count} requests are waiting already. Ask again in a moment."),
    # What is not there just now
    "another_model": Refusal(
        503,
        "{loaded} is loaded, and one local model is at a time. Ask for it, or let clients change it: "
        "`longread serve --switch`.",
    ),
    "cannot_load": Refusal(503, "{model} could not be loaded. {said}"),
    "engine_failed": Refusal(500, "{said}"),
    "engine_down": Refusal(503, "The engine is not running. {said}"),
    "timed_out": Refusal(504, "The answer was not ready within {seconds} seconds, which this server allows."),
    "no_keys": Refusal(
        503,
        "Longread cannot look up its keys just now, because their file cannot be read or written. Ask again in a "
        "moment; Longread's window, its terminal or its log says what is wrong with the file.",
    ),
    "busy": Refusal(
        503,
        "A file of Longread's is in use by another program for longer than usual. Nothing was lost; ask again in a "
        "moment.",
    ),
    "trouble": Refusal(
        500,
        "Longread could not use one of its files, so this was not done. Asking again does not help before that is "
        "mended: Longread's window, its terminal or its log says what is wrong.",
    ),
    "closing": Refusal(503, "Longread is closing."),
    "internal": Refusal(500, "Something went wrong in Longread; its log tells more."),
}
