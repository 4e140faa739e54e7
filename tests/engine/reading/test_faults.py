"""Cancelled, damaged, full, killed: whole segments stay, the answer is right, and what was lost is said."""

import asyncio
import errno
import os
import signal
import sys
import textwrap
from pathlib import Path

import pytest
from asking import Asking, asked, codes, kept, noted

from engine.client import Engine, new_id
from engine.memory.store import layout
from engine.protocol import Delta, Generate, ModelSettings, Read, Readings, ReadingSettings, Sampling
from engine.reading import parallel

QUESTION = "What is it about?"
LONGER = Sampling(max_tokens=12)


@pytest.fixture
def ask(desk, monkeypatch):
    return Asking(desk, monkeypatch)


@pytest.fixture
def book(ask):
    return ask.book


@pytest.fixture
def sizes(ask, book):
    return ask.sizes([book])


@pytest.fixture
def right(ask, book):
    """The answer, from a text that nothing befell."""
    done = ask([book, QUESTION], sampling=LONGER, save=False)
    ask.desk.forget()
    return done.result


def test_cancelled_reading_keeps_whole_segments(ask, book, sizes, right):
    before = ask.computed
    ask.stop_when(lambda: ask.computed > before + sum(sizes) // 2)  # in the middle of a segment
    done = ask.read([book])
    ask.go_on()
    assert done.finish == "cancelled"
    read = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    assert done.usage.read in read[1:-1]
    assert done.usage.unread == sum(sizes) - done.usage.read
    again = ask([book, QUESTION], sampling=LONGER)
    assert again.usage.reused == done.usage.read
    assert again.result == right


def test_cancelled_before_anything(ask, book, sizes):
    ask.stop_when(lambda: True)
    assert ask([book, QUESTION]).finish == "cancelled"
    ask.go_on()
    assert ask.computed == 0
    assert ask([book, QUESTION]).usage.reused == 0


def test_cancelled_asking(ask, book, sizes, right):
    ask.read([book])
    before = ask.computed
    ask.stop_when(lambda: ask.computed > before)  # between the layers of the first batch
    done = ask([book, QUESTION])
    ask.go_on()
    assert (done.finish, done.usage.asked, asked(done), kept(done)) == ("cancelled", 0, [], [])
    assert (done.usage.reused, done.usage.read) == (sum(sizes), 0)
    assert (done.result.text, done.usage.written, done.usage.join) == ("", 0, None)
    assert ask([book, QUESTION], sampling=LONGER).result == right


@pytest.mark.parametrize("how", ["shared", "consecutive", "reread"])
def test_cancelled_joining(ask, book, sizes, right, how, monkeypatch):
    ask.read([book])
    joining = []
    join = parallel.join
    monkeypatch.setattr(parallel, "join", lambda *about, **more: joining.append(ask.computed) or join(*about, **more))
    ask.stop_when(lambda: bool(joining) and ask.computed > joining[0])
    done = ask([book, QUESTION], join=how)
    ask.go_on()
    assert (done.finish, done.usage.asked, done.usage.join) == ("cancelled", len(sizes), how)
    assert (done.usage.read, done.usage.written) == (0, 0)
    assert ask.computed - joining[0] <= 64  # a piece
    monkeypatch.undo()
    assert ask([book, QUESTION], sampling=LONGER).result == right


def test_cancelled_writing(ask, book, sizes, right):
    ask.read([book])
    ask.stop_when(lambda: len(ask.events(Delta)) >= 3)
    done = ask([book, QUESTION], sampling=Sampling(max_tokens=100))
    ask.go_on()
    assert done.finish == "cancelled"
    assert 3 <= done.usage.written == len(done.result.tokens) < 100
    assert done.result.text == "".join(event.text for event in ask.events(Delta))
    assert (done.usage.unread, done.usage.reused) == (0, sum(sizes))
    assert ask([book, QUESTION], sampling=LONGER).result == right


def spoil(path: Path, at: int) -> None:
    """Flip a bit of one byte."""
    data = bytearray(path.read_bytes())
    data[at] ^= 4
    path.write_bytes(data)


@pytest.mark.parametrize("where", ["header", "seal", "rows", "last", "cut", "empty"])
@pytest.mark.parametrize("segment", [0, 9])
def test_a_damaged_segment_is_read_again(ask, book, sizes, right, where, segment):
    ask.read([book])
    ask.closed()
    path = next(path for path in ask.files() if path.stem.endswith(f"-{sizes[segment]}"))
    size = path.stat().st_size
    match where:
        case "cut":
            os.truncate(path, size - 100)
        case "empty":
            os.truncate(path, 0)
        case _:
            spoil(path, {"header": 3, "seal": 30, "rows": size // 2, "last": size - 1}[where])
    done = ask([book, QUESTION], sampling=LONGER)
    assert done.result == right
    assert noted(done, "reading_damaged") == {"segments": "1"}
    tail = done.usage.prompt - sum(sizes)
    assert done.usage.read == sizes[segment] + tail
    assert done.usage.reused == done.usage.reopened == sum(sizes) - sizes[segment]
    # It is whole again
    ask.closed()
    again = ask([book, QUESTION], sampling=LONGER)
    assert again.result == right
    assert (again.usage.reopened, codes(again)) == (sum(sizes), ["read_parallel"])


def test_a_damaged_segment_counts_as_unread_when_nothing_may_be_read(ask, book, sizes):
    ask.read([book])
    ask.closed()
    spoil(next(path for path in ask.files() if path.stem.endswith(f"-{sizes[2]}")), -1)
    done = ask([book, QUESTION], only_read=True)
    assert noted(done, "reading_damaged") == {"segments": "1"}
    assert len(asked(done)) == len(sizes) - 1
    assert (done.usage.unread, done.usage.reused) == (sizes[2], sum(sizes) - sizes[2])


def test_segments_that_are_gone_are_read_again(ask, book, sizes, right):
    ask.read([book])
    ask.closed()
    for path in ask.files()[::2]:
        path.unlink()
    done = ask([book, QUESTION], sampling=LONGER)
    assert done.result == right
    assert 0 < done.usage.reopened < sum(sizes)
    assert codes(done) == ["read_parallel"]
    ask.closed()
    assert ask([book, QUESTION]).usage.reopened == sum(sizes)


def test_memory_that_is_given_back_is_found_on_disk(ask, book, sizes, right):
    ask([book, QUESTION])
    ask.desk.worker.recover()
    assert ask.desk.worker._model.reader.bytes() == 0
    done = ask([book, QUESTION], sampling=LONGER)
    assert done.result == right
    assert done.usage.reused == sum(sizes)


def test_a_quota_that_is_too_small_is_said_and_nothing_begun(ask, book, sizes, right):
    needed = sum(sizes) * ask.desk.loaded.kv_token
    done = ask([book, QUESTION], sampling=LONGER, quota=needed - 1)
    assert done.result == right
    assert noted(done, "not_saved_full") == {"needed": str(needed), "quota": str(needed - 1)}
    assert ask.files() == []
    again = ask([book, QUESTION], sampling=LONGER, quota=needed - 1)
    assert (again.usage.reused, again.result) == (sum(sizes), right)


def test_a_full_quota_makes_room_by_what_was_used_longest_ago(ask, book):
    ask.read([book], quota=10**7)
    ask.read([ask.note], mode="parallel", quota=10**7)
    quota = sum(path.stat().st_size for path in ask.files()) + 100_000
    done = ask([ask.tale, QUESTION], quota=quota)
    assert codes(done) == ["read_parallel"]
    left = [saved.documents for saved in ask.desk.run(Readings(ask.desk.id())).result.readings]
    assert left == [(ask.tale.sha256,), (ask.note.sha256,)]
    assert sum(path.stat().st_size for path in ask.files()) <= quota
    # It is in memory all the same
    assert ask([book, QUESTION], quota=10**7).usage.read < 40


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "not_saved_disk"), (errno.EACCES, "not_saved")])
def test_a_disk_that_is_full_or_refuses(ask, book, sizes, right, number, code, monkeypatch):
    write, written = layout.write, []

    def fails(file, where, tensors):
        if len(written) == 4:
            file.write(b"half of it")
            raise OSError(number, os.strerror(number))
        written.append(where.size)
        write(file, where, tensors)

    monkeypatch.setattr(layout, "write", fails)
    done = ask([book, QUESTION], sampling=LONGER)
    assert done.result == right
    assert noted(done, code) == {}
    assert (len(ask.files()), ask.files("json"), ask.files("tmp")) == (4, [], [])
    assert list(ask.folder.rglob("*.tmp")) == list(ask.folder.rglob(".*.tmp")) == []
    again = ask([book, QUESTION], sampling=LONGER)
    assert (again.usage.reused, again.result) == (sum(sizes), right)
    # When there is room again all of it is kept, and nothing read for that
    monkeypatch.setattr(layout, "write", write)
    assert ask([book, QUESTION]).usage.reused == sum(sizes)
    assert len(ask.files()) == len(sizes)
    assert len(ask.files("json")) == 1


def test_a_folder_that_is_a_file(ask, book, right, tmp_path):
    (tmp_path / "taken").write_text("something")
    done = ask([book, QUESTION], sampling=LONGER, folder=str(tmp_path / "taken"))
    assert done.result == right
    assert noted(done, "not_saved") == {}
    assert (tmp_path / "taken").read_text() == "something"


def test_a_document_that_is_not_what_it_was(ask, book):
    Path(book.path).write_text("something else")
    failed = ask([book, QUESTION])
    assert (failed.code, failed.subject) == ("bad_document", "book.txt")
    assert ask.read([book], coverage=True).code == "bad_document"


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from engine.memory.store import layout
    from engine import __main__

    data, mark = Path(sys.argv[1]), Path(sys.argv[2])
    write, written = layout.write, []

    def dies(file, where, tensors):
        written.append(where)
        if len(written) == 6 and not mark.exists():
            mark.touch()
            file.write(where.header)
            file.flush()
            os.close(os.open(mark.with_name("half"), os.O_WRONLY))
            signal.pause()
        write(file, where, tensors)

    layout.write = dies
    __main__.serve(data)
"""
"""An engine that says when it is in the middle of its sixth file, by a pipe, and goes no further; but once."""


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes with names")
async def test_killed_in_the_middle_of_saving(ask, book, sizes, right, home, tiny_model, tmp_path):
    program = tmp_path / "dies.py"
    program.write_text(textwrap.dedent(KILLED))
    root = str(Path(parallel.__file__).parents[2])
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); exec(open({str(program)!r}).read())"]
    engine = Engine(data=home, command=[*command, str(home), str(tmp_path / "mark")])
    await engine.start()
    await engine.load(ModelSettings(str(tiny_model), precision="fp32", device="cpu", threads=1, piece=64))
    reading = ReadingSettings(**ask.settings)
    os.mkfifo(tmp_path / "half")
    stream = engine.send(Read(new_id(), ask.desk.talk([book]), reading))
    await asyncio.to_thread((tmp_path / "half").read_bytes)
    [half] = (home / "readings").rglob(".*.tmp")
    engine.kill()
    # The client asks again by itself, since nothing of an answer was said yet
    done = await stream.ending()
    assert engine.exit_code == -signal.SIGKILL
    assert (done.usage.reopened, done.usage.read) == (sum(sizes[:5]), sum(sizes[5:]))
    assert not half.exists()
    done = await engine.send(Generate(new_id(), ask.desk.talk([book, QUESTION]), LONGER, reading=reading)).ending()
    assert done.result == right
    assert (done.usage.reused, done.usage.unread) == (sum(sizes), 0)
    await engine.stop()
