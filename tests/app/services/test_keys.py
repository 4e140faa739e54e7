"""Keys open what they were made for, keep no secret, and count what is done with them."""

import hmac
import threading
import time
from pathlib import Path

import pytest

from app.data.key import Key, KeyRefused
from app.services.database import MEMORY, Database
from app.services.keys import Keys
from app.services.problem import DatabaseProblem, Problem
from app.services.schema import STEPS

NOON = time.mktime((2026, 3, 10, 12, 0, 0, 0, 0, -1))
DAY = 24 * 3600


class Clock:
    now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(clock) -> Keys:
    return Keys(Database(MEMORY), clock=clock)


def test_a_secret_opens_its_own_key_and_is_kept_nowhere(tmp_path: Path):
    keys = Keys(Database(tmp_path / "a.db"))
    made, secret = keys.add("editor", models=["small", "small"], documents=["d1"], remote=True, daily_tokens=5)
    keys.add("other")
    assert secret.startswith("sk-")
    assert len(secret) == 46
    assert (made.name, made.hint, made.models, made.documents) == ("editor", secret[-4:], ("small",), ("d1",))
    assert keys.check(secret) == made
    keys.close()
    assert secret.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    again = Keys(Database(tmp_path / "a.db"))
    assert again.check(secret) == made


@pytest.mark.parametrize(
    ("secret", "code"),
    [
        ("", "missing"),
        (" \n", "missing"),
        ("{} ", "malformed"),
        ("{}\n", "malformed"),
        ("\t{}", "malformed"),
        ('"{}"', "malformed"),
        ("{}\\n", "malformed"),
        ("“{}”", "malformed"),
        ("sk-nobodys", "unknown"),
        ("x{}", "unknown"),
    ],
)
def test_what_is_not_a_secret_is_refused_by_its_cause(keys, secret, code):
    _, right = keys.add("editor")
    assert keys.check(secret.format(right)) == KeyRefused(code)


def test_a_secret_is_compared_with_every_key_in_constant_time(keys, monkeypatch):
    secrets = [keys.add(name)[1] for name in ("one", "two", "three")]
    compared = []
    constant = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: compared.append(one) or constant(one, other))
    assert isinstance(keys.check(secrets[0]), Key)
    assert len(compared) == 3
    keys.check("sk-nobodys")
    assert len(compared) == 6


def test_a_revoked_key_stays_in_the_list_until_it_is_forgotten(keys, clock):
    _, secret = keys.add("editor")
    keys.add("script")
    with pytest.raises(Problem, match="key_in_force"):
        keys.forget("editor")
    keys.revoke(" Editor ")
    clock.now += 60
    keys.revoke("editor")
    assert keys.check(secret) == KeyRefused("revoked")
    assert [(key.name, key.revoked) for key in keys.all()] == [("script", None), ("editor", NOON)]
    with pytest.raises(Problem, match="key_exists"):
        keys.add("EDITOR")
    keys.forget("editor")
    assert keys.check(secret) == KeyRefused("unknown")
    keys.add("editor")
    for change in (keys.revoke, keys.forget):
        with pytest.raises(Problem, match="no_such_key"):
            change("nobody")


def test_names_and_limits_that_no_key_has_are_refused(keys):
    assert keys.add("  my \n editor ")[0].name == "my editor"
    with pytest.raises(Problem, match="key_unnamed"):
        keys.add(" \t")
    with pytest.raises(Problem, match="key_long"):
        keys.add("x" * 101)
    with pytest.raises(Problem, match="key_limit"):
        keys.add("limited", daily_tokens=0)
    assert [key.name for key in keys.all()] == ["my editor"]


def test_a_key_is_for_what_it_names_or_for_everything(keys):
    all_of_it, _ = keys.add("all")
    limited, _ = keys.add("limited", models=["small"], documents=["d1"])
    assert all_of_it.allows_model("any")
    assert all_of_it.allows_document("any")
    assert limited.allows_model("small")
    assert not limited.allows_model("large")
    assert limited.allows_document("d1")
    assert not limited.allows_document("d2")


def test_a_document_that_is_gone_does_not_widen_its_key(keys):
    """What a key is limited to outlives it: nothing left to name must not come to mean everything."""
    keys._database.changed("DELETE FROM items")
    limited, _ = keys.add("limited", documents=["gone"])
    assert not keys.named("limited").allows_document("another")
    assert limited.documents == ("gone",)


def test_use_is_counted_and_the_days_tokens_begin_anew_at_midnight(keys, clock):
    key, secret = keys.add("editor", daily_tokens=150)
    assert not keys.exceeded(key)
    keys.used(key.id, prompt=100, reused=40, written=20)
    clock.now += 10
    keys.used(key.id, prompt=0, reused=0, written=0, error="unknown_model")
    now = keys.check(secret)
    assert (now.requests, now.prompt, now.reused, now.written, now.today) == (2, 100, 40, 20, 120)
    assert (now.last_used, now.last_error) == (NOON + 10, "unknown_model")
    assert not keys.exceeded(now)
    keys.used(key.id, prompt=30, reused=0, written=0)
    assert keys.exceeded(now)
    assert keys.check(secret).spent
    assert keys.check(secret).last_error == ""
    clock.now += DAY
    assert not keys.exceeded(key)
    assert keys.check(secret).today == 0
    keys.used(key.id, prompt=1, reused=0, written=2)
    assert (keys.check(secret).today, keys.check(secret).prompt) == (3, 131)
    keys.used("forgotten", prompt=1, reused=0, written=1)


def test_each_change_is_told(keys):
    told = []
    keys.on_change = lambda: told.append(1)
    key, _ = keys.add("editor")
    keys.used(key.id, prompt=1, reused=0, written=1)
    keys.revoke("editor")
    keys.forget("editor")
    assert len(told) == 4


def test_threads_and_processes_use_the_same_keys_at_once(tmp_path: Path):
    """Two connections stand for two processes, each used by several threads: no use is lost, no call fails."""
    here, there = Keys(Database(tmp_path / "a.db")), Keys(Database(tmp_path / "a.db"))
    key, secret = here.add("editor")
    failed: list[BaseException] = []

    def ask(keys: Keys) -> None:
        try:
            for _ in range(10):
                assert isinstance(keys.check(secret), Key)
                keys.used(key.id, prompt=3, reused=1, written=2)
        except BaseException as error:  # noqa: BLE001 - a thread's failure is told by the test
            failed.append(error)

    threads = [threading.Thread(target=ask, args=(keys,)) for keys in (here, here, there, there)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    now = there.check(secret)
    assert (now.requests, now.prompt, now.reused, now.written) == (40, 120, 40, 80)
    here.revoke("editor")
    assert there.check(secret) == KeyRefused("revoked")


def test_a_database_of_before_keys_gets_them_and_keeps_the_rest(tmp_path: Path):
    old = Database(tmp_path / "a.db", steps=STEPS[:4])
    old.changed("INSERT INTO matters (id, name, made) VALUES ('m', 'Smith', 1.0)")
    old.close()
    database = Database(tmp_path / "a.db")
    keys = Keys(database)
    assert keys.all() == ()
    keys.add("editor")
    assert database.rows("SELECT name FROM matters") == [("Smith",)]


def test_what_the_disk_refuses_counts_and_is_written_with_the_next(tmp_path: Path, clock, monkeypatch):
    database = Database(tmp_path / "a.db")
    keys = Keys(database, clock=clock)
    key, secret = keys.add("editor", daily_tokens=100)

    def full(statement: str, values=()) -> int:
        raise DatabaseProblem("disk_full", subject=str(tmp_path))

    with monkeypatch.context() as patch:
        patch.setattr(database, "changed", full)
        for _ in range(2):
            with pytest.raises(DatabaseProblem, match="disk_full"):
                keys.used(key.id, prompt=40, reused=4, written=10)
    assert keys.exceeded(key), "a disk that is full lifts no limit"
    assert keys.check(secret).requests == 0
    keys.used(key.id, prompt=1, reused=0, written=0, error="timed_out")
    found = keys.check(secret)
    assert (found.requests, found.prompt, found.reused, found.written, found.today) == (3, 81, 8, 20, 101)
    assert found.last_error == "timed_out"
    with monkeypatch.context() as patch:
        patch.setattr(database, "changed", full)
        with pytest.raises(DatabaseProblem):
            keys.used(key.id, prompt=5, reused=0, written=0)
    clock.now += DAY
    assert not keys.exceeded(key), "what is owed belongs to its own day"
    beside = Keys(Database(tmp_path / "a.db"), clock=clock)
    beside.used(key.id, prompt=60, reused=0, written=3, error="timed_out")
    keys.close()
    found = beside.check(secret)
    assert found.prompt == 146, "and the last is paid at the end"
    assert (found.today, found.last_used, found.last_error) == (63, clock.now, "timed_out"), (
        "and lifts no limit of today"
    )


def test_closing_waits_for_nobody_when_nothing_is_owed(tmp_path: Path, monkeypatch):
    database = Database(tmp_path / "a.db")
    keys = Keys(database)
    key, _ = keys.add("editor")
    keys.used(key.id, prompt=1, reused=0, written=1)
    began: list[int] = []
    monkeypatch.setattr(database, "writing", lambda: began.append(1))
    keys.close()
    assert began == []
