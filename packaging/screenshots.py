"""The README's pictures, taken of the real window with the real engine on a screen that nobody sees.

`python3 dev.py screenshots [--out FOLDER] [--theme light|dark] [--act ACT]`: Linux, with Xvfb. Each theme is a run of
`screenplay.py` with a data folder and a screen of its own, 1440 x 900; the program is opened once for each act in it.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from app import paths

HERE = Path(__file__).resolve().parent
ACTS = ("first", "again", "verify")
SCREEN = "1440x900x24"
TIME_LIMIT = 1800
"""Seconds for one theme, reading and answering included."""


@contextmanager
def screen() -> Iterator[str]:
    """The name of an X display of our own (":99"), gone afterwards. SystemExit when there can be none."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-dpi", "96", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()  # written once the server takes clients; empty when it died
        if not number:
            sys.exit("Xvfb, which draws the screen that nobody sees, did not start.")
        try:
            yield f":{number}"
        finally:
            server.terminate()


@contextmanager
def home() -> Iterator[Path]:
    """A data folder that has this computer's models and nothing else, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="longread-screenshots-") as folder:
        new = Path(folder) / "Longread"
        new.mkdir()
        (new / "models").symlink_to(paths.models(), target_is_directory=True)
        yield new


def take(theme: str, out: Path, acts: Sequence[str]) -> int:
    """All pictures of one theme into `out`; 0, or what the play ended with."""
    with screen() as display, home() as folder:
        surroundings = os.environ | {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "QT_SCALE_FACTOR": "1",
            "LC_ALL": "C.UTF-8",
            "LONGREAD_HOME": str(folder),
        }
        for act in acts:
            command = [sys.executable, "-P", str(HERE / "screenplay.py"), theme, str(out), act]
            try:
                code = subprocess.run(command, env=surroundings, timeout=TIME_LIMIT, check=False).returncode
            except subprocess.TimeoutExpired:
                print(f"The pictures of the {theme} theme were not done within {TIME_LIMIT} s.", file=sys.stderr)
                return 1
            if code:
                return code
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="dev.py screenshots", description="Take the README's pictures.")
    parser.add_argument("--out", type=Path, default=HERE / "screenshots", help="folder that they are written into")
    parser.add_argument("--theme", choices=("light", "dark"), help="one of them alone")
    parser.add_argument("--act", choices=ACTS, help="that part of the play alone (again: after first)")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the screen and the data folder go as well
    asked.out.mkdir(parents=True, exist_ok=True)
    themes = [asked.theme] if asked.theme else ["light", "dark"]
    return max(take(theme, asked.out.resolve(), [asked.act] if asked.act else ACTS) for theme in themes)


if __name__ == "__main__":
    sys.exit(main())
