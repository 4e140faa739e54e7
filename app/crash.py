"""What is written down when something breaks: where in the program, never what the person had in it."""

import faulthandler
import logging
import logging.handlers
import re
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

LOG, CRASH = "longread.log", "crash.log"
LIMIT = 1 << 20
"""Bytes of the log after which it is put aside; two earlier ones are kept."""

QUOTED = re.compile(r"""(?P<quote>["'])(?:(?!(?P=quote)).)+(?P=quote)|“[^”]+”|«[^»]+»""", re.DOTALL)
PATHS = re.compile(r"(?:\bfile://|(?<!\w)~?/|\b[A-Za-z]:[\\/]|\\\\)\S.*")
"""To the end of the line, since a name may hold any sign."""

_crash_file: TextIO | None = None
"""Kept open for as long as the process lives: a fault is no time to open files."""


def redacted(message: str) -> str:
    """The message without anything quoted and without paths: errors quote what they stumbled on."""
    return PATHS.sub("<path>", QUOTED.sub("<text>", message))


def frames(error: BaseException) -> str:
    """Kind and place of an error and of those behind it, without their messages."""
    told: list[str] = []
    seen: BaseException | None = error
    while seen is not None:
        told.append(f"{type(seen).__module__}.{type(seen).__qualname__}")
        for frame in traceback.extract_tb(seen.__traceback__):
            told.append(f"  {'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}")
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return "\n".join(told)


class Redacting(logging.Formatter):
    """Whoever wrote the record, a library or we: no text and no file name of the person's is in the line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        # another handler may have left its own text of the error in the record, messages and all
        kept, record.exc_text = record.exc_text, None
        try:
            return super().format(record)
        finally:
            record.exc_text = kept

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = redacted(record.message)
        return super().formatMessage(record)

    def formatException(
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        return frames(ei[1]) if ei[1] is not None else ""


def install(folder: Path) -> None:
    """Keep a log of warnings in `folder`, and write errors that nobody caught and faults of native code there."""
    global _crash_file
    try:
        folder.mkdir(parents=True, exist_ok=True)
        log = logging.handlers.RotatingFileHandler(folder / LOG, maxBytes=LIMIT, backupCount=2, encoding="utf-8")
        _crash_file = (folder / CRASH).open("a", encoding="utf-8")
    except OSError:
        return  # a disk that is full or locked must not keep the program from starting
    log.setFormatter(Redacting())
    root = logging.getLogger()
    root.addHandler(log)
    root.setLevel(logging.WARNING)
    faulthandler.enable(_crash_file)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    logging.getLogger("longread").critical("an error that nobody caught", exc_info=(kind, error, trace))
    if sys.stderr is not None:  # a program without a console has none
        print(frames(error), file=sys.stderr)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        _uncaught(args.exc_type, args.exc_value, args.exc_traceback)
