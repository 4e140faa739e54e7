"""The database is opened by several, refused when it must not be touched, and never loses what was kept."""

from pathlib import Path

import apsw
import pytest

from app.services.database import MEMORY, Database
from app.services.problem import DamagedDatabase, DatabaseProblem, NewerDatabase
from app.services.schema import STEPS

ADD = "INSERT INTO conversations (id, title, began, updated) VALUES (?, 'a', 'b', 1.0)"


def count(database: Database) -> int:
    return database.rows("SELECT count(*) FROM conversations")[0][0]


def test_a_new_file_has_the_newest_version_and_a_write_ahead_log(tmp_path: Path):
    database = Database(tmp_path / "made" / "a.db")
    assert database.rows("PRAGMA user_version") == [(len(STEPS),)]
    assert database.rows("PRAGMA journal_mode") == [("wal",)]


def test_the_rollback_journal_where_a_write_ahead_log_is_refused(tmp_path: Path):
    database = Database(tmp_path / "a.db", vfs="unix-dotfile")
    database.changed(ADD, ("1",))
    assert database.rows("PRAGMA journal_mode") == [("delete",)]
    database.close()
    assert count(Database(tmp_path / "a.db", vfs="unix-dotfile")) == 1


def test_an_older_file_is_brought_forward_and_keeps_what_it_has(tmp_path: Path):
    old = Database(tmp_path / "a.db")
    old.changed(ADD, ("1",))
    old.close()
    step = "ALTER TABLE conversations ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"
    new = Database(tmp_path / "a.db", steps=(*STEPS, step))
    assert new.rows("SELECT id, colour FROM conversations") == [("1", "red")]
    assert new.rows("PRAGMA user_version") == [(len(STEPS) + 1,)]


def test_a_step_that_fails_leaves_the_file_at_its_version(tmp_path: Path):
    Database(tmp_path / "a.db").close()
    with pytest.raises(apsw.SQLError):
        Database(tmp_path / "a.db", steps=(*STEPS, "CREATE TABLE one (a); CREATE TABLE one (a)"))
    again = Database(tmp_path / "a.db")
    assert again.rows("PRAGMA user_version") == [(len(STEPS),)]
    assert not again.rows("SELECT 1 FROM sqlite_schema WHERE name = 'one'")


def test_a_newer_file_is_refused_and_not_touched(tmp_path: Path):
    path = tmp_path / "a.db"
    newer = Database(path, steps=(*STEPS, "CREATE TABLE later (a)"))
    newer.close()
    before = path.read_bytes()
    with pytest.raises(NewerDatabase) as refused:
        Database(path)
    assert refused.value.values["subject"] == str(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_named_and_not_touched(tmp_path: Path):
    path = tmp_path / "a.db"
    path.write_bytes(b"not a database at all " * 100)
    before = path.read_bytes()
    with pytest.raises(DamagedDatabase) as damaged:
        Database(path)
    assert damaged.value.values["subject"] == str(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_page_is_found_when_it_is_opened(tmp_path: Path):
    path = tmp_path / "a.db"
    database = Database(path)
    for number in range(200):
        database.changed(ADD, (f"{number:0200}",))
    database.close()
    content = bytearray(path.read_bytes())
    content[-12_288:-4_096] = b"\xff" * 8_192
    path.write_bytes(content)
    with pytest.raises(DamagedDatabase):
        Database(path)
    assert path.read_bytes() == bytes(content)


def test_two_programs_read_and_write_the_same_file(tmp_path: Path):
    one, two = Database(tmp_path / "a.db"), Database(tmp_path / "a.db")
    one.changed(ADD, ("1",))
    two.changed(ADD, ("2",))
    assert count(one) == count(two) == 2


def test_a_writer_that_waits_too_long_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.services.database.BUSY_MILLISECONDS", 0)
    one, two = Database(tmp_path / "a.db"), Database(tmp_path / "a.db")
    with one.writing():
        one.changed(ADD, ("1",))
        with pytest.raises(DatabaseProblem, match="busy_database"):
            two.changed(ADD, ("2",))


def test_what_is_written_together_is_kept_together(tmp_path: Path):
    database = Database(tmp_path / "a.db")

    def broken_off() -> None:
        with database.writing():
            database.changed(ADD, ("1",))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken_off()
    assert count(database) == 0


def test_a_full_disk_is_a_problem_and_loses_nothing(tmp_path: Path):
    database = Database(tmp_path / "a.db")
    database.changed(ADD, ("1",))
    pages = database.rows("PRAGMA page_count")[0][0]
    database.rows(f"PRAGMA max_page_count = {pages}")  # SQLite says the same as when the disk has no room
    with pytest.raises(DatabaseProblem, match="disk_full"):
        database.changed("UPDATE conversations SET draft = ?", ("a" * 1_000_000,))
    assert count(database) == 1


def test_in_memory_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    database = Database(MEMORY)
    database.changed(ADD, ("1",))
    assert count(database) == 1
    assert not list(tmp_path.iterdir())
