"""What checks the packages, without a package: its commands as data, what strace says, and the table at the end."""

import subprocess
import sys
from pathlib import Path

import bundle
import check
import chroot
import linux_packages
import pytest
import windowed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Linux' packages are checked on Linux")


def test_what_is_checked_has_no_network_unless_it_is_asked_for(tmp_path):
    words = chroot.command(tmp_path, "longread --version")
    assert words[0] == "unshare"
    assert "--net" in words
    assert "longread --version" in words[-1]
    assert chroot.SCREEN.name not in words[-1]
    assert "--net" not in chroot.command(tmp_path, "apt-get update", network=True)


def test_strace_stands_outside_and_sees_the_children(tmp_path):
    words = chroot.command(tmp_path, "longread", screen=True, trace=tmp_path / "calls")
    assert words[:2] == ["strace", "-f"]
    assert words[words.index("-o") + 1] == str(tmp_path / "calls")
    assert words.index("unshare") > words.index("-o")
    assert f"mount --bind {chroot.SCREEN}" in words[-1]


def test_a_line_of_the_shell_keeps_its_quotes(tmp_path):
    words = chroot.command(tmp_path, "echo 'a  b' \"$HOME\"")
    inner = words[-1].partition("chroot . ")[2]
    told = subprocess.run(["/bin/sh", "-c", inner], capture_output=True, text=True, check=True).stdout
    assert told == "a  b /root\n"


def test_attempts_to_reach_another_machine_are_told_from_those_within(tmp_path):
    trace = tmp_path / "calls"
    trace.write_text(
        '10 connect(3, {sa_family=AF_UNIX, sun_path="/tmp/.X11-unix/X97"}, 20) = 0\n'
        "10 sendto(5, [{nlmsg_len=20}], 20, 0, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 20\n"
        '11 connect(4, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16) = -1 ENETUNREACH\n'
        "11 connect(4, {sa_family=AF_INET6, sin6_port=htons(443)}, 28) = -1 ENETUNREACH\n"
    )
    assert [line.partition(" ")[0] for line in chroot.outward(trace)] == ["11", "11"]


def test_two_builds_are_compared_file_by_file(tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "one").write_bytes(b"1")
    (folder / "two").symlink_to("one")
    before = linux_packages.contents_of(folder)
    assert before == {"one": bundle.digest_of(folder / "one"), "two": "-> one"}
    assert linux_packages.differing(before, linux_packages.contents_of(folder)) == []
    (folder / "one").write_bytes(b"2")
    (folder / "two").unlink()
    (folder / "three").touch()
    assert linux_packages.differing(before, linux_packages.contents_of(folder)) == ["one", "three", "two"]


@pytest.mark.parametrize(
    "problem",
    [
        check.Wrong("it is too large"),
        chroot.Failed("`apt-get` ended with 100"),
        windowed.Failed("waited 60 s for a window"),
        subprocess.TimeoutExpired("longread", 9),
        subprocess.CalledProcessError(2, "tar"),
        FileNotFoundError("xdotool"),
        SystemExit("PyInstaller failed"),
    ],
)
def test_whatever_a_check_meets_is_a_row_and_no_end(problem):
    def meets() -> str:
        raise problem

    row = check.checked("deb", meets)
    assert row.right is False
    assert str(problem) in row.told


def test_the_table_names_every_check_and_what_was_not_run():
    rows = [check.checked("sizes", lambda: "1 MB"), check.checked("deb", None), check.Row("rpm", False, 2, "lost")]
    lines = check.table(rows).splitlines()
    assert [line.split()[0] for line in lines] == ["sizes", "deb", "rpm"]
    assert lines[0].endswith("1 MB")
    assert " ok " in lines[0]
    assert "not run" in lines[1]
    assert "FAILED" in lines[2]


def test_one_failed_check_is_the_exit_code_and_the_others_are_done(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(check, "OUT", tmp_path / "out")
    monkeypatch.setattr(linux_packages, "DIST", tmp_path)
    monkeypatch.setattr(check, "glibc", lambda: "fine")
    assert check.main(["sizes", "glibc"]) == 1
    told = capsys.readouterr().out
    assert "packaging/build.py linux makes it" in told
    assert "fine" in told
    assert check.main(["glibc"]) == 0
    assert check.main(["nothing"]) == 2


@pytest.mark.parametrize(
    ("window", "answer", "right"), [(1.5, 9.0, True), (check.COLD_START, 9.0, False), (1.5, check.FIRST_ANSWER, False)]
)
def test_a_person_may_not_wait_longer_than_the_limits(window, answer, right, tmp_path, monkeypatch):
    (tmp_path / f"longread_{linux_packages.version()}_amd64.deb").touch()
    monkeypatch.setattr(linux_packages, "DIST", tmp_path)
    monkeypatch.setattr(chroot, "installed", lambda package: tmp_path)
    monkeypatch.setattr(windowed, "check", lambda *words, **named: windowed.Waited(window, answer, 2.0))
    row = check.checked("speed", check.speed)
    assert row.right is right
    assert f"{answer:.1f} s" in row.told


def test_the_samples_that_are_opened_come_along():
    inside = Path(windowed.SAMPLE).relative_to(f"{linux_packages.PLACE}/_internal")
    assert windowed.FACT in (bundle.ROOT / inside).read_text(encoding="utf-8")


def test_kernels_are_compiled_as_the_engine_does_but_for_no_single_processor():
    sources, flags = bundle.native_recipe()
    assert sources
    assert [path for path in sources if not path.is_file()] == []
    assert "-fopenmp" in flags
    assert [flag for flag in flags if flag.startswith("-march")] == []


def test_what_a_check_starts_is_told_by_its_name_and_its_last_words(tmp_path):
    assert chroot.ended(tmp_path, ["sh", "-c", "pwd"], "pwd").stdout == f"{tmp_path}\n"
    with pytest.raises(chroot.Failed, match=r"`longread` ended with 3: no model"):
        chroot.ended(tmp_path, ["sh", "-c", "echo no model; exit 3"], "longread")
    assert chroot.ended(tmp_path, ["sh", "-c", "exit 3"], "longread", check=False).returncode == 3
    with pytest.raises(chroot.Failed, match=r"`longread` did not end within 0\.001 minutes"):
        chroot.ended(tmp_path, ["tail", "-f", "/dev/null"], "longread", minutes=0.001)
