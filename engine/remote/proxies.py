"""Variables that send connections through a proxy, and whether one is there. Loopback never goes through them."""

import socket
from collections.abc import Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from engine.remote.address import Proxy

ANSWERS_WITHIN = 1.0
"""Seconds."""
KINDS = ("http", "https", "all")


def proxies() -> tuple[Proxy, ...]:
    """Those that are set. Each is knocked at, which takes up to a second."""
    given = _given()
    return tuple(
        Proxy(f"{kind.upper()}_PROXY", _shown(given[kind]), _answers(given[kind])) for kind in KINDS if kind in given
    )


def used(url: str) -> str | None:
    """The proxy that a request of that address goes through, without name and password; None: straight."""
    parts, given = urlsplit(url), _given()
    if proxy_bypass(parts.netloc):
        return None
    proxy = given.get(parts.scheme) or given.get("all")
    return _shown(proxy) if proxy else None


def _given() -> Mapping[str, str]:
    return getproxies()


def _shown(proxy: str) -> str:
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return parts.netloc.rpartition("@")[2]


def _answers(proxy: str) -> bool:
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        where = (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
        with socket.create_connection(where, ANSWERS_WITHIN):
            return True
    except (OSError, ValueError):
        return False
