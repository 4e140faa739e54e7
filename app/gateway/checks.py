"""Calls the local API as a program would, and says what is found: proxies, address, key, model."""

import asyncio
import time
from collections.abc import AsyncIterator

from app.data.check import Check
from engine.client import RequestFailed
from engine.protocol import Failed
from engine.remote import Proxy, Remote, proxy_variables
from engine.remote.proxies import used

PATIENCE = 600.0
"""Seconds for the tiny question: its model may have to be loaded first, or a long question of another be before it."""

KEY_FAILURES = ("remote_key", "remote_key_line", "remote_key_space", "remote_key_letters", "remote_forbidden")
"""Codes of what is wrong with the key alone: the address answers."""
MODEL_FAILURES = ("remote_model", "remote_no_models")


async def checks(
    address: str, secret: str, model: str, *, anthropic: bool = False, certificate: str = ""
) -> AsyncIterator[Check]:
    """One by one, until a step cannot be taken. `address`: "" where nothing is served. `anthropic`: the question is put
    in that protocol, else in OpenAI's. `certificate`: a PEM file to trust."""
    yield _proxies(await asyncio.to_thread(proxy_variables), address)
    if not address:
        yield Check("reached", "bad", "not_served")
        return
    engine = Remote(address, model=model, key=secret, timeout=PATIENCE, retries=0, certificate=certificate)
    try:
        models = await engine.models()
    except RequestFailed as error:
        for found in _refused(error.failed, address, secret):
            yield found
        return
    yield Check("reached", "good", "reached", {"address": address})
    yield Check("key", "good", "key_works", {"models": ", ".join(models)})
    if model not in models:
        yield Check("model", "bad", "model_absent", {"model": model})
        return
    yield await (_messages(address, secret, model, certificate) if anthropic else _chat(engine))


async def _chat(engine: Remote) -> Check:
    try:
        tested = await engine.test()
    except RequestFailed as error:
        return Check("model", "bad", *_told(error.failed))
    return Check("model", "good", "model_answers", {"model": tested.model, "seconds": f"{tested.seconds:.1f}"})


async def _messages(address: str, secret: str, model: str, certificate: str) -> Check:
    from app.gateway.knock import Unanswered, knock  # with a protocol's library that the window needs for nothing else

    began = time.monotonic()
    try:
        async with asyncio.timeout(PATIENCE):
            status, body = await knock(address, secret, model, certificate)
    except (OSError, Unanswered) as error:
        return Check("model", "bad", "no_message", {"why": str(error) or type(error).__name__})
    if status != 200:
        refusal = body.get("error")
        said = refusal.get("message", "") if isinstance(refusal, dict) else ""
        return Check("model", "bad", "message_refused", {"status": str(status), "said": said})
    seconds = f"{time.monotonic() - began:.1f}"
    return Check("model", "good", "message_answers", {"model": model, "seconds": seconds})


def _proxies(found: tuple[Proxy, ...], address: str) -> Check:
    if not found:
        return Check("proxies", "good", "no_proxies")
    values = {"variables": ", ".join(one.variable for one in found), "proxy": found[0].address}
    if address and used(address) is None:
        return Check("proxies", "good", "proxies_spare", values)
    dead = next((one for one in found if not one.answers), None)
    if dead is not None:
        return Check("proxies", "warn", "proxies_dead", {"variables": dead.variable, "proxy": dead.address})
    return Check("proxies", "warn", "proxies_take", values)


def _refused(failed: Failed, address: str, secret: str) -> list[Check]:
    """The step that could not be taken, after those that could."""
    if failed.code not in (*KEY_FAILURES, *MODEL_FAILURES):
        return [Check("reached", "bad", *_told(failed))]
    reached = Check("reached", "good", "reached", {"address": address})
    if failed.code in MODEL_FAILURES:
        return [reached, Check("model", "bad", *_told(failed))]
    if not secret:
        return [reached, Check("key", "warn", "no_key")]
    return [reached, Check("key", "bad", *_told(failed))]


def _told(failed: Failed) -> tuple[str, dict[str, str]]:
    return failed.code, {
        "message": failed.message,
        "subject": failed.subject or "",
        "said": failed.said,
    }
