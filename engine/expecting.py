"""What a question would have to read, told beforehand: counted by the rules that reading goes by, with nothing run.

A reworded question goes back to the end of what its conversation shares with the old one, and with lightning layers to
the last copy of their states before that.
"""

import numpy as np
from msgspec.structs import replace

from engine.in_use import InUse
from engine.look import Look
from engine.prompt import Prompt, build
from engine.protocol import Conversation, Expect, Expected, Text
from engine.reading.reader import Long


def whole(model: InUse, request: Expect, prompt: Prompt, look: Look) -> Expected:
    """Of a conversation that is read as one text. Raises what `build` raises."""
    most = len(prompt.ids) - 1  # the last token's logits are wanted, and only reading gives them
    if request.reworded:
        most = min(most, _unchanged(model, request.conversation, prompt, look))
    store = model.reader.store(request.reading) if prompt.documents else None
    about = (store, model.form(request.reading), request.reading.eviction, request.reading.selection)
    reused, reopened = model.chains.expected(prompt.ids, most, *about)
    return Expected(len(prompt.ids), len(prompt.ids) - reused, reused, reopened)


def in_segments(task: Long) -> Expected:
    """Of a text in segments: each that is held counts as read, and everything that is said about them is read anew."""
    held = task.held()
    said = len(task.frame.tail)
    asked = len(task.segments) if task.settings.asked is None else min(task.settings.asked, len(task.segments))
    mode = "coverage" if task.settings.coverage else "parallel"
    return Expected(task.total + said, task.total - held + said, held, mode=mode, asked=asked)


def _unchanged(model: InUse, conversation: Conversation, prompt: Prompt, look: Look) -> int:
    """Tokens before the words of the last question."""
    last = conversation.turns[-1]
    if not isinstance(last.parts[-1], Text):
        return len(prompt.ids)
    turns = (*conversation.turns[:-1], replace(last, parts=last.parts[:-1]))
    without = build(
        *(replace(conversation, turns=turns), model.tokenizer, model.template, model.texts), answer=False, look=look
    )
    count = min(len(without.ids), len(prompt.ids))
    different = np.flatnonzero(without.ids[:count] != prompt.ids[:count])
    return int(different[0]) if different.size else count
