"""By which addresses the local API is reached."""

import ipaddress
import socket

import psutil

from app.data.gateway import EVERYWHERE, GatewaySettings

FAMILIES = {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET, socket.AF_INET6)}
"""What is listened to, by the host that stands for every address."""


def base(settings: GatewaySettings, host: str, port: int) -> str:
    """Without /v1 at its end."""
    scheme = "https" if settings.tls_own or settings.tls_certificate else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def machine(*families: int) -> list[str]:
    """This computer's addresses now, without the interface that some of them name."""
    found = [address for addresses in psutil.net_if_addrs().values() for address in addresses]
    return [one.address.partition("%")[0] for one in found if one.family in families]


def others(settings: GatewaySettings) -> list[str]:
    """Names and addresses by which other computers reach it; none where it is for this computer alone."""
    hosts = machine(*FAMILIES[settings.host]) if settings.host in EVERYWHERE else [settings.host]
    return [*settings.names, *filter(_is_far, dict.fromkeys(hosts))] if any(map(_is_far, hosts)) else []


def is_loopback(host: str) -> bool:
    """Whether only programs of this computer reach what listens there."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_far(host: str) -> bool:
    """Whether another computer can name it. An address of one link means nothing without the interface's name."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return not is_loopback(host)
    return not address.is_loopback and not address.is_link_local
