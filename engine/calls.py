"""Calls of tools, taken out of an answer while it is written."""

import secrets
import string

from engine.call_forms import Form, Schemas
from engine.overlap import overlap
from engine.protocol import Call

_LETTERS = string.ascii_letters + string.digits


class Calls:
    """Text in pieces to words that can be given out. What may be a call is held back, and becomes words once it turns
    out to be none; so are spaces, which are nothing before a call."""

    def __init__(self, form: Form, known: Schemas) -> None:
        self.found: list[Call] = []
        self._form, self._known = form, known
        self._held = ""
        self._inside = False
        """What is held began with the mark of a call, which is not a part of it."""
        self._space = ""
        """Before that mark."""
        self._words = False
        """It is known to be no call, being a form of which all of the answer is."""

    def add(self, text: str) -> str:
        if self._words:
            return text
        self._held += text
        return self._begun() if self._form.opens else self._whole()

    def rest(self) -> str:
        """Words that were held back; nothing follows."""
        text, self._held = self._held, ""
        unclosed = not self._form.opens or (self._inside and not self._form.closes)
        if unclosed and text.strip() and self._take(text.strip()):
            return ""
        if self._inside:  # cut short
            self._inside = False
            return self._space + self._form.opens + text
        return "" if self.found and not text.strip() else text

    def _begun(self) -> str:
        """Of a form whose calls begin with a mark."""
        form, words = self._form, ""
        while True:
            if self._inside:
                text, closed, after = self._held.partition(form.closes) if form.closes else (self._held, "", "")
                if not closed:
                    return words
                self._held, self._inside = after, False
                if not self._take(text):
                    words += self._space + form.opens + text + closed
                continue
            before, opened, after = self._held.partition(form.opens)
            if opened:
                said = before.rstrip()
                words, self._space = words + said, before[len(said) :]
                self._held, self._inside = after, True
                continue
            keep = overlap(before, form.opens)
            keep = max(keep, len(before) - len(before[: len(before) - keep].rstrip()))
            words, self._held = words + before[: len(before) - keep], before[len(before) - keep :]
            return words

    def _whole(self) -> str:
        """Of a form that has no mark: an object, or words."""
        if self._held.lstrip()[:1] in ("", "{"):
            return ""
        text, self._held, self._words = self._held, "", True
        return text

    def _take(self, text: str) -> bool:
        asked = self._form.read(text, self._known)
        for name, arguments in asked or ():
            # Nine letters and digits are what every template takes
            id = "".join(secrets.choice(_LETTERS) for _ in range(9))
            self.found.append(Call(id, name, arguments))
        return asked is not None
