"""Signs of the fonts that have their own places for them: what Word writes as "F0FE in Wingdings" is a ticked box."""


def _places(places: str, signs: str) -> dict[int, str]:
    return dict(zip(bytes.fromhex(places), signs, strict=True))


SYMBOL = {
    **{code: chr(code) for code in range(0x20, 0x7F)},
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    **_places("22 24 27 2a 2d 40 5c 5e 7e", "∀∃∋∗−≅∴⊥∼"),
    **dict(zip(range(0xA1, 0xBF), "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯", strict=True)),
    **dict(zip(range(0xC0, 0xE0), "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓", strict=True)),
    **_places("e1 e5 f1 f2", "⟨∑⟩∫"),
}
FONTS = {
    "symbol": SYMBOL,
    "wingdings": _places("20 6c 6e 6f 71 75 76 9f a7 a8 d8 df e0 e1 e2 e8 f0 fb fc fd fe", " ●■□❑◆❖•▪☐➢←→↑↓➔⇨✗✓☒☑"),
    "wingdings 2": _places("20 2a 4f 50 51 52 53 54 a3", " ☐✗✓☒☑☒☒☐"),
    "wingdings 3": _places("20 66 67 68 69 7d", " ←→↑↓▶"),
}


def sign(font: str, code: int) -> str:
    """The sign at `code` of a font, in Unicode. The character itself where the font is one of letters; "�" for a sign
    that is not known here: it is seen on the page, so it must not vanish from the text."""
    own = FONTS.get(font.strip().lower())
    place = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    if own is not None and place < 0x100:
        return own.get(place, "\ufffd")
    if 0xE000 <= code <= 0xF8FF or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return "\ufffd"
    return chr(code)
