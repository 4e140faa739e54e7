"""Addresses and keys of a server as people write them: what they mean, or why they cannot be used."""

import ipaddress
import re
from urllib.parse import urlsplit

from msgspec import Struct

from engine.protocol import FailureCode

ENDPOINTS = ("/chat/completions", "/completions", "/models", "/messages")
"""Ends that are copied along with an address, and no part of it."""
VERSIONED = re.compile(r"/v\d+\w*(/|$)")
USUAL = {"http": 80, "https": 443}


class BadAddress(ValueError):
    """`str()`: the address without what it holds of secrets."""


class Address(Struct, frozen=True):
    """`roots`: where `/models` and `/chat/completions` may be, the likeliest first. `host`: as it is shown, with its
    port where that is not the usual one. `local`: it is this computer. `encrypted`: nobody on the way can read."""

    roots: tuple[str, ...]
    host: str
    local: bool
    encrypted: bool


class Proxy(Struct, frozen=True):
    """A variable that sends connections through a proxy, as it is usually written; `address` without name and password.
    `answers`: something listens there."""

    variable: str
    address: str
    answers: bool


def address(text: str) -> Address:
    """With or without a scheme, `/v1` and slashes at its end. Raises `BadAddress`.

    Without a scheme it is https, but http where it is a number or this computer.
    """
    text = text.strip()
    if not text or re.search(r"\s", text):
        raise BadAddress(text)
    if "://" not in text:
        text = f"{'http' if _is_number_or_here(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadAddress(text.rpartition("@")[2]) from None
    # a name and a password in an address would be shown wherever the address is
    if parts.scheme not in USUAL or not name or parts.query or parts.fragment or "@" in parts.netloc:
        raise BadAddress(text.rpartition("@")[2])
    shown = f"[{name}]" if ":" in name else name
    host = shown if port in (None, USUAL[parts.scheme]) else f"{shown}:{port}"
    path = parts.path.rstrip("/")
    for end in ENDPOINTS:
        path = path.removesuffix(end).rstrip("/")
    base = f"{parts.scheme}://{host}{path}"
    roots = (base, f"{base}/v1") if VERSIONED.search(path) else (f"{base}/v1", base)
    return Address(roots, host, is_local(name), parts.scheme == "https")


def is_local(name: str) -> bool:
    """Whether a host's name or number is this computer."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(name)
    except ValueError:
        return False
    return number.is_loopback or number.is_unspecified


def _is_number_or_here(text: str) -> bool:
    try:
        name = urlsplit(f"//{text}").hostname or ""
        return is_local(name) or bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def key_fault(key: str) -> FailureCode | None:
    """Why a key cannot be one: no header can carry it, or it was copied with more than itself."""
    if "\n" in key or "\r" in key:
        return "remote_key_line"
    if re.search(r"\s", key):
        return "remote_key_space"
    return None if key.isascii() and key.isprintable() else "remote_key_letters"
