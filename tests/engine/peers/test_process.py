"""A peer's process: found or said to be missing, told what to do, and ended when it dies or takes too long."""

import sys
from pathlib import Path

import psutil
import pytest

from engine.model.decoder import Stopped
from engine.peers import process
from engine.peers.process import Peer, PeerAbsent, PeerFailed, PeerLate, found, surroundings

FAKE = Path(__file__).with_name("fake_program.py")


@pytest.fixture
def peer(monkeypatch):
    made = []

    def make(how="", stopped=lambda: False):
        monkeypatch.setenv("FAKE_PEER", how)
        made.append(Peer("llama-cpp", sys.executable, stopped, FAKE))
        return made[-1]

    yield make
    for one in made:
        one.close()


def gone(peer):
    return not psutil.pid_exists(peer._process.pid) or peer._process.poll() is not None


def test_it_says_what_it_is_and_does_what_it_is_told(peer):
    one = peer()
    assert one.ready == {"version": "9.9", "python": "3"}
    assert one.do("read", 60, ids=[1] * 50)["seconds"] == 0.5
    assert one.do("write", 60, count=5)["seconds"] == 0.5
    most = one.close()
    assert most is not None
    assert most.resident > 1 << 20
    assert gone(one)


def test_what_it_cannot_do_is_told_and_it_goes_on(peer):
    one = peer("fails=read")
    with pytest.raises(PeerFailed, match="not today"):
        one.do("read", 60, ids=[1])
    assert one.do("write", 60, count=1)["seconds"] == 0.1


def test_a_death_is_told_with_its_code(peer):
    one = peer("dies=read")
    with pytest.raises(PeerFailed, match="exit code 7"):
        one.do("read", 60, ids=[1])


def test_what_takes_too_long_is_ended_and_tells_how_far_it_was(peer):
    one = peer("late=read")
    with pytest.raises(PeerLate) as late:
        one.do("read", 0.2, ids=[1])
    assert gone(one)
    assert (late.value.limit, late.value.of) == (0.2, 1280)


def test_who_is_told_to_stop_ends_it(peer):
    stopping = []
    one = peer("late=read", stopped=lambda: bool(stopping))
    stopping.append(1)
    with pytest.raises(Stopped):
        one.do("read", 60, ids=[1])
    assert gone(one)


def test_the_first_python_that_has_it_is_taken(monkeypatch):
    one = found("transformers", ["/no/such/python", sys.executable], program=FAKE)
    assert one.python == sys.executable
    one.close()


def test_where_none_has_it_the_command_that_installs_it_is_said(monkeypatch):
    monkeypatch.setenv("FAKE_PEER", "absent=llama-cpp")
    with pytest.raises(PeerAbsent, match="pip install llama-cpp-python"):
        found("llama-cpp", [sys.executable], program=FAKE)


def test_a_packed_program_has_no_python_of_its_own_to_look_in(monkeypatch):
    assert process.pythons(["mine"]) == ["mine", sys.executable]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(process.shutil, "which", lambda name: None)
    assert process.pythons(["mine"]) == ["mine"]


def test_our_own_program_says_what_is_missing():
    """Without site-packages no Python has llama_cpp, and nothing but the standard library is needed to say so."""
    import json
    import subprocess

    said = subprocess.run(
        [sys.executable, "-S", str(process.PROGRAM), "llama-cpp"], capture_output=True, check=True, text=True
    )
    assert json.loads(said.stdout) == {"absent": "llama_cpp"}


def test_another_python_gets_none_of_our_packed_libraries(monkeypatch):
    own = {"PATH": "/bin", "GOMP_SPINCOUNT": "9", "_PYI_ARCHIVE_FILE": "x", "LD_LIBRARY_PATH": "/packed"}
    assert surroundings(own) == {"PATH": "/bin", "LD_LIBRARY_PATH": "/packed"}
    monkeypatch.setattr(process.sys, "frozen", True, raising=False)
    assert surroundings(own) == {"PATH": "/bin"}
    assert surroundings(own | {"LD_LIBRARY_PATH_ORIG": "/person"}) == {"PATH": "/bin", "LD_LIBRARY_PATH": "/person"}


def test_who_reports_without_a_pause_is_ended_all_the_same(peer):
    one = peer("chatters=read")
    with pytest.raises(PeerLate) as late:
        one.do("read", 0.3, ids=[1])
    assert gone(one)
    assert late.value.of == 1280
