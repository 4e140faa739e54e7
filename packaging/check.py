"""`python3 packaging/check.py [NAME ...]`: the packages in dist/, installed and used as a person would, and a table.

As root on Debian, without a network for what is checked. Needs debootstrap, rpm, Xvfb, xdotool and ImageMagick:
`apt-get install debootstrap rpm xvfb xdotool imagemagick`. Pictures are left in build/check.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bundle
import chroot
import linux_packages
import loader
import windowed

OUT = bundle.ROOT / "build" / "check"
DEB_LIMIT = 450e6
COLD_START, FIRST_ANSWER = 2.0, 15.0
"""Seconds, on two cores that do nothing else."""


class Wrong(Exception):
    """A check did not come out as it must."""


def main(words: list[str]) -> int:
    checks: dict[str, Callable[[], str]] = {
        "sizes": sizes,
        "glibc": glibc,
        "deb": deb,
        "window": window,
        "offline": offline,
        "uninstall": uninstall,
        "portable": portable,
        "rpm": rpm,
    }
    unknown = [word for word in words if word not in checks]
    if unknown:
        print(f"check.py does not know {unknown[0]!r}; it knows {', '.join(checks)}.", file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, check in checks.items():
        if words and name not in words:
            continue
        print(f"── {name} ──", flush=True)
        began = time.monotonic()
        try:
            right, told = True, check()
        except (Wrong, chroot.Failed, windowed.Failed) as problem:
            right, told = False, str(problem)
        rows.append((name, right, time.monotonic() - began, told))
    print()
    for name, right, took, told in rows:
        print(f"{name:10} {'ok' if right else 'FAILED':7} {took:7.1f} s  {told}")
    return int(not all(right for _, right, _, _ in rows))


def package(ending: str) -> Path:
    found = sorted(linux_packages.DIST.glob(f"longread*{ending}"))
    if not found:
        raise Wrong(f"there is no {ending} in dist/: python3 packaging/build.py linux makes it")
    return found[-1]


def sizes() -> str:
    taken = {ending: package(ending).stat().st_size for ending in (".deb", ".rpm", ".tar.xz")}
    told = ", ".join(f"{ending} {size / 1e6:.0f} MB" for ending, size in taken.items())
    if taken[".deb"] >= DEB_LIMIT:
        raise Wrong(f"{told}; the .deb may have {DEB_LIMIT / 1e6:.0f}")
    return told


def glibc() -> str:
    highest = loader.highest_glibc(bundle.BUNDLE)
    if int(highest.partition(".")[2]) > loader.NEWEST:
        raise Wrong(f"GLIBC_{highest} is asked for; 2.{loader.NEWEST} is what the package says")
    return f"GLIBC_{highest}"


def deb() -> str:
    """In a fresh Debian 13 without Python, and without a network from the moment that it is installed."""
    root = chroot.debian("trixie")
    chroot.install(root, package(".deb"))
    if chroot.run(root, "command -v python3", check=False).returncode == 0:
        raise Wrong("this Debian has a Python, so nothing is shown")
    return _self_tests(lambda command: chroot.run(root, command, network=False))


def window() -> str:
    """A PDF is opened in the installed program under Xvfb, a question asked, and a picture taken."""
    return windowed.check(chroot.debian("trixie"), OUT)


def offline() -> str:
    """Not one attempt to reach another machine, as strace sees it, in what `longread ask` does."""
    root = chroot.debian("trixie")
    return chroot.connections(root, OUT)


def uninstall() -> str:
    """What is left is the person's data and nothing else."""
    root = chroot.debian("trixie")
    kept = root / "root/.local/share/longread"
    chroot.run(root, "longread runtime list", network=False)
    chroot.run(root, "DEBIAN_FRONTEND=noninteractive apt-get purge -y longread >/dev/null")
    left = [str(path.relative_to(root)) for path in (root / "usr").rglob("*longread*")]
    if left or not kept.is_dir():
        raise Wrong(f"left: {left[:5]}; the data folder is {'there' if kept.is_dir() else 'gone'}")
    return "the program is gone, the data folder is there"


def portable() -> str:
    """From a folder that cannot be written, with a data folder beside it that can."""
    root = chroot.debian("trixie")
    place = root / "opt/Lön gread 长读"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    subprocess.run(["tar", "-xJf", str(package(".tar.xz")), "-C", str(place), "--strip-components=1"], check=True)
    (place / "data").mkdir()
    inside = f"'/{place.relative_to(root)}'"
    command = f"cd {inside} && mount -o bind . . && mount -o remount,ro,bind . && mount -t tmpfs none data && "
    told = _self_tests(
        lambda word: chroot.run(root, command + word.replace("longread", "./longread", 1), network=False)
    )
    listed = chroot.run(root, command + "./longread doctor --json", network=False, check=False)
    if "/data/models" not in listed.stdout:
        raise Wrong("the data do not lie beside the program")
    return told


def rpm() -> str:
    """Installed with rpm into a root of its own, whose libraries are Debian's."""
    root = chroot.debian("trixie")
    chroot.install_rpm(root, package(".rpm"))
    return _self_tests(lambda command: chroot.run(root, command, network=False))


def _self_tests(run: Callable[[str], subprocess.CompletedProcess[str]]) -> str:
    """Both programs', and the times that a person waits."""
    took = {}
    for name in ("longread --self-test", "longread-engine --self-test", "longread --version"):
        began = time.monotonic()
        done = run(name)
        took[name] = time.monotonic() - began
        print(done.stdout, end="")
    return ", ".join(f"{name.removeprefix('longread')} {seconds:.1f} s" for name, seconds in took.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
