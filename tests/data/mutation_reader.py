"""A document process that reads mutations, one after another, and says what came of each.

Lines of stdin are `FORMAT NUMBER`; a line of stdout is JSON: the outcome, the seconds, the process's peak of memory. It
ends where it reads one for longer than 20 seconds, with a traceback on stderr.
"""

import faulthandler
import json
import resource
import sys
import time

from make_mutations import SOUND, mutated, sound
from span_checks import check_spans

from app import document_words
from app.documents import ocr, worker
from app.documents.deskew import Grey
from app.documents.errors import Unreadable
from app.documents.isolation import enclose
from app.documents.messages import Limits, Options
from app.documents.reading import read
from app.documents.source import Content, Source

LONGEST = 20.0  # seconds
LIMITS = Limits()
CHANGES = ("final", "original", "marked")


def decoded(picture, languages):
    """In the place of recognition, which costs seconds: a picture is decoded and put straight, and says nothing."""
    Grey(picture).straight(0)
    return ocr.Recognised("", languages=languages)


def outcome(data: bytes, name: str, number: int) -> str:
    """As the document process says it: "text", or the code of a refusal; anything else is raised."""
    options = Options(changes=CHANGES[number % 3])
    try:
        content: Content = read(Source(data, name, LIMITS, lambda done, total: None, options))
    except Unreadable as reason:
        return reason.code
    except MemoryError:
        return "too_big"
    except RecursionError:
        return "damaged"
    text = content.pages.text()
    check_spans(text, content.pages.spans)
    assert all(part.reason in document_words.REASONS for part in content.left_out)
    assert all(one.code in document_words.WARNINGS for one in content.warnings)
    return "text" if text.strip() else worker._why(content)


def main() -> None:
    ocr.available = lambda: ("eng",)
    ocr._recognise = decoded
    for kind in SOUND:
        sound(kind)  # made before the process is locked in
    enclose(LIMITS)
    for line in sys.stdin:
        kind, number = line.split()
        data = mutated(kind, int(number))
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        began = time.monotonic()
        try:
            came = outcome(data, f"a.{kind}", int(number))
            assert came == "text" or came in document_words.REFUSALS
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told and is a fault
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            at = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place is not None else ""
            came = f"raised {type(error).__name__} at {at}: {error}"[:300]
        faulthandler.cancel_dump_traceback_later()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps([came, time.monotonic() - began, peak]), flush=True)


if __name__ == "__main__":
    main()
