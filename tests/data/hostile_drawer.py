"""A document process whose pages do what a broken program does: page 2 dies, page 3 hangs, page 4 takes all memory, and
page 5 talks nonsense."""

import os
import signal
import threading

from app.documents import drawing, worker
from app.documents.messages import Draw, Picture

draw = drawing.draw


def hostile(document, asked: Draw) -> Picture:
    match asked.index:
        case 1:
            os.kill(os.getpid(), signal.SIGKILL)
        case 2:
            threading.Event().wait()
        case 3:
            raise MemoryError
        case 4:
            os.write(3, b"no message\n")
            threading.Event().wait()
    return draw(document, asked)


drawing.draw = hostile
worker.main()
