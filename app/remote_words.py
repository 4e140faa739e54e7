"""What can be said of engines elsewhere, in English: a part of `app.words`. `{subject}` is the server's host."""

from app.notes import QT_TRANSLATE_NOOP

FAILURES: dict[str, str] = {
    "too_long_remote": QT_TRANSLATE_NOOP(
        "words",
        "This is {needed} tokens and the model at {subject} takes {available}. Nothing was cut, and nothing was "
        "answered. Remove a document, or choose a model with a longer window.",
    ),
    "too_long_remote_unknown": QT_TRANSLATE_NOOP(
        "words",
        "This is longer than the model at {subject} takes, which says: {said} Nothing was cut, and nothing was "
        "answered. Remove a document, or choose a model with a longer window.",
    ),
    "remote_address": QT_TRANSLATE_NOOP(
        "words", "{subject} cannot be used as an address. It looks like http://host:8000 or https://host/v1."
    ),
    "remote_unreached": QT_TRANSLATE_NOOP(
        "words",
        "{subject} could not be reached: nothing answers there. Check that the server is running, its address and "
        "port, and that no firewall is between. Nothing was sent.",
    ),
    "remote_proxy": QT_TRANSLATE_NOOP(
        "words",
        "The variables of this system send the connection through the proxy {subject}, which did not let it pass. "
        "Unset HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, or name the server in NO_PROXY. Nothing was sent.",
    ),
    "remote_certificate": QT_TRANSLATE_NOOP(
        "words",
        "The certificate of {subject} is vouched for by nobody that this computer trusts, or is for another name. "
        "Nothing was sent. Have it trusted by this system (or name it in SSL_CERT_FILE), or correct the address.",
    ),
    "remote_silent": QT_TRANSLATE_NOOP(
        "words",
        "{subject} sent nothing for {needed} seconds, so it is not waited for any longer. Long texts take their time: "
        "give that server a longer time-out, or look whether it hangs.",
    ),
    "remote_broke": QT_TRANSLATE_NOOP(
        "words",
        "{subject} ended the connection before the answer was whole: the server stopped, or something on the way did. "
        "What came is kept; ask again.",
    ),
    "remote_garbled": QT_TRANSLATE_NOOP(
        "words",
        "What {subject} sends is no answer of OpenAI's protocol. Check that the address is that of the API and not of "
        "a web page.",
    ),
    "remote_moved": QT_TRANSLATE_NOOP(
        "words", "{subject} says that it is elsewhere: {said} Nothing is sent there unasked; correct the address."
    ),
    "remote_path": QT_TRANSLATE_NOOP(
        "words",
        "{subject} answers and knows no chat at this address, neither with /v1 nor without. Check the part after the "
        "host's name.",
    ),
    "remote_key": QT_TRANSLATE_NOOP(
        "words",
        "{subject} does not accept the key, or wants one and was given none. Put in another: longread remote add, or "
        "Models in the window. {said}",
    ),
    "remote_key_line": QT_TRANSLATE_NOOP(
        "words",
        "The key for {subject} holds a line break, as when it is read from a file. Nothing was sent. Put it in again "
        "without it.",
    ),
    "remote_key_space": QT_TRANSLATE_NOOP(
        "words", "The key for {subject} holds a space or a tab. Nothing was sent. Put it in again without it."
    ),
    "remote_key_letters": QT_TRANSLATE_NOOP(
        "words",
        "The key for {subject} holds signs that no key has. Nothing was sent. Copy it again from where it was made.",
    ),
    "remote_forbidden": QT_TRANSLATE_NOOP("words", "{subject} knows the key and does not allow this with it. {said}"),
    "remote_model": QT_TRANSLATE_NOOP(
        "words",
        "The server has no model {subject}. “Test”, or longread remote test, lists those that it has. {said}",
    ),
    "remote_no_models": QT_TRANSLATE_NOOP(
        "words", "{subject} lists no model. Name one: longread remote add NAME --model …, or in the window."
    ),
    "remote_large": QT_TRANSLATE_NOOP(
        "words",
        "{subject}, or a proxy before it, takes no request of this size. Nothing was cut. Have its limit raised, or "
        "remove a document.",
    ),
    "remote_busy": QT_TRANSLATE_NOOP(
        "words", "{subject} has too much to do or your share of it is used up. Ask again in a while. {said}"
    ),
    "remote_loading": QT_TRANSLATE_NOOP("words", "{subject} is still loading its model. Ask again in a moment."),
    "remote_broken": QT_TRANSLATE_NOOP(
        "words", "{subject} answers that something went wrong on its side. Ask again, or look into its log. {said}"
    ),
    "remote_refused": QT_TRANSLATE_NOOP("words", "{subject} refuses the request: {said}"),
    "remote_coverage": QT_TRANSLATE_NOOP(
        "words",
        "Every part of a text can be asked by a model of this computer alone; {subject} is asked once over all of it. "
        "Nothing was sent. Ask without it, or choose a local model.",
    ),
    "remote_reading": QT_TRANSLATE_NOOP(
        "words",
        "How a text is read and what of it is kept is decided by {subject} and cannot be chosen from here. Nothing was "
        "sent. Ask without segments, a selection or a policy, or choose a local model.",
    ),
}
"""By `Failed.code`: what can go wrong with a server."""

NOTES: dict[str, str] = {
    "remote": QT_TRANSLATE_NOOP(
        "words",
        "Written by {model} at {host}: the question and the documents were sent there. Quotes are checked on this "
        "computer; what the attention read is not told by a server.",
    ),
    "remote_segments": QT_TRANSLATE_NOOP(
        "words",
        "{host} read the text in segments, each of which was asked, since it is longer than its model's window; the "
        "answer was written over those that fit the question best.",
    ),
    "remote_uncounted": QT_TRANSLATE_NOOP(
        "words", "{host} did not say how many tokens this was, so the numbers are estimates."
    ),
    "remote_thought": QT_TRANSLATE_NOOP(
        "words", "The model thought before it answered; its thoughts are not part of the answer."
    ),
    "remote_ended": QT_TRANSLATE_NOOP("words", "{host} ended the answer and gave as its reason: {reason}."),
    "remote_estimated": QT_TRANSLATE_NOOP(
        "words", "Tokens of each document are estimates: the tokenizer of a model elsewhere is not here."
    ),
    "remote_reads_later": QT_TRANSLATE_NOOP(
        "words", "Nothing was sent yet: documents go to a server together with a question."
    ),
}

PROBLEMS: dict[str, str] = {
    "provider_unknown": QT_TRANSLATE_NOOP("words", "There is no server {subject}. See: longread remote list"),
    "provider_name": QT_TRANSLATE_NOOP(
        "words",
        "“{subject}” cannot be a server's name: letters, digits, dots, dashes and underscores, 40 at most, no slash.",
    ),
    "provider_address": QT_TRANSLATE_NOOP(
        "words",
        "“{subject}” is no address of a server. It looks like http://host:8000 or https://host/v1; a key does not "
        "belong into it.",
    ),
    "provider_key_unset": QT_TRANSLATE_NOOP(
        "words",
        "The key of {name} is in the variable {subject}, which is not set. Nothing was sent. Set it and start again.",
    ),
    "without_remote": QT_TRANSLATE_NOOP(
        "words",
        "What an answer would be without a passage is tried by a model of this computer alone; nothing was sent to "
        "{subject}.",
    ),
    "providers_damaged": QT_TRANSLATE_NOOP(
        "words",
        "The list of servers in {subject} cannot be read and was left as it is. Correct it, or move it away and add "
        "them anew.",
    ),
    "providers_newer": QT_TRANSLATE_NOOP(
        "words", "The list of servers in {subject} was made by a newer Longread and was left as it is."
    ),
}

PURPOSES: dict[str, str] = {
    "remote_question": QT_TRANSLATE_NOOP("words", "a question and its documents, to the server that you chose"),
    "remote_test": QT_TRANSLATE_NOOP("words", "a tiny question, to try a server that you added"),
    "remote_models": QT_TRANSLATE_NOOP("words", "the list of models of a server that you added"),
}

ABOUT = {"remote": QT_TRANSLATE_NOOP("words", "Runs on another computer: questions and documents are sent to it.")}
