"""Servers elsewhere: kept in a file for its owner alone, found by the names of their models, and tried out."""

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.data.model import ModelEntry
from app.data.provider import NAME, Provider, named, parts
from app.services.files import write_whole
from app.services.privacy import Connections
from app.services.problem import Problem
from engine.client import RequestFailed
from engine.remote import BadAddress, Remote, address

VERSION = 1


class Kept(Struct):
    version: int = VERSION
    providers: tuple[Provider, ...] = ()


class Providers:
    """`path`: providers.json, which holds keys: 0600, and never part of an export or a log.

    Read anew each time, since another program may have changed it. Every method may raise `Problem`.
    """

    def __init__(
        self,
        path: Path,
        connections: Connections | None = None,
        *,
        given: tuple[Provider, ...] = (),
        variables: Mapping[str, str] = os.environ,
    ) -> None:
        """`given`: of a configuration; they are not kept, and go before kept ones of the same name."""
        self.path = path
        self.on_change: Callable[[], None] = lambda: None
        self._connections = connections
        self._given = given
        self._variables = variables
        self._engines: dict[str, tuple[tuple[Provider, str], Remote]] = {}
        """By model, with what they were made of: each remembers under which form of its address it was answered."""

    def all(self) -> tuple[Provider, ...]:
        """By name. Raises `Problem("providers_damaged")`, and "providers_newer" for a file of a newer Longread."""
        kept = {one.name: one for one in (*self._read().providers, *self._given)}
        return tuple(kept[name] for name in sorted(kept))

    def get(self, name: str) -> Provider:
        """Raises `Problem("provider_unknown")`."""
        for one in self.all():
            if one.name == name:
                return one
        raise Problem("provider_unknown", subject=name)

    def put(self, provider: Provider) -> None:
        """Keep it, in the place of one of that name. Raises `Problem`: "provider_name" or "provider_address"."""
        check(provider)
        others = (one for one in self._read().providers if one.name != provider.name)
        self._write((*others, provider))

    def give(self, provider: Provider) -> None:
        """Know it as long as this program runs; nothing of it is kept."""
        self._given = (*(one for one in self._given if one.name != provider.name), provider)

    def remove(self, name: str) -> None:
        """Forget it with its key. Raises `Problem("provider_unknown")`."""
        kept = self._read().providers
        left = tuple(one for one in kept if one.name != name)
        if len(left) == len(kept):
            raise Problem("provider_unknown", subject=name)
        self._write(left)

    def find(self, model: str) -> tuple[Provider, str] | None:
        """Whose model that is, and what it is called there; None: none of a provider."""
        provider, own = parts(model)
        known = {one.name: one for one in self.all()} if provider else {}
        return (known[provider], own) if provider in known else None

    def is_remote(self, model: str) -> bool:
        return self.find(model) is not None

    def engine(self, model: str) -> Remote:
        """What answers for `<provider>/<model>`. Nothing is connected yet. Raises `Problem`: "provider_unknown",
        "provider_key_unset"."""
        found = self.find(model)
        if found is None:
            raise Problem("provider_unknown", subject=parts(model)[0] or model)
        known = found[0], self.key(found[0])
        if model not in self._engines or self._engines[model][0] != known:
            self._engines[model] = known, self._remote(*found)
        return self._engines[model][1]

    def host(self, model: str) -> str | None:
        """Where that model runs; None: on this computer."""
        found = self.find(model)
        return None if found is None else address(found[0].base_url).host

    def hosts(self, *, chosen: str = "") -> dict[str, str]:
        """Where each of all models runs, in the order of the list. `chosen` as for `entries`."""
        return {entry.name: entry.host for entry in self.entries(chosen=chosen)}

    def entries(self, *, chosen: str = "") -> list[ModelEntry]:
        """All models. `chosen`: one in use, which is listed even where its server does not list it any more."""
        entries: list[ModelEntry] = []
        for provider in self.all():
            own = parts(chosen)[1] if parts(chosen)[0] == provider.name else ""
            models = provider.models if not own or own in provider.models else (*provider.models, own)
            host = address(provider.base_url).host
            entries += [_entry(provider, model, host) for model in models]
        return entries

    async def test(self, name: str, model: str = "") -> "Outcome":
        """Ask the server for its models, which are kept, and `model`, or the first, a tiny question. Raises `Problem`
        and `RequestFailed` with what is wrong."""
        provider = self.get(name)
        outcome = await self.tried(provider, model)
        if provider not in self._given:
            self.put(outcome.provider)
        return outcome

    async def tried(self, provider: Provider, model: str = "") -> "Outcome":
        """The same for one that is not kept yet."""
        check(provider)
        first = next(iter(provider.models), "")
        tested = await self._remote(provider, model or first).test()
        listed = tested.models or ()
        models = tuple(one.name for one in listed) or provider.models or (tested.model,)
        # what the person named is kept, also where the server does not list it
        models += tuple(one for one in provider.models if one not in models)
        windows = provider.windows | {one.name: one.window for one in listed if one.window}
        learnt = replace(provider, models=models, windows=windows)
        return Outcome(learnt, tested.model, tested.answered, tested.seconds, tested.models is not None)

    async def listed(self, name: str) -> tuple[str, ...]:
        """What the server lists, without a question. Raises `Problem` and `RequestFailed`."""
        return await self._remote(self.get(name), "").models()

    def key(self, provider: Provider) -> str:
        """Raises `Problem("provider_key_unset")` where its variable is not set."""
        if not provider.api_key_env:
            return provider.api_key
        key = self._variables.get(provider.api_key_env)
        if key is None:
            raise Problem("provider_key_unset", subject=provider.api_key_env, name=provider.name)
        return key

    def _remote(self, provider: Provider, model: str) -> Remote:
        return Remote(
            provider.base_url,
            model=model,
            key=self.key(provider),
            timeout=provider.timeout_seconds,
            retries=provider.max_retries,
            window=provider.windows.get(model, 0),
            certificate=provider.certificate,
            connections=self._connections,
            documents=provider.takes_documents,
        )

    def _read(self) -> Kept:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return Kept()
        except OSError as error:
            raise Problem("providers_damaged", subject=str(self.path)) from error
        if os.name == "posix" and self.path.stat().st_mode & 0o077:
            with contextlib.suppress(OSError):
                self.path.chmod(0o600)  # somebody copied it; others must not read the keys
        try:
            kept = msgspec.json.decode(content, type=Kept)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise Problem("providers_damaged", subject=str(self.path)) from None
        if kept.version > VERSION:
            raise Problem("providers_newer", subject=str(self.path))
        return kept

    def _write(self, providers: tuple[Provider, ...]) -> None:
        content = msgspec.json.format(msgspec.json.encode(Kept(providers=providers)))
        write_whole(self.path, content + b"\n")
        self.on_change()


class Outcome(Struct, frozen=True):
    """`provider` with what its server listed. `model` answered `answered`, its first word after `seconds`. `lists`:
    whether the server tells its models."""

    provider: Provider
    model: str
    answered: str
    seconds: float
    lists: bool


def check(provider: Provider) -> None:
    """Raises `Problem`: "provider_name" or "provider_address"."""
    if not NAME.match(provider.name):
        raise Problem("provider_name", subject=provider.name)
    try:
        address(provider.base_url)
    except BadAddress as error:
        raise Problem("provider_address", subject=str(error)) from None


def _entry(provider: Provider, model: str, host: str) -> ModelEntry:
    return ModelEntry(
        name=named(provider.name, model),
        title=f"{model} · {provider.name}",
        parameters=0,
        size=0,
        window=provider.windows.get(model, 0),
        licence="",
        source=host,
        path=None,
        about="remote",
        host=host,
    )


__all__ = ["Outcome", "Providers", "RequestFailed", "check"]
