"""By which addresses the local API is reached: from this computer, and from others."""

import socket
from collections import namedtuple

import psutil
import pytest

from app.data.gateway import GatewaySettings
from app.gateway import reach

Address = namedtuple("Address", "family address")
CARDS = {
    "lo": [Address(socket.AF_INET, "127.0.0.1"), Address(socket.AF_INET6, "::1")],
    "eth0": [
        Address(socket.AF_INET, "192.0.2.7"),
        Address(socket.AF_INET6, "2001:db8::7"),
        Address(socket.AF_INET6, "fe80::7%eth0"),
        Address(-1, "00:00:5e:00:53:07"),
    ],
}


@pytest.mark.parametrize(
    ("settings", "near", "others"),
    [
        (GatewaySettings(names=("ada",)), "127.0.0.1", []),
        (GatewaySettings(host="::1"), "::1", []),
        (GatewaySettings(host="0.0.0.0"), "127.0.0.1", ["192.0.2.7"]),
        (GatewaySettings(host="::", names=("ada",)), "::1", ["ada", "192.0.2.7", "2001:db8::7"]),
        (GatewaySettings(host="192.0.2.7"), "192.0.2.7", ["192.0.2.7"]),
        (GatewaySettings(host="0.0.0.0", names=("ada",), tls_certificate="a.pem"), "ada", ["ada", "192.0.2.7"]),
    ],
)
def test_where_it_is_reached(monkeypatch, settings, near, others) -> None:
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: CARDS)
    assert settings.near == near
    assert reach.others(settings) == others


def test_the_form_of_an_address() -> None:
    assert reach.base(GatewaySettings(tls_own=True), "::1", 8317) == "https://[::1]:8317"
    assert reach.base(GatewaySettings(), "127.0.0.1", 80) == "http://127.0.0.1:80"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this system has no IPv6")
def test_all_addresses_are_both_kinds(another) -> None:
    gateway = another(GatewaySettings(host="::", port=0))
    port = int(gateway.address.rpartition(":")[2])
    for host in ("127.0.0.1", "::1"):
        with socket.create_connection((host, port), timeout=30) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
