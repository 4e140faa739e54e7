"""The part of the remote engine that uses a network. Loaded with the first request, since that takes 0.4 seconds."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2
import msgspec

from engine import document
from engine.protocol import Done, Event, Failed, Generate
from engine.remote import estimate
from engine.remote.body import Body, body, words
from engine.remote.place import Place
from engine.remote.proxies import used
from engine.remote.refusals import AGAIN, refused
from engine.remote.reply import Garbled, Reply

PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before the first other try, doubled with each, and at most."""
LARGEST_LINE = 64 * 2**20
"""Bytes of one event."""


class Refused(Exception):
    """Nothing was answered. `again`: another try may help, after so many seconds where the server says."""

    def __init__(self, failed: Failed, *, again: bool = False, after: float | None = None) -> None:
        super().__init__(failed.code)
        self.failed, self.again, self.after = failed, again, after


async def generate(place: Place, request: Generate, purpose: str, put: Callable[[Event], None]) -> None:
    """Ask, and say what comes; the ending last, also when this task is cancelled. Never raises anything else."""
    reply: Reply | None = None
    try:
        path, content = body(request, place.model, documents=place.documents)
        prompt = sum(estimate.tokens(words(turn)) for turn in request.conversation.turns)
        reply = Reply(request, place.address.host, place.model, prompt)
        put(await _answered(place, (purpose, path), content, reply, put))
    except asyncio.CancelledError:
        put(reply.ending("cancelled") if reply is not None else Done(request.id, "cancelled"))
    except document.BadDocument as error:
        put(Failed(request.id, "bad_document", error.message, error.subject))
    except Exception as error:  # noqa: BLE001 - whoever waits for the ending must get one
        put(Failed(request.id, "internal", f"the remote engine: {type(error).__name__}"))


async def _answered(
    place: Place, where: tuple[str, str], content: Body, reply: Reply, put: Callable[[Event], None]
) -> Done | Failed:
    """Tries again as long as nothing was shown. `where`: for what purpose, and at which endpoint."""
    tries = 0
    while True:
        try:
            return await _once(place, where, content, reply, put)
        except Refused as error:
            if "stream_options" in content and _unknown_option(error.failed):
                content = {name: value for name, value in content.items() if name != "stream_options"}
                continue
            if reply.shown or not error.again or tries >= place.retries:
                return error.failed
            pause = error.after if error.after is not None else PAUSE * 2**tries
            tries += 1
            await asyncio.sleep(min(pause, LONGEST_PAUSE))


async def _once(
    place: Place, where: tuple[str, str], content: Body, reply: Reply, put: Callable[[Event], None]
) -> Done | Failed:
    id, (purpose, path) = reply.id, where
    async with _asked(place, id, "POST", path, content, purpose) as answer:
        try:
            async for data in _pieces(answer):
                if data == "[DONE]":
                    break
                event = reply.take(data)
                if isinstance(event, Failed):
                    return event
                if event is not None:
                    put(event)
            else:
                if reply.finish is None:
                    raise Refused(_broke(place, id), again=True)
        except (Garbled, httpx2.SSEError, httpx2.DecodingError) as error:
            said = f"what came is no answer of the protocol ({type(error).__name__})"
            return Failed(id, "remote_garbled", said, place.address.host)
    return reply.ending()


async def _pieces(answer: httpx2.Response) -> AsyncIterator[str]:
    """The data of each event; of a server that does not stream, all at once."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        yield (await answer.aread()).decode("utf-8", "replace")
        return
    async for event in httpx2.EventSource(answer, LARGEST_LINE):
        if event.data:
            yield event.data


async def get(place: Place, id: str, path: str, purpose: str) -> dict[str, Any]:
    """A JSON object from the server. Raises `Refused`."""
    async with _asked(place, id, "GET", path, None, purpose) as answer:
        content = await answer.aread()
    try:
        return msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refused(Failed(id, "remote_garbled", "the list is no JSON object", place.address.host)) from None


@asynccontextmanager
async def _asked(
    place: Place, id: str, method: str, path: str, content: Body | None, purpose: str
) -> AsyncIterator[httpx2.Response]:
    """An answer with status 200 whose content is still to come. Raises `Refused`, also for what goes wrong inside."""
    number = place.connections.opened(place.address.host, purpose)
    began = time.monotonic()
    sent = msgspec.json.encode(content) if content is not None else None
    headers = {"user-agent": "longread", "accept": "text/event-stream" if content is not None else "application/json"}
    headers |= {"content-type": "application/json"} if content is not None else {}
    headers |= {"authorization": f"Bearer {place.key}"} if place.key else {}
    received = 0
    try:
        async with _client(place) as client:
            refusal: Refused | None = None
            for root in place.roots():
                async with client.stream(method, root + path, content=sent, headers=headers) as answer:
                    try:
                        if answer.status_code == 200:
                            place.root = root
                            yield answer
                            return
                        refusal = await _refusal(place, id, answer)
                    finally:
                        received += answer.num_bytes_downloaded
                if refusal.failed.code != "remote_path":
                    break
            assert refusal is not None
            raise refusal
    except (httpx2.TransportError, httpx2.StreamError, ssl.SSLError, OSError) as error:
        raise _unreached(place, id, error, time.monotonic() - began) from error
    finally:
        place.connections.received(number, received, len(sent or b""))


async def _refusal(place: Place, id: str, answer: httpx2.Response) -> Refused:
    content = await answer.aread()
    if answer.has_redirect_location:
        moved = answer.headers.get("location", "")
        return Refused(Failed(id, "remote_moved", "a redirection", place.address.host, said=moved))
    failed = refused(id, place.address.host, answer.status_code, content, place.model)
    after = None
    with suppress(ValueError):
        after = float(answer.headers.get("retry-after", ""))
    return Refused(failed, again=answer.status_code in AGAIN and failed.code != "too_long", after=after)


def _unreached(place: Place, id: str, error: Exception, waited: float) -> Refused:
    """What keeps an answer from coming, told by what was tried last."""
    host, kind = place.address.host, type(error).__name__
    through = None if place.address.local else used(place.address.roots[0])
    match error:
        case httpx2.ReadTimeout() | httpx2.WriteTimeout():
            silent = Failed(id, "remote_silent", "the server sent nothing", host, needed=round(place.timeout))
            return Refused(silent)
        case httpx2.ProxyError() if through:
            return Refused(Failed(id, "remote_proxy", kind, through))
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout():
            if _is_certificate(error):
                return Refused(Failed(id, "remote_certificate", "the certificate was not accepted", host))
            if through:
                return Refused(Failed(id, "remote_proxy", kind, through), again=True)
            return Refused(Failed(id, "remote_unreached", f"{kind} after {waited:.1f} s", host), again=True)
        case httpx2.UnsupportedProtocol() | httpx2.LocalProtocolError():
            return Refused(Failed(id, "remote_address", kind, host))
        case _:
            return Refused(_broke(place, id), again=True)


def _is_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError) or "CERTIFICATE" in str(error) or "SSL" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _broke(place: Place, id: str) -> Failed:
    return Failed(id, "remote_broke", "the connection ended before the answer did", place.address.host)


def _unknown_option(failed: Failed) -> bool:
    """An older server that does not know how to count a stream's tokens."""
    return failed.code in ("remote_refused", "remote_broken") and "stream_options" in failed.said


def _client(place: Place) -> httpx2.AsyncClient:
    """Loopback is reached without any proxy, whatever the variables say; other addresses as they say."""
    limits = httpx2.Timeout(place.timeout, connect=place.connect)
    trusted = ssl.create_default_context(cafile=place.certificate) if place.certificate else True
    return httpx2.AsyncClient(timeout=limits, verify=trusted, trust_env=not place.address.local)
