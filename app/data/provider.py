"""A server elsewhere whose models can be asked, as it is kept."""

import re
from typing import Annotated

from msgspec import Meta, Struct

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")
"""No slash: a model of it is called `<provider>/<model>`, and models have slashes in their names."""

TIMEOUT = 600.0
RETRIES = 2


class Provider(Struct, frozen=True, omit_defaults=True):
    """`api_key` is kept in providers.json alone; `api_key_env` names a variable that holds it instead.

    `timeout_seconds`: without a byte, since a server may read for minutes. `max_retries`: before anything was shown.
    """

    name: str
    base_url: str
    api_key: str = ""
    api_key_env: str = ""
    timeout_seconds: Annotated[float, Meta(gt=0)] = TIMEOUT
    max_retries: Annotated[int, Meta(ge=0, le=10)] = RETRIES
    models: tuple[str, ...] = ()
    """As the server names them, by what it listed last and what the person added."""
    windows: dict[str, int] = {}
    """Tokens that they take, where the server said so."""
    certificate: str = ""
    """A PEM file that is trusted in the place of the system's: of a server that vouches for itself."""

    takes_documents: bool = False
    """Apart from what is said, as another Longread does: it reads in segments what is beyond its window."""

    def __repr__(self) -> str:
        """Without the key: it may come into a log."""
        return f"Provider({self.name!r}, {self.base_url!r})"


def named(provider: str, model: str) -> str:
    """What a model of a provider is called in settings, in lists and by clients."""
    return f"{provider}/{model}"


def parts(name: str) -> tuple[str, str]:
    """Provider and model of such a name; of another one both are empty."""
    provider, slash, model = name.partition("/")
    return (provider, model) if slash and provider and model else ("", "")
