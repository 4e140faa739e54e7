"""The keys of the local API. A secret is shown once, when it is made; only its hash is kept.

The hash is one SHA-256. Slow hashes make guessing dear where people choose the words; a secret here is 256 random bits,
which nobody guesses at any speed, and every request of a client would pay for the slowness.
"""

import contextlib
import hashlib
import hmac
import json
import re
import secrets
import string
import threading
import time
import unicodedata
import uuid
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from app.data.key import Key, KeyRefused
from app.services.database import Database, Row
from app.services.problem import Problem

PREFIX = "sk-"
ALPHABET = string.ascii_letters + string.digits
LENGTH = 43
"""Letters and digits after the prefix: 43 of 62 kinds are 256 bits."""
HINT = 4
LONGEST = 100
"""Characters of a name."""

SOUND = re.compile(r"[!-~]+")
"""What a secret may look like at all: visible ASCII without spaces."""
WRAPPED = re.compile(r"""["'`<>]|\\[nrt]""")
"""What quoting and copying leave around a secret."""

COLUMNS = (
    "id, name, hint, models, documents, remote, daily_tokens, created, last_used, requests, prompt, reused, written, "
    "today, last_error, revoked_at, day"
)


class _Use(Struct):
    """Of one key on one day. `last`: when; `error`: of the last request."""

    requests: int = 0
    prompt: int = 0
    reused: int = 0
    written: int = 0
    last: float = 0.0
    error: str = ""


class Keys:
    """The keys of a database, which must be a connection of its own: its methods may be called from any thread, and
    several processes may use the same file. Raises `DatabaseProblem` when that cannot be used just now.

    `on_change` hears of each change, in the thread that made it. `clock`: seconds since the epoch.
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._owed: dict[tuple[str, str], _Use] = {}
        """By key and day: what was used and is not in the database yet."""
        self.on_change: Callable[[], None] = lambda: None

    def close(self) -> None:
        with self._lock:
            if self._owed:
                with contextlib.suppress(Problem):
                    self._pay()
            self._database.close()

    def add(
        self,
        name: str,
        *,
        models: Iterable[str] = (),
        documents: Iterable[str] = (),
        remote: bool = False,
        daily_tokens: int | None = None,
    ) -> tuple[Key, str]:
        """A new key and its secret, which cannot be had again.

        Raises `Problem`: "key_unnamed", "key_long", "key_limit" of a limit under 1, or "key_exists" when another is
        called so; a revoked one keeps its name until it is forgotten.
        """
        shown = _tidied(name)
        if daily_tokens is not None and daily_tokens < 1:
            raise Problem("key_limit")
        secret = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        key = Key(
            id=uuid.uuid4().hex,
            name=shown,
            hint=secret[-HINT:],
            models=tuple(dict.fromkeys(models)),
            documents=tuple(dict.fromkeys(documents)),
            remote=remote,
            daily_tokens=daily_tokens,
            created=self._clock(),
        )
        with self._lock, self._database.writing():
            if (other := self._named(shown)) is not None:
                raise Problem("key_exists", subject=other.name)
            self._database.changed(
                "INSERT INTO keys (id, name, hash, hint, models, documents, remote, daily_tokens, created) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(key.id, key.name, _hash(secret), key.hint, json.dumps(key.models), json.dumps(key.documents)),
                    *(int(remote), daily_tokens, key.created),
                ),
            )
        self.on_change()
        return key, secret

    def all(self) -> tuple[Key, ...]:
        """Those in force, the newest last, then the revoked ones."""
        with self._lock:
            return self._keys("ORDER BY revoked_at IS NOT NULL, created, rowid")

    def named(self, name: str) -> Key | None:
        """The one that is called so, letter case and spaces aside."""
        with self._lock:
            return self._named(name)

    def revoke(self, name: str) -> None:
        """From now on its secret opens nothing; it stays in the list. Raises `Problem("no_such_key")`."""
        with self._lock, self._database.writing():
            key = self._wanted(name)
            self._database.changed(
                "UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (self._clock(), key.id)
            )
        self.on_change()

    def forget(self, name: str) -> None:
        """Delete a revoked one with what is known of its use.

        Raises `Problem`: "no_such_key", or "key_in_force" of one that is not revoked.
        """
        with self._lock, self._database.writing():
            key = self._wanted(name)
            if key.revoked is None:
                raise Problem("key_in_force", subject=key.name)
            self._database.changed("DELETE FROM keys WHERE id = ?", (key.id,))
        self.on_change()

    def check(self, secret: str) -> Key | KeyRefused:
        """Whose secret that is. It is compared with every key's in constant time."""
        if not secret.strip():
            return KeyRefused("missing")
        if not SOUND.fullmatch(secret) or WRAPPED.search(secret):
            return KeyRefused("malformed")
        wanted = _hash(secret)
        with self._lock:
            # all are looked at, whichever it is: how long this takes tells nothing of how near a guess was
            matching = [
                id for id, kept in self._database.rows("SELECT id, hash FROM keys") if hmac.compare_digest(kept, wanted)
            ]
            found = self._keys("WHERE id = ?", *matching) if matching else ()
        if not found:
            return KeyRefused("unknown")
        return found[0] if found[0].revoked is None else KeyRefused("revoked")

    def used(self, id: str, *, prompt: int, reused: int, written: int, error: str = "") -> None:
        """A request has ended: tokens as in `Key`, and a code when it failed. A forgotten key is passed over.

        What cannot be written down is kept in memory, counts, and is written with the next.
        """
        with self._lock:
            use = self._owed.setdefault((id, self._day()), _Use())
            use.requests += 1
            use.prompt += prompt
            use.reused += reused
            use.written += written
            use.last, use.error = self._clock(), error
            self._pay()
        self.on_change()

    def exceeded(self, key: Key) -> bool:
        """Whether its limit of today is reached by now. What began before that is not cut short."""
        with self._lock:
            owed = self._owed.get((key.id, self._day()), _Use())
            kept = self._keys("WHERE id = ?", key.id)
        return any(replace(one, today=one.today + owed.prompt + owed.written).spent for one in kept)

    def _pay(self) -> None:
        """Write down all that is owed, or nothing of it. Of a day that is over, the totals alone."""
        with self._database.writing():
            for (id, day), use in self._owed.items():
                self._database.changed(
                    "UPDATE keys SET requests = requests + ?, prompt = prompt + ?, reused = reused + ?, "
                    "written = written + ? WHERE id = ?",
                    (use.requests, use.prompt, use.reused, use.written, id),
                )
                if day != self._day():  # another process may have written today's
                    continue
                self._database.changed(
                    "UPDATE keys SET today = CASE WHEN day = ? THEN today ELSE 0 END + ?, day = ?, last_used = ?, "
                    "last_error = ? WHERE id = ?",
                    (day, use.prompt + use.written, day, use.last, use.error, id),
                )
        self._owed.clear()

    def _wanted(self, name: str) -> Key:
        key = self._named(name)
        if key is None:
            raise Problem("no_such_key", subject=" ".join(name.split()))
        return key

    def _named(self, name: str) -> Key | None:
        wanted = _folded(name)
        return next((key for key in self._keys() if _folded(key.name) == wanted), None)

    def _keys(self, condition: str = "", *values: str) -> tuple[Key, ...]:
        today = self._day()
        return tuple(_key(row, today) for row in self._database.rows(f"SELECT {COLUMNS} FROM keys {condition}", values))

    def _day(self) -> str:
        """Today's date where this computer is."""
        return time.strftime("%Y-%m-%d", time.localtime(self._clock()))


def _key(row: Row, today: str) -> Key:
    (id, name, hint, models, documents, remote, daily_tokens, created, last_used) = row[:9]
    (requests, prompt, reused, written, tokens, last_error, revoked, day) = row[9:]
    return Key(
        *(id, name, hint, tuple(json.loads(models)), tuple(json.loads(documents)), bool(remote), daily_tokens),
        *(created, last_used, requests, prompt, reused, written, tokens if day == today else 0, last_error, revoked),
    )


def _tidied(name: str) -> str:
    shown = " ".join(name.split())
    if not shown:
        raise Problem("key_unnamed")
    if len(shown) > LONGEST:
        raise Problem("key_long", count=str(LONGEST))
    return shown


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
