"""A bare Debian in a folder, in which the packages are installed and used; without a network where that is shown."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import bundle

PLACE = bundle.ROOT / "build" / "chroot"
RELEASE = "trixie"
"""Debian 13."""
STATE, LIST = PLACE / "deb.state", PLACE / "deb.files"
"""Whether the one in the folder `deb` is with a package or without it, and the files that it had with it, unused."""
MINUTES = 15
HOME = "/root"
SURROUNDINGS = f"HOME={HOME} PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8"
SCREEN = Path("/tmp/.X11-unix")
CALLS = "connect,sendto,sendmsg,sendmmsg"
ADDRESS = re.compile(r"\b(AF_INET6?|AF_PACKET)\b")
"""In strace's words: of what leads to another machine."""


class Failed(Exception):
    """A command did not end with 0."""


def debian(name: str) -> Path:
    """What Debian's own installer gives and nothing of ours, as a folder of that name, made anew.

    It is fetched once; later ones are copies of the first.
    """
    first, root = PLACE / RELEASE, PLACE / name
    STATE.unlink(missing_ok=True)
    if not (first / "etc/debian_version").is_file():
        shutil.rmtree(first, ignore_errors=True)
        first.mkdir(parents=True)
        _run(["debootstrap", "--variant=minbase", RELEASE, str(first), *_mirror()])
        for file in ("/etc/resolv.conf", "/etc/hosts"):
            shutil.copyfile(file, first / file[1:])
        for folder in ("/etc/ssl/certs", "/etc/apt/apt.conf.d"):  # as this system reaches the mirror, so does that one
            if Path(folder).is_dir():
                shutil.copytree(folder, first / folder[1:], dirs_exist_ok=True, ignore_dangling_symlinks=True)
    shutil.rmtree(root, ignore_errors=True)
    _run(["cp", "--archive", "--reflink=auto", str(first), str(root)])
    return root


def _mirror() -> list[str]:
    """The one that this system itself uses."""
    sources = [path for path in Path("/etc/apt").rglob("*") if path.is_file()]
    text = "".join(path.read_text() for path in sources if path.suffix in (".list", ".sources"))
    found = re.search(r"(?m)^(?:URIs:\s*|deb\s+(?:\[[^]]*\]\s*)?)(https?://\S+/debian)/?(?=\s)", text)
    return [found.group(1)] if found else []


def install(package: Path) -> Path:
    """Into a new Debian, with apt, which brings what the package depends on. Beside it a list of its files is left."""
    root = debian("deb")
    shutil.copyfile(package, root / "tmp" / package.name)
    line = f"apt-get update -q >/dev/null; apt-get install -y -q --no-install-recommends /tmp/{package.name}"
    run(root, f"export DEBIAN_FRONTEND=noninteractive; {line}", network=True)
    (root / "tmp" / package.name).unlink()
    LIST.write_text("\n".join(sorted(files(root))), encoding="utf-8")
    _leave("with", package)
    return root


def installed(package: Path) -> Path:
    """A Debian with this very package: the one that an earlier check left, else a new one."""
    return PLACE / "deb" if _left("with", package) else install(package)


def purge(package: Path) -> tuple[Path, set[str]]:
    """The Debian without the package, but what it depends on; and the files that are there since it was used."""
    root = installed(package)
    run(root, "DEBIAN_FRONTEND=noninteractive apt-get purge -y -q longread")
    _leave("without", package)
    return root, files(root) - set(LIST.read_text(encoding="utf-8").splitlines())


def without(package: Path) -> Path:
    """A Debian with what the package depends on, and not with the package."""
    return PLACE / "deb" if _left("without", package) else purge(package)[0]


def _leave(state: str, package: Path) -> None:
    STATE.write_text(f"{state} {bundle.digest_of(package)}", encoding="ascii")


def _left(state: str, package: Path) -> bool:
    return STATE.is_file() and STATE.read_text(encoding="ascii") == f"{state} {bundle.digest_of(package)}"


def files(root: Path) -> set[str]:
    """Places below the root of all but folders."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_symlink() or not path.is_dir()}


def command(
    root: Path,
    line: str,
    *,
    network: bool = False,
    screen: bool = False,
    trace: Path | None = None,
    settings: str = SURROUNDINGS,
) -> list[str]:
    """A line of the shell, as root inside `root`, to be started in that folder.

    `screen`: X11's sockets are there as well. `trace`: a file for strace's list of attempts to reach another program.
    """
    mounts = ["mount -t proc none proc", "mount --rbind /dev dev"]
    if screen:
        mounts.append(f"mkdir -p .{SCREEN} && mount --bind {SCREEN} .{SCREEN}")
    inside = " && ".join([*mounts, f"exec chroot . /usr/bin/env -i {settings} /bin/sh -c {shlex.quote(line)}"])
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if network else ["--net"])]
    watched = ["strace", "-f", "--seccomp-bpf", "-qqq", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(trace)]
    return [*(watched if trace else []), *apart, "/bin/sh", "-c", inside]


def run(
    root: Path, line: str, *, network: bool = False, check: bool = True, trace: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run it to its end. Raises `Failed` with the end of what it said."""
    return ended(root, command(root, line, network=network, trace=trace), line[-90:], check=check)


def ended(
    root: Path, started: list[str], called: str, *, check: bool = True, minutes: float = MINUTES
) -> subprocess.CompletedProcess[str]:
    """What `command` gave, run to its end. `called`: what a person would type. Raises `Failed` as `run`."""
    try:
        done = subprocess.run(
            started,
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60 * minutes,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"`{called}` did not end within {minutes:g} minutes") from None
    if check and done.returncode:
        raise Failed(f"`{called}` ended with {done.returncode}: {(done.stdout + done.stderr)[-700:]}")
    return done


def calls(trace: Path) -> list[str]:
    """strace's lines about attempts to reach another program."""
    return trace.read_text(errors="replace").splitlines()


def outward(trace: Path) -> list[str]:
    """Those of them that lead to another machine."""
    return [line for line in calls(trace) if ADDRESS.search(line)]


def install_rpm(root: Path, package: Path) -> list[str]:
    """By rpm, into its own database in the root. The libraries that the package asks for and that are not there.

    What it depends on is there under Debian's names, which rpm does not know: so it is told not to look, and the
    loader's own list is asked instead.
    """
    _run(["rpm", "--root", str(root), "--install", "--nodeps", "--ignorearch", "--ignoreos", str(package)])
    asked = _run(["rpm", "--query", "--package", "--requires", str(package)])
    there = run(root, "ldconfig -p").stdout.split()
    names = re.findall(r"(?m)^(\S+?\.so[.\d]*)\(", asked)
    return sorted({name for name in names if name not in there})


def remove_rpm(root: Path) -> None:
    _run(["rpm", "--root", str(root), "--erase", "--nodeps", "longread"])


def _run(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"`{' '.join(words)[:90]}` ended with {done.returncode}: {(done.stderr or done.stdout)[-700:]}")
    return done.stdout
