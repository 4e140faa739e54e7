"""A document process in which file names do what a broken parser does: die, hang, take all memory, talk nonsense."""

import ctypes
import os
import signal
import threading

from app.documents import container, reading, worker
from app.documents.source import Content, Source

read = reading.read


def hostile(source: Source, as_source: bool = False) -> Content:
    if "kills" in source.name:
        os.kill(os.getpid(), signal.SIGKILL)
    if "crashes" in source.name:
        ctypes.string_at(0)
    if "hangs" in source.name:
        threading.Event().wait()
    if "eats" in source.name:
        source.report(0, 1)
        eaten = [bytearray(os.urandom(1 << 20)) for _ in range(1000)]
        threading.Event().wait(len(eaten))
    if "babbles" in source.name:
        os.write(3, b"no message\n")
        threading.Event().wait()
    return read(source, as_source)


worker.read = hostile
container.read_file = hostile
worker.main()
