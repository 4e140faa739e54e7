"""The words of a verification, in English: one source for the window, which translates them, and the command line."""

from app.notes import QT_TRANSLATE_NOOP

VERDICTS: dict[str, str] = {
    "pass": QT_TRANSLATE_NOOP("words", "PASS"),
    "degraded": QT_TRANSLATE_NOOP("words", "DEGRADED"),
    "fail": QT_TRANSLATE_NOOP("words", "FAIL"),
    "inactive": QT_TRANSLATE_NOOP("words", "INACTIVE"),
    "skipped": QT_TRANSLATE_NOOP("words", "SKIPPED"),
}
SIGNS: dict[str, str] = {"pass": "✓", "degraded": "≈", "fail": "✗", "inactive": "○", "skipped": "–"}

TIERS: dict[str, str] = {
    "quick": QT_TRANSLATE_NOOP("words", "Quick: minutes, 4,096 tokens"),
    "standard": QT_TRANSLATE_NOOP("words", "Standard: half an hour, 32,768 tokens"),
    "full": QT_TRANSLATE_NOOP("words", "Full: hours, 131,072 tokens"),
}

TITLES: dict[str, str] = {
    "tokens": QT_TRANSLATE_NOOP("words", "Every token counted"),
    "canaries": QT_TRANSLATE_NOOP("words", "Nothing cut off"),
    "needles": QT_TRANSLATE_NOOP("words", "Found at every depth"),
    "decoys": QT_TRANSLATE_NOOP("words", "One among nine alike"),
    "ending": QT_TRANSLATE_NOOP("words", "The last word counts"),
    "recital": QT_TRANSLATE_NOOP("words", "Digits said again"),
    "turns": QT_TRANSLATE_NOOP("words", "A second question"),
    "updates": QT_TRANSLATE_NOOP("words", "Values that change"),
    "coverage": QT_TRANSLATE_NOOP("words", "List every one"),
    "nested": QT_TRANSLATE_NOOP("words", "State after nested calls"),
    "precision": QT_TRANSLATE_NOOP("words", "The same in other precisions"),
    "policy": QT_TRANSLATE_NOOP("words", "What is kept is what was asked for"),
    "layers": QT_TRANSLATE_NOOP("words", "The layers that ran"),
    "saved": QT_TRANSLATE_NOOP("words", "A saved reading is as good as a fresh one"),
    "leak": QT_TRANSLATE_NOOP("words", "Two conversations stay apart"),
    "memory": QT_TRANSLATE_NOOP("words", "Memory comes back"),
    "latency": QT_TRANSLATE_NOOP("words", "Time against length"),
}

ABOUT: dict[str, str] = {
    "tokens": QT_TRANSLATE_NOOP("words", "As many tokens are read as the text has, by a count of our own."),
    "canaries": QT_TRANSLATE_NOOP(
        "words",
        "A number near the beginning, at each quarter and in the last line. Which one is missing tells what was cut.",
    ),
    "needles": QT_TRANSLATE_NOOP("words", "A number of this run alone, planted in a long text, is asked for."),
    "decoys": QT_TRANSLATE_NOOP("words", "The same among eight sentences of the same form."),
    "ending": QT_TRANSLATE_NOOP("words", "The first line says one number, the last line corrects it."),
    "recital": QT_TRANSLATE_NOOP(
        "words", "A row of digits is said forwards and in reverse, as long a one as the model masters in a short text."
    ),
    "turns": QT_TRANSLATE_NOOP(
        "words", "First about the text's beginning, then, in the same conversation, about its end."
    ),
    "updates": QT_TRANSLATE_NOOP(
        "words",
        "Eight counts are told anew twenty times each, fewer of a small model; the last of each is asked for.",
    ),
    "coverage": QT_TRANSLATE_NOOP("words", "Numbers all over a text must all be listed when every part is asked."),
    "nested": QT_TRANSLATE_NOOP(
        "words", "Calls within calls each set a value; after they return, the first one holds."
    ),
    "precision": QT_TRANSLATE_NOOP(
        "words", "The same questions, and digits to say again, with keys, values and weights held more tightly."
    ),
    "policy": QT_TRANSLATE_NOOP("words", "A policy that forgets keeps as much as it promised, and no more."),
    "layers": QT_TRANSLATE_NOOP("words", "Every layer of the model ran, and as the kind that it is."),
    "saved": QT_TRANSLATE_NOOP("words", "What comes back from disk gives the same answer, and nothing is read again."),
    "leak": QT_TRANSLATE_NOOP(
        "words", "Asked at the same time about two texts, neither answer holds the other's number."
    ),
    "memory": QT_TRANSLATE_NOOP(
        "words", "After five long texts, and two that were stopped (in reading, in writing), memory is where it was."
    ),
    "latency": QT_TRANSLATE_NOOP(
        "words", "The wait for the first word grows as the model's arithmetic says, no faster."
    ),
}

REASONS: dict[str, str] = {
    "refused": QT_TRANSLATE_NOOP("words", "It was refused ({code}), so nothing was shown."),
    "unable": QT_TRANSLATE_NOOP(
        "words", "The model cannot do this in a short text either, so the long one proves nothing. A larger model can."
    ),
    "weak": QT_TRANSLATE_NOOP(
        "words",
        "{kept} of what the short text gave is left. By the engine's count the text was read whole and nothing of it "
        "was forgotten or passed over: it is the model that loses it. A larger model keeps more.",
    ),
    "segments": QT_TRANSLATE_NOOP(
        "words",
        "{kept} of what the short text gave is left. The text was read in segments, and an answer is written over some "
        "of them alone: what stands in the others is missed. Keep more segments, or choose a model with a larger "
        "window.",
    ),
    "short_text": QT_TRANSLATE_NOOP("words", "Your document has {tokens} tokens. Choose that length or less."),
    "elsewhere": QT_TRANSLATE_NOOP("words", "A server tells nothing of this; it can be seen on this computer alone."),
    "not_told": QT_TRANSLATE_NOOP("words", "It does not say how much it read, or with what."),
    "prompt_differs": QT_TRANSLATE_NOOP(
        "words", "It says that {said} tokens were read, and {expected} are sent: what is missing was cut."
    ),
    "prompt_unread": QT_TRANSLATE_NOOP("words", "Of {said} tokens {unread} were not read."),
    "prompt_short": QT_TRANSLATE_NOOP(
        "words", "The server says that it read {said} tokens, and the text has about {counted}: the rest was cut."
    ),
    "prompt_estimated": QT_TRANSLATE_NOOP(
        "words", "About {counted} tokens by its letters; the server says that it read {said}."
    ),
    "lost": QT_TRANSLATE_NOOP("words", "{kept} of what the short text gave is left."),
    "cut_front": QT_TRANSLATE_NOOP("words", "The beginning of the text is missing: it was cut from the front."),
    "cut_tail": QT_TRANSLATE_NOOP("words", "The end of the text is missing: it was cut off."),
    "cut_middle": QT_TRANSLATE_NOOP("words", "The middle of the text is missing: it was cut out."),
    "cut_all": QT_TRANSLATE_NOOP("words", "Nothing of the text arrived, or the question did not."),
    "cut_holes": QT_TRANSLATE_NOOP("words", "Parts of the text are missing in several places."),
    "canaries_weak": QT_TRANSLATE_NOOP(
        "words", "All five are there. Among the others the model missed some, and found them when they stood alone."
    ),
    "needles_front": QT_TRANSLATE_NOOP(
        "words", "Never found in the first line: the front is cut, or its rows are lost."
    ),
    "needles_tail": QT_TRANSLATE_NOOP(
        "words", "Never found at the end: the tail is cut, or the question's border is off."
    ),
    "needles_middle": QT_TRANSLATE_NOOP(
        "words", "Missed in the middle alone: pieces or rows of it are lost ({kept} left)."
    ),
    "needles_length": QT_TRANSLATE_NOOP("words", "Nothing is found from some length on ({kept} left)."),
    "needles_depth": QT_TRANSLATE_NOOP(
        "words", "Never found at some depth: a border between pieces is lost ({kept} left)."
    ),
    "needles_scattered": QT_TRANSLATE_NOOP(
        "words", "Missed here and there: {kept} of what the short text gave is left."
    ),
    "mixed_up": QT_TRANSLATE_NOOP("words", "Numbers of other sentences were given: {kept} is left."),
    "stale": QT_TRANSLATE_NOOP(
        "words", "An earlier value was given {stale} times: the later one is lost, or not seen as later."
    ),
    "holes": QT_TRANSLATE_NOOP(
        "words", "Digits are missing, the first at place {first}: rows of the text are lost ({kept} left)."
    ),
    "second_lost": QT_TRANSLATE_NOOP("words", "The second question misses what the first did not need ({kept} left)."),
    "turns_differ": QT_TRANSLATE_NOOP("words", "Asked anew, {differs} second questions are answered in other words."),
    "not_listed": QT_TRANSLATE_NOOP("words", "Some were not listed: {kept} of what the short text gave is left."),
    "state_lost": QT_TRANSLATE_NOOP(
        "words", "Right to a depth of {deepest}, in a short text to {short}. Depth: right, rows forgotten: {steps}."
    ),
    "precision_lost": QT_TRANSLATE_NOOP("words", "With {form}, {kept} of the answers is left (compared: {forms})."),
    "no_policy": QT_TRANSLATE_NOOP("words", "No policy is on: everything is kept."),
    "policy_short": QT_TRANSLATE_NOOP("words", "The text is shorter than the {promised} rows that are kept."),
    "policy_ignored": QT_TRANSLATE_NOOP("words", "The policy {policy} is on, and nothing was forgotten."),
    "too_much": QT_TRANSLATE_NOOP("words", "{promised} rows were to be kept and {rows} were: too much is forgotten."),
    "too_little": QT_TRANSLATE_NOOP(
        "words", "{promised} rows were to be kept and {rows} were: more than was asked for."
    ),
    "layers_differ": QT_TRANSLATE_NOOP("words", "The layers that ran are not those that the model has."),
    "dense": QT_TRANSLATE_NOOP("words", "Layers that should be linear or sparse were computed as dense ones."),
    "sparse_short": QT_TRANSLATE_NOOP(
        "words", "The text is too short for the sparse layers. Choose 9,000 tokens or more."
    ),
    "selection_short": QT_TRANSLATE_NOOP(
        "words", "The text is too short for the selection. Choose 17,000 tokens or more."
    ),
    "selection_idle": QT_TRANSLATE_NOOP("words", "A selection is on, and every row was looked at."),
    "policy_unsaved": QT_TRANSLATE_NOOP("words", "Nothing is saved of a text that is partly forgotten."),
    "saved_differs": QT_TRANSLATE_NOOP("words", "The answer from the saved reading is another one."),
    "not_reopened": QT_TRANSLATE_NOOP("words", "The text was read again though its reading was saved."),
    "leaked": QT_TRANSLATE_NOOP("words", "A number of one conversation was told in the other, {leaked} times."),
    "no_gauges": QT_TRANSLATE_NOOP("words", "The engine told nothing of its memory."),
    "memory_grows": QT_TRANSLATE_NOOP(
        "words", "Memory grows: {process} MB more in the end, {slope} MB with each text; {held} MB of rows are held."
    ),
    "one_length": QT_TRANSLATE_NOOP("words", "The text is too short to compare two lengths."),
    "steeper": QT_TRANSLATE_NOOP("words", "The slope is {slope}, and the arithmetic ({shape}) says {expected}."),
}

VALUES: dict[str, str] = {
    "tokens": QT_TRANSLATE_NOOP(
        "words", "The text has {counted} tokens; with the question and the template {said} were read."
    ),
    "latency": QT_TRANSLATE_NOOP(
        "words", "Slope {slope}; the arithmetic ({shape}) says {expected}. Writing: {writing} tok/s."
    ),
    "layers": QT_TRANSLATE_NOOP("words", "The model has {has}. Ran: {ran}."),
    "memory": QT_TRANSLATE_NOOP("words", "{process} MB more at the end, {slope} MB with each text."),
    "saved": QT_TRANSLATE_NOOP("words", "{reopened} of {prompt} tokens came from disk."),
    "precision": QT_TRANSLATE_NOOP("words", "{same} of {compared} answers are the same letter for letter ({forms})."),
    "policy": QT_TRANSLATE_NOOP(
        "words", "{policy}: {rows} rows are kept of {promised} promised, {forgotten} are forgotten."
    ),
    "nested": QT_TRANSLATE_NOOP(
        "words", "Right to a depth of {deepest}, in a short text to {short}. Depth: right, rows forgotten: {steps}."
    ),
    "recital": QT_TRANSLATE_NOOP("words", "{forward} digits forwards, {reversed} in reverse."),
    "updates": QT_TRANSLATE_NOOP("words", "{keys} counts, each told {times} times."),
}
"""What is said of a test whose verdict needs no reason."""

COUNTED: str = QT_TRANSLATE_NOOP(
    "words", "{right} of {of} right (95 %: {low} to {high}); short text {control_right} of {control_of}"
)

COUNTED_ALONE: str = QT_TRANSLATE_NOOP("words", "{right} of {of} right (95 %: {low} to {high})")
"""Where there is no short text to compare with."""

LABELS: dict[str, str] = {
    "title": QT_TRANSLATE_NOOP("words", "Certificate of a long window"),
    "model": QT_TRANSLATE_NOOP("words", "Model"),
    "fingerprint": QT_TRANSLATE_NOOP("words", "Its SHA-256"),
    "window": QT_TRANSLATE_NOOP("words", "Window, tokens"),
    "precision": QT_TRANSLATE_NOOP("words", "Precision"),
    "reading": QT_TRANSLATE_NOOP("words", "Settings of reading"),
    "machine": QT_TRANSLATE_NOOP("words", "Machine"),
    "tier": QT_TRANSLATE_NOOP("words", "Tier"),
    "length": QT_TRANSLATE_NOOP("words", "Longest text, tokens"),
    "document": QT_TRANSLATE_NOOP("words", "Text"),
    "prose": QT_TRANSLATE_NOOP("words", "prose of this computer, with planted facts"),
    "own": QT_TRANSLATE_NOOP("words", "a copy of the document with SHA-256 {sha}, with planted facts"),
    "seed": QT_TRANSLATE_NOOP("words", "Seed"),
    "date": QT_TRANSLATE_NOOP("words", "Date"),
    "took": QT_TRANSLATE_NOOP("words", "Seconds"),
    "versions": QT_TRANSLATE_NOOP("words", "Versions"),
    "settings": QT_TRANSLATE_NOOP("words", "What was verified"),
    "results": QT_TRANSLATE_NOOP("words", "Results"),
    "test": QT_TRANSLATE_NOOP("words", "Test"),
    "verdict": QT_TRANSLATE_NOOP("words", "Verdict"),
    "found": QT_TRANSLATE_NOOP("words", "What was found"),
    "check": QT_TRANSLATE_NOOP("words", "To replay a sample: longread verify --check {file}"),
}

PROBLEMS: dict[str, str] = {
    "certificate_format": QT_TRANSLATE_NOOP(
        "words", "{subject} was not written: a certificate's name ends in .md, .pdf or .json. Choose one of these."
    ),
    "certificate_unreadable": QT_TRANSLATE_NOOP(
        "words",
        "{subject} is no certificate that this Longread can check. Give the JSON file that `longread verify "
        "--json` wrote.",
    ),
}
