"""How deep brackets lie in one another, counted without a parser: one that goes into them may never come out."""

import re

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|"', re.S)


def depth(text: str, limit: int) -> int:
    """Of a JSON text; counted no further than one level past `limit`. Brackets in strings are none."""
    deep = deepest = 0
    for token in TOKEN.finditer(text):
        match token[0]:
            case "[" | "{":
                deep += 1
                deepest = max(deepest, deep)
                if deepest > limit:
                    break
            case "]" | "}":
                deep -= 1
    return deepest
