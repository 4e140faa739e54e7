"""A second start hands its files to the window that is open."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtNetwork import QLocalSocket

from app.instance import Instance, hand_over, name

SECOND = "import sys; from pathlib import Path; from app.instance import hand_over; "
SECOND += "sys.exit(0 if hand_over(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]]) else 3)"


def second_start(data: Path, *files: Path) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", SECOND, str(data), *map(str, files)])


def test_without_a_window_nothing_is_handed_over(home, qapp):
    assert not hand_over(home, [Path("a.txt")])


def test_files_reach_the_open_window(home, qapp, qtbot, tmp_path):
    first = Instance(home)
    with qtbot.waitSignal(first.raised, timeout=20_000) as raised:
        later = second_start(home, tmp_path / "a.pdf", tmp_path / "b")
    qtbot.waitUntil(lambda: later.poll() is not None, timeout=20_000)
    assert later.returncode == 0
    assert raised.args == [[tmp_path / "a.pdf", tmp_path / "b"]]
    first.close()


def test_another_data_folder_is_another_window(home, qapp, tmp_path):
    first = Instance(home)
    assert second_start(tmp_path / "elsewhere").wait(20) == 3
    first.close()


def test_a_socket_left_behind_by_a_killed_window_is_taken_over(home, qapp, qtbot):
    script = "import os, sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication as A; "
    script += "a = A([]); from app.instance import Instance; i = Instance(Path(sys.argv[1])); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", script, str(home)], check=False).returncode == 9
    first = Instance(home)
    with qtbot.waitSignal(first.raised, timeout=20_000):
        second_start(home)
    first.close()


def test_garbage_is_not_listened_to(home, qapp, qtbot):
    first = Instance(home)
    heard = []
    first.raised.connect(heard.append)
    socket = QLocalSocket()
    with qtbot.waitSignal(socket.disconnected, timeout=20_000):
        socket.connectToServer(name(home))
        socket.write(b"{not json\n")
    assert not heard
    first.close()
