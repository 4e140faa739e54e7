"""The key that config.toml holds, beside those that are kept: it is nowhere else, and its use is counted nowhere else
than in the metrics."""

import hashlib
import hmac

from app.data.key import Key, KeyRefused
from app.gateway.tally import Keys

NAME = "config.toml"
HINT = 4


class WithConfigured:
    """The face of `keys`, with one key more. `remote` as `Key.remote`."""

    def __init__(self, keys: Keys, secret: str, *, remote: bool) -> None:
        self.key = Key(NAME, NAME, secret[-HINT:], remote=remote)
        self._keys = keys
        self._hash = _hash(secret)

    def check(self, secret: str) -> Key | KeyRefused:
        """Compared in constant time, and the kept ones in any case."""
        kept = self._keys.check(secret)
        return self.key if hmac.compare_digest(_hash(secret), self._hash) else kept

    def used(self, id: str, *, prompt: int, reused: int, written: int, error: str = "") -> None:
        if id != NAME:
            self._keys.used(id, prompt=prompt, reused=reused, written=written, error=error)

    def exceeded(self, key: Key) -> bool:
        return key.id != NAME and self._keys.exceeded(key)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).digest()
