"""One window a data folder: a second start hands its files to the first and raises it.

A local socket (a named pipe on Windows) between two programs of the same person; nothing of it reaches a network.
"""

import hashlib
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

ANSWERS_WITHIN_MS = 1000
LONGEST = 1 << 20
"""Bytes of a message; a longer one is no message of ours."""


def name(data: Path) -> str:
    """The same for every start with this data folder and this person, and no other."""
    return "longread-" + hashlib.sha256(str(data.absolute()).encode()).hexdigest()[:24]


def hand_over(data: Path, paths: list[Path]) -> bool:
    """Ask a window that is already open to come forward with these files. False when there is none."""
    socket = QLocalSocket()
    socket.connectToServer(name(data))
    if not socket.waitForConnected(ANSWERS_WITHIN_MS):
        return False
    socket.write(msgspec.json.encode([str(path.absolute()) for path in paths]) + b"\n")
    # an answer proves that somebody lives behind the socket
    alive = socket.waitForBytesWritten(ANSWERS_WITHIN_MS) and socket.waitForReadyRead(ANSWERS_WITHIN_MS)
    socket.disconnectFromServer()
    return bool(alive)


class Instance(QObject):
    """Listens for later starts. `raised`: come forward, with these paths to add (maybe none)."""

    raised = Signal(list)

    def __init__(self, data: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)
        if not self._server.listen(name(data)):
            # left behind by a window that was killed: nobody answered `hand_over` there
            QLocalServer.removeServer(name(data))
            self._server.listen(name(data))

    def close(self) -> None:
        self._server.close()

    def _greet(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._hear(socket))
            # not deleted when it ends: that is told in its destructor as well, when it must not be touched any more.
            # The server owns it, and later starts are few
            if socket.canReadLine():
                self._hear(socket)

    def _hear(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > LONGEST:
            socket.disconnectFromServer()
            return
        if not socket.canReadLine():
            return
        try:
            paths = msgspec.json.decode(bytes(socket.readLine().data()), type=list[str])
        except msgspec.MsgspecError:
            socket.disconnectFromServer()
            return
        socket.write(b"ok\n")
        socket.flush()
        self.raised.emit([Path(path) for path in paths])
