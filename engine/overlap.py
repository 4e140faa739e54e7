"""Where a text may be the beginning of another that is still to come."""


def overlap(text: str, string: str) -> int:
    """Characters at the text's end that the string begins with, but is not whole."""
    return next((n for n in range(min(len(string) - 1, len(text)), 0, -1) if text.endswith(string[:n])), 0)
