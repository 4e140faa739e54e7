"""About how many tokens a text is to a model whose tokenizer is not here."""

import math
import re

LETTERS = 4.0
"""Characters of ASCII a token: of English 4.2 to 4.7 by vocabularies of 100,000 and more, of code 3 to 3.5."""
SIGNS = 1.4
"""Chinese, Japanese and Korean signs a token."""
OTHERS = 2.2
"""Letters of other scripts a token."""

SIGN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def tokens(text: str) -> int:
    """At least 1 for a text that is not empty."""
    ascii_letters = len(text.encode("ascii", "ignore"))
    signs = len(SIGN.findall(text)) if ascii_letters < len(text) else 0
    others = len(text) - ascii_letters - signs
    return math.ceil(ascii_letters / LETTERS + signs / SIGNS + others / OTHERS)
