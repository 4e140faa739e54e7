"""A bare Debian in a folder, in which the packages are installed and used; without a network where that is shown."""

import re
import shutil
import subprocess
from pathlib import Path

import bundle

PLACE = bundle.ROOT / "build" / "chroot"
MINUTES = 15
SURROUNDINGS = "HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8"


class Failed(Exception):
    """A command did not end with 0."""


def debian(release: str) -> Path:
    """Made once; it holds what its own installer gives and nothing of ours."""
    root = PLACE / release
    if not (root / "etc/debian_version").is_file():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        _run(["debootstrap", "--variant=minbase", release, str(root), *_mirror()])
    return root


def _mirror() -> list[str]:
    """The one that this system itself uses."""
    sources = [path for path in Path("/etc/apt").rglob("*") if path.is_file()]
    text = "".join(path.read_text() for path in sources if path.suffix in (".list", ".sources"))
    found = re.search(r"(?m)^(?:URIs:\s*|deb\s+(?:\[[^]]*\]\s*)?)(https?://\S+/debian)/?(?=\s)", text)
    return [found.group(1)] if found else []


def install(root: Path, package: Path) -> None:
    """With apt, which brings what it depends on from Debian."""
    shutil.copyfile(package, root / "tmp" / package.name)
    for name in ("/etc/resolv.conf", "/etc/hosts"):
        shutil.copyfile(name, root / name[1:])
    for folder in ("/etc/ssl/certs", "/etc/apt/apt.conf.d"):
        if Path(folder).is_dir():
            shutil.copytree(
                folder, root / folder[1:], dirs_exist_ok=True, symlinks=False, ignore_dangling_symlinks=True
            )
    command = f"apt-get update -q >/dev/null; apt-get install -y -q --no-install-recommends /tmp/{package.name}"
    run(root, f"export DEBIAN_FRONTEND=noninteractive; {command}")
    (root / "tmp" / package.name).unlink()


def install_rpm(root: Path, package: Path) -> None:
    """Into the same folder, by rpm's own database; what it depends on is there under Debian's names."""
    base = ["rpm", "--root", str(root), "--nodeps", "--ignorearch"]
    subprocess.run([*base, "-e", "longread"], check=False, capture_output=True)
    _run([*base, "-i", "--force", str(package)])


def run(root: Path, command: str, *, network: bool = True, check: bool = True) -> subprocess.CompletedProcess[str]:
    """A line of the shell, as root inside. Raises `Failed` with the end of what it said."""
    inside = (
        "mount -t proc none proc && mount --rbind /dev dev && "
        f"exec chroot . /usr/bin/env -i {SURROUNDINGS} /bin/sh -c {_quoted(command)}"
    )
    kept_apart = ["unshare", "--mount", "--pid", "--fork", *([] if network else ["--net"])]
    done = subprocess.run(
        [*kept_apart, "/bin/sh", "-c", inside],
        cwd=root,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60 * MINUTES,
        check=False,
    )
    if check and done.returncode:
        raise Failed(f"`{command[:80]}` ended with {done.returncode}: {(done.stderr or done.stdout)[-700:]}")
    return done


def connections(root: Path, out: Path) -> str:
    """strace's list of every attempt to connect, while a question is asked; Raises `Failed` for one that leads out."""
    trace = out / "connect.txt"
    page = root / "usr/lib/longread/_internal/resources/samples/lighthouses.md"
    if not page.is_file():
        raise Failed("the program is not installed there")
    run(root, "apt-get install -y -q --no-install-recommends strace")
    asked = (
        "longread ask --no-save --max-tokens 8 --doc /usr/lib/longread/_internal/resources/samples/self_test.md Who?"
    )
    run(root, f"strace -f -qq -e trace=connect,sendto,sendmsg -o /tmp/connect.txt {asked}", network=False)
    shutil.copyfile(root / "tmp/connect.txt", trace)
    outward = [line for line in trace.read_text().splitlines() if "AF_INET" in line]
    if outward:
        raise Failed(f"{len(outward)} attempts, the first: {outward[0]}")
    return "no attempt to reach another machine, and it works in a namespace without a network"


def _quoted(command: str) -> str:
    return "'" + command.replace("'", "'\\''") + "'"


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"`{' '.join(command)[:90]}` ended with {done.returncode}: {(done.stderr or done.stdout)[-700:]}")
