"""`longread export` and `longread verify-export` from end to end, over a kept conversation."""

import json
import time

import pytest

from app import paths
from app.cli import main
from app.data.conversation import Message
from app.services.conversations import Conversations
from app.services.database import Database

WORDS = "The lease ends on 3 May 2031."


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGREAD_HOME", str(tmp_path / "home"))
    paths.make()
    database = Database(paths.database())
    conversations = Conversations(database)
    ids = []
    for title in ("The lease", "The lease again"):
        conversation = conversations.new()
        conversations.rename(conversation.id, title)
        conversations.add(Message(f"q{title}", conversation.id, "user", "When does it end?", time.time()))
        conversations.add(Message(f"a{title}", conversation.id, "assistant", WORDS, time.time()))
        ids.append(conversation.id)
    database.close()
    return ids


def test_written_checked_and_changed(kept, tmp_path, capsys):
    out = tmp_path / "out.md"
    assert main(["export", "--to", str(out)]) == 0
    assert capsys.readouterr().out.split() == [str(out), str(tmp_path / "out.longread.json")]
    assert out.read_text().startswith("# The lease again\n")
    assert WORDS in out.read_text()
    assert main(["verify-export", str(out)]) == 0
    assert "✓ the exported file out.md is the one that was written: yes" in capsys.readouterr().out
    out.write_text("something else")
    assert main(["verify-export", str(out), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report == {"right": False, "checks": [{"what": "file", "subject": "out.md", "found": "wrong"}]}


def test_what_is_there_stays_unless_forced(kept, tmp_path, capsys):
    out = tmp_path / "out.md"
    out.write_text("mine")
    assert main(["export", "--to", str(out)]) == 1
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert main(["export", "--to", str(out), "--force"]) == 0
    assert out.read_text() != "mine"


def test_a_conversation_by_id_and_by_title(kept, tmp_path, capsys):
    assert main(["export", kept[0][:10], "--to", str(tmp_path / "a.md")]) == 0
    assert (tmp_path / "a.md").read_text().startswith("# The lease\n")
    assert main(["export", "again", "--to", str(tmp_path / "b.md")]) == 0
    assert main(["export", "lease", "--to", str(tmp_path / "c.md")]) == 1
    assert "2 conversations" in capsys.readouterr().err
    assert main(["export", "nothing of the kind", "--to", str(tmp_path / "c.md")]) == 1
    assert not (tmp_path / "c.md").exists()


def test_the_list(kept, capsys):
    assert main(["export", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [kept[1][:8], kept[0][:8]]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "--to"),
        (["--to", "x.odt"], 1, ".docx"),
        (["--to", "x.md", "--answer", "2"], 1, "1 answers"),
    ],
)
def test_what_cannot_be_done_is_said(words, code, said, kept, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["export", *words]) == code
    assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("x.*"))


def test_no_twin(kept, tmp_path, capsys):
    assert main(["verify-export", str(tmp_path / "x.pdf")]) == 1
    assert "x.longread.json" in capsys.readouterr().err
