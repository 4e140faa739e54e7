"""The library over the local API: what it holds, how far that is read, adding to it and taking away."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import document_words
from app.data.document import Item, Refused
from app.data.key import Key
from app.data.matter import Matter
from app.documents.messages import AS_USUAL, Options
from app.gateway import attached, described, passing
from app.gateway.behind import Behind
from app.gateway.body import Bodies
from app.gateway.desk import Desk
from app.gateway.errors import ApiError
from app.gateway.home import DISK
from app.gateway.sse import whole
from app.gateway.upload import Upload, upload
from app.services.collections import Collections
from app.services.problem import DatabaseProblem, Problem
from app.words import PROBLEMS, sentence
from engine.client import EngineBusy, EngineDown, RequestFailed
from engine.protocol import Saved

AT_ONCE = 2
"""Documents that are opened at the same time, each in a process of its own."""


class Documents:
    def __init__(self, desk: Desk, bodies: Bodies) -> None:
        self._desk = desk
        self._bodies = bodies
        self._opening = asyncio.Semaphore(AT_ONCE)

    async def all(self, request: Request) -> Response:
        """What the key may ask about, the newest first."""
        key: Key = request.state.key
        told = await self._desk.have(lambda behind: _all(behind, key))
        return JSONResponse({"object": "list", "data": told})

    async def one(self, request: Request) -> Response:
        key, id = request.state.key, request.path_params["id"]
        told = await self._desk.have(lambda behind: _one(behind, key, id))
        return JSONResponse(told)

    async def add(self, request: Request) -> Response:
        """The text of a file is kept; the file itself is not."""
        key: Key = request.state.key
        if key.documents:
            raise ApiError("no_upload")
        sent = await upload(request.headers, await self._bodies.read(request))
        return JSONResponse(await whole(request, self._add(sent)), 201)

    async def remove(self, request: Request) -> Response:
        """Taken out of the library, where it can be brought back; `?for_good=true` leaves nothing of it."""
        key, id = request.state.key, request.path_params["id"]
        if key.documents:
            raise ApiError("no_upload")
        for_good = _for_good(request.query_params)
        gone = await self._desk.have(lambda behind: _remove(behind, key, id, for_good=for_good))
        return JSONResponse({"id": gone, "object": "document.deleted", "deleted": True, "for_good": for_good})

    async def _add(self, sent: Upload) -> dict[str, Any]:
        async with self._opening:
            with passing.files() as kept:
                file = await asyncio.to_thread(kept.write, sent.name, sent.content)
                return await self._desk.have(lambda behind: _keep(behind, file, sent))


async def _all(behind: Behind, key: Key) -> list[dict[str, Any]]:
    items = [item for item in behind.library.items() if key.allows_document(item.id)]
    readings = await _readings(behind)
    return [described.document(item, readings) for item in items]


async def _one(behind: Behind, key: Key, id: str) -> dict[str, Any]:
    (item,) = attached.named(behind.library, [id], key)
    return await _counted(behind, item)


async def _keep(behind: Behind, file: Path, sent: Upload) -> dict[str, Any]:
    options = Options({"": sent.password}) if sent.password else AS_USUAL
    try:
        with _collection(behind.collections, sent.collection) as matter:
            item = await behind.library.add(file, options=options)
            if isinstance(item, Refused):
                values = {"detail": item.detail, "subject": item.name}
                raise ApiError("document_refused", said=sentence(document_words.REFUSALS, item.code, values))
            if matter is not None:
                behind.collections.put(matter.id, [item.id])
    except Problem as problem:
        if isinstance(problem, DatabaseProblem) or problem.code in DISK:
            raise  # none of the document's
        raise ApiError("document_refused", said=sentence(PROBLEMS, problem.code, problem.values)) from None
    behind.library_changed()
    return await _counted(behind, item)


@contextlib.contextmanager
def _collection(collections: Collections, name: str) -> Iterator[Matter | None]:
    """The one that is called so, or a new one, which goes again when nothing comes to be in it. Raises `Problem`."""
    found = collections.named(name) if name else None
    if found is not None or not name:
        yield found
        return
    made = collections.new(name)
    try:
        yield made
    except BaseException:
        collections.forget(made.id)
        raise


async def _counted(behind: Behind, item: Item) -> dict[str, Any]:
    """With its tokens by the loaded model. One that is not loaded is not loaded for this."""
    if behind.loaded is not None and item.tokens is None:
        with contextlib.suppress(EngineBusy, EngineDown, RequestFailed):
            await behind.assistant.count([item])
    return described.document(behind.library.get(item.id), await _readings(behind))


async def _remove(behind: Behind, key: Key, id: str, *, for_good: bool) -> str:
    (item,) = attached.named(behind.library, [id], key)
    if not for_good:
        behind.library.remove(item.id)
        behind.library_changed()
        return item.id
    try:
        await behind.assistant.forget(item.id)
    except (EngineBusy, EngineDown, RequestFailed):
        raise ApiError("readings_left") from None
    finally:
        behind.library_changed()
    return item.id


async def _readings(behind: Behind) -> tuple[Saved, ...] | None:
    """What the loaded model can open of what it read; None: no model is loaded, or it cannot be asked."""
    loaded = behind.loaded
    if loaded is None:
        return None
    try:
        listed = await behind.assistant.readings()
    except (EngineBusy, EngineDown, RequestFailed):
        return None
    made = (loaded.fingerprint, loaded.precision)
    return tuple(saved for saved in listed.readings if (saved.fingerprint, saved.precision) == made)


def _for_good(asked: QueryParams) -> bool:
    if unknown := sorted(set(asked) - {"for_good"}):
        raise ApiError("unknown_parameter", param=", ".join(unknown), known="for_good")
    said = asked.get("for_good", "false")
    if said not in ("true", "false"):
        raise ApiError("invalid_value", param="for_good", why="it is true or false")
    return said == "true"
