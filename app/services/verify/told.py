"""An outcome in words."""

from collections.abc import Callable

from app import verify_words, words
from engine.verify_results import Outcome

Translate = Callable[[str], str]


def told(outcome: Outcome, translate: Translate = str) -> str:
    """What was found, in a sentence or two; "" where the verdict says it all."""
    parts = []
    if outcome.of:
        parts.append(
            translate(verify_words.COUNTED if outcome.control_of else verify_words.COUNTED_ALONE).format(
                right=outcome.right,
                of=outcome.of,
                low=f"{outcome.low:.0%}",
                high=f"{outcome.high:.0%}",
                control_right=outcome.control_right,
                control_of=outcome.control_of,
            )
            + "."
        )
    if outcome.reason:
        parts.append(_said(verify_words.REASONS, outcome.reason, outcome, translate))
    elif outcome.test in verify_words.VALUES:
        parts.append(_said(verify_words.VALUES, outcome.test, outcome, translate))
    return " ".join(parts)


def _said(table: dict[str, str], code: str, outcome: Outcome, translate: Translate) -> str:
    shown = {name: f"{int(value):,}" if value.isdecimal() else value for name, value in outcome.values.items()}
    return words.sentence({code: translate(table[code])}, code, shown)
