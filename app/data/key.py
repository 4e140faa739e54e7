"""A key of the local API: what one client may do, and what it has done."""

from typing import Literal

from msgspec import Struct


class Key(Struct, frozen=True):
    """`hint`: the secret's last letters. `models` (names) and `documents` (ids of items): the only ones it may use; an
    empty one is no limit. `remote`: it may ask engines on other computers. `daily_tokens`: a limit for `today`.

    Tokens: `prompt` of all its prompts, of which `reused` had been read before; `written` of all answers; `today`:
    prompt and written since midnight here. Times are seconds since the epoch.
    """

    id: str
    name: str
    hint: str
    models: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    remote: bool = False
    daily_tokens: int | None = None
    created: float = 0.0
    last_used: float | None = None
    requests: int = 0
    prompt: int = 0
    reused: int = 0
    written: int = 0
    today: int = 0
    last_error: str = ""
    """A code; empty when its last request went well."""
    revoked: float | None = None
    """When; None: it is in force."""

    def allows_model(self, name: str) -> bool:
        """Whether it may ask the model that clients call so."""
        return not self.models or name in self.models

    def allows_document(self, id: str) -> bool:
        return not self.documents or id in self.documents

    @property
    def spent(self) -> bool:
        """Whether its tokens of today have reached its limit."""
        return self.daily_tokens is not None and self.today >= self.daily_tokens


class KeyRefused(Struct, frozen=True):
    """Why a secret opens nothing. `malformed`: it holds what no secret does, a space or a line end from copying."""

    code: Literal["missing", "malformed", "unknown", "revoked"]


class NewKey(Struct, frozen=True):
    """What a person wants a key for; fields as in `Key`."""

    name: str
    models: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    remote: bool = False
    daily_tokens: int | None = None
