"""`python3 packaging/check.py [NAME ...]`: the packages in dist/, installed and used as a person would, and a table.

As root on Debian, without a network for what is checked. Needs debootstrap, rpm, Xvfb, xdotool, ImageMagick and strace:
`apt-get install debootstrap rpm xvfb xdotool imagemagick strace`. Pictures and traces are left in build/check.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bundle
import check_windows
import chroot
import linux_packages
import loader
import windowed

OUT = bundle.ROOT / "build" / "check"
DEB_LIMIT = 450e6
COLD_START, FIRST_ANSWER = 2.0, 15.0
"""Seconds, on two cores that do nothing else."""
OTHERS = ("var/cache/", "var/lib/", "var/log/")
"""Where the system's own library for fonts and its package tools keep theirs."""
ASK = f"ask --into-library --max-tokens 48 --doc {windowed.SAMPLE} '{windowed.QUESTION}'"


class Wrong(Exception):
    """A check did not come out as it must."""


class Row(NamedTuple):
    """`right` is None for a check that was not asked for."""

    name: str
    right: bool | None
    seconds: float
    told: str


def main(words: list[str]) -> int:
    checks: dict[str, Callable[[], str]] = {
        "sizes": sizes,
        "glibc": glibc,
        "deb": deb,
        "speed": speed,
        "window": window,
        "offline": offline,
        "uninstall": uninstall,
        "portable": portable,
        "rpm": rpm,
        "again": again,
        "windows": lambda: check_windows.check(OUT / "windows"),
    }
    unknown = [word for word in words if word not in checks]
    if unknown:
        print(f"check.py does not know {unknown[0]!r}; it knows {', '.join(checks)}.", file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    rows = [checked(name, check if not words or name in words else None) for name, check in checks.items()]
    print("\n" + table(rows))
    return int(any(row.right is False for row in rows))


def checked(name: str, check: Callable[[], str] | None) -> Row:
    """What a check came to: whatever it meets on its way is told, so that the others are done as well."""
    if check is None:
        return Row(name, None, 0, "")
    print(f"── {name} ──", flush=True)
    began = time.monotonic()
    try:
        right, told = True, check()
    except (Wrong, chroot.Failed, windowed.Failed) as problem:
        right, told = False, str(problem)
    except (SystemExit, OSError, subprocess.SubprocessError, ValueError, KeyError) as problem:
        right, told = False, f"{type(problem).__name__}: {problem}"
    return Row(name, right, time.monotonic() - began, told)


def table(rows: list[Row]) -> str:
    states = {True: "ok", False: "FAILED", None: "not run"}
    return "\n".join(f"{row.name:10} {states[row.right]:8} {row.seconds:7.1f} s  {row.told}".rstrip() for row in rows)


def package(ending: str) -> Path:
    found = sorted(linux_packages.DIST.glob(f"longread*{linux_packages.version()}*{ending}"))
    if not found:
        raise Wrong(f"there is no {ending} of this version in dist/: python3 packaging/build.py linux makes it")
    return found[-1]


def sizes() -> str:
    taken = {ending: package(ending).stat().st_size for ending in (".deb", ".rpm", ".tar.xz")}
    told = ", ".join(f"{ending} {size / 1e6:.0f} MB" for ending, size in taken.items())
    if taken[".deb"] >= DEB_LIMIT:
        raise Wrong(f"{told}; the .deb may have {DEB_LIMIT / 1e6:.0f}")
    return told


def glibc() -> str:
    highest = loader.highest_glibc(bundle.BUNDLE)
    if highest != f"2.{loader.NEWEST}":
        raise Wrong(f"GLIBC_{highest} is asked for; 2.{loader.NEWEST} is what the packages depend on")
    return f"GLIBC_{highest}, as the packages say"


def deb() -> str:
    """In a fresh Debian 13 without Python, and without a network from the moment that it is installed."""
    root = chroot.install(package(".deb"))
    if chroot.run(root, "command -v python3 python", check=False).returncode == 0:
        raise Wrong("this Debian has a Python, so nothing is shown")
    return _self_tests(root, "")


def speed() -> str:
    """The window, and a first answer about a page that comes along, typed as fast as the window takes it."""
    load = os.getloadavg()[0]
    waited = windowed.check(chroot.installed(package(".deb")), OUT / "speed", page=windowed.SAMPLE)
    told = (
        f"window after {waited.window:.2f} s (limit {COLD_START:g}), a bundled page answered {waited.answer:.1f} s "
        f"after the start (limit {FIRST_ANSWER:g}), {waited.question:.1f} s after the question; load before {load:.1f}"
    )
    if waited.window >= COLD_START or waited.answer >= FIRST_ANSWER:
        raise Wrong(told)
    return told


def window() -> str:
    """A PDF is opened in the installed program under Xvfb, a question asked, and pictures taken."""
    waited = windowed.check(chroot.installed(package(".deb")), OUT)
    return f"a PDF answered {waited.question:.1f} s after the question; pictures in build/check"


def offline() -> str:
    """Not one attempt to reach another machine, as strace sees it, of the command line and of the window."""
    root = chroot.installed(package(".deb"))
    traces = {name: OUT / f"{name}.strace" for name in ("control", "ask", "window")}
    chroot.run(root, "bash -c ': </dev/tcp/192.0.2.1/9'", check=False, trace=traces["control"])
    if not chroot.outward(traces.pop("control")):
        raise Wrong("an attempt made on purpose was not seen, so nothing is shown")
    answer = chroot.run(root, f"longread {ASK}", trace=traces["ask"]).stdout
    if windowed.FACT not in answer:
        raise Wrong(f"`longread ask` answered: {answer[-200:]}")
    windowed.check(root, OUT / "offline", trace=traces["window"])
    for name, trace in traces.items():
        if attempts := chroot.outward(trace):
            raise Wrong(f"{name}: {len(attempts)} attempts, the first: {attempts[0]}")
    told = " and ".join(f"the {name}'s {len(chroot.calls(trace))}" for name, trace in traces.items())
    return f"answered in a namespace without a network; of {told} attempts to reach another program, none leads outside"


def uninstall() -> str:
    """What is left of the program's use is the person's data and nothing else."""
    chroot.run(chroot.installed(package(".deb")), f"longread {ASK}")
    root, left = chroot.purge(package(".deb"))
    kept = {place for place in left if place.startswith(windowed.DATA)}
    strange = sorted(place for place in left - kept if not place.startswith(OTHERS))
    strange += sorted(str(path.relative_to(root)) for path in (root / "usr").rglob("*longread*"))
    if strange or not kept:
        raise Wrong(f"left: {strange[:5]}; {len(kept)} files of the person's")
    return f"the program is gone; {len(kept)} files of the person's are there, and nothing else was written"


def portable() -> str:
    """From a folder that cannot be written, with a data folder beside it that can."""
    root = chroot.without(package(".deb"))
    place, data = root / "opt/Lön gread 长读", root / "var/tmp/Däten 数据"
    place.mkdir(parents=True)
    data.mkdir()
    subprocess.run(["tar", "-xJf", str(package(".tar.xz")), "-C", str(place), "--strip-components=1"], check=True)
    (place / "data").mkdir()
    inside = f"cd '/{place.relative_to(root)}' && mount -o bind . . && cd \"$PWD\" && mount -o remount,ro,bind . && "
    inside += f"mount -o bind '/{data.relative_to(root)}' data && ! touch here 2>/dev/null && "
    told = _self_tests(root, f"{inside}./")
    sample = windowed.SAMPLE.removeprefix(linux_packages.PLACE)
    answer = chroot.run(root, f"{inside}./longread {ASK.replace(windowed.SAMPLE, f'.{sample}')}").stdout
    if windowed.FACT not in answer or not (data / "longread.db").is_file():
        raise Wrong(
            f"beside the program lie {sorted(path.name for path in data.iterdir())}; the answer: {answer[-200:]}"
        )
    return f"{told}; its data lie beside it"


def rpm() -> str:
    """Installed with rpm into a root of its own, whose libraries are Debian's."""
    root = chroot.without(package(".deb"))
    if missing := chroot.install_rpm(root, package(".rpm")):
        raise Wrong(f"it asks for libraries that the root lacks: {missing}")
    told = _self_tests(root, "")
    chroot.remove_rpm(root)
    if left := [str(path.relative_to(root)) for path in (root / "usr").rglob("*longread*")]:
        raise Wrong(f"removed, it leaves {left[:5]}")
    return f"{told}; removed without a trace"


def again() -> str:
    """The folder that the packages hold, made once more from the lock alone, is the same to the last byte."""
    before = json.loads(package(".files.json").read_text(encoding="utf-8"))
    shutil.rmtree(bundle.VENV, ignore_errors=True)
    now = linux_packages.contents_of(bundle.make())
    if differing := linux_packages.differing(before, now):
        raise Wrong(f"{len(differing)} of {len(before)} files differ: {', '.join(differing[:6])}")
    return f"{len(now)} files with the same sha256"


def _self_tests(root: Path, before: str) -> str:
    """Both programs', without a network, and how long they take."""
    took = {}
    for name in ("longread --self-test", "longread-engine --self-test", "longread --version"):
        began = time.monotonic()
        print(chroot.run(root, before + name).stdout, end="", flush=True)
        took[name] = time.monotonic() - began
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in took.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
