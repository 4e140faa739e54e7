"""More subjects for a verification: weak models, and cuts that a weak control could hide."""

from msgspec.structs import replace
from verify_double import LETTERS, LONG, Cut, CutFront, Double, ListsSome

from engine.protocol import DeviceInfo


class LosesRow(Double):
    """Held as int8, it says no row of digits again, and all else."""

    @property
    def loaded(self):
        return replace(super().loaded, device=DeviceInfo("cpu", "", 2**34, 2**33, ("bf16", "fp32", "int8", "int4")))

    def answer(self, text, question, request):
        row = "long sequence" in question and request.reading.kv == "int8"
        return "None." if row else super().answer(text, question, request)


class Stumbles(Double):
    """Misses the first number that it is asked for, which is one of a short text."""

    stumbled = False

    def answer(self, text, question, request):
        if not self.stumbled and "access number" in question:
            self.stumbled = True
            return "The text does not say."
        return super().answer(text, question, request)


class StumblesAndCutsFront(Stumbles, CutFront):
    pass


class StumblesAndEnds(Stumbles):
    """Sees nothing of a very long text."""

    def seen(self, text, request):
        return text if len(text) < 6000 * LETTERS else ""


class CutsThird(Cut):
    first, last = 0.0, 0.3


class LosesMiddle(Double):
    """Of a long text a weak model remembers the beginning and the end."""

    def seen(self, text, request):
        fifth = len(text) // 5
        return text if len(text) < LONG else text[:fifth] + text[-fifth:]


class LosesSegments(LosesMiddle):
    """Reads in segments, and writes over the first and the last."""

    def usage(self, request, prompt, documents):
        return replace(super().usage(request, prompt, documents), mode="parallel")


class WritesOfSome(ListsSome):
    """Asks every part, and a weak model writes nothing of the later ones."""

    def usage(self, request, prompt, documents):
        return replace(super().usage(request, prompt, documents), asked=9)
