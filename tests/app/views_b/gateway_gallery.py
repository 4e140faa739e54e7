"""Pictures of the local API's page and its dialogs, for the gallery."""

from PySide6.QtWidgets import QWidget

from app.data.check import Check
from app.data.gateway import Served
from app.data.key import Key
from app.services.snippets import snippets
from app.views.gateway_page import GatewayPage
from app.views.key_dialog import KeyDialog
from app.views.open_dialog import OpenDialog
from tests.app.views_b import samples


def _gateway(served: Served, *, keys: bool = True, height: int = 1500, **settings: object) -> QWidget:
    made = GatewayPage()
    made.show_served(samples.Settings(**settings), served)
    made.snippets.set_models(["longread", "smollm2-135m-instruct"])
    made.snippets.set_snippets(snippets(served.address, "", "longread", windows=False))
    made.keys.set_keys(KEYS if keys else (), {"d1": "Share Purchase Agreement.pdf"})
    made.resize(made.width(), height)
    return made


def gateway() -> QWidget:
    made = _gateway(Served("off", "http://127.0.0.1:8317"), keys=False)
    made.resize(GatewayPage().size())
    return made


def gateway_on() -> QWidget:
    made = _gateway(Served("on", "http://127.0.0.1:8317", under_way=2))
    made.checks.begin()
    made.checks.add(Check("proxies", "warn", "proxies_dead", {"variables": "HTTP_PROXY", "proxy": "127.0.0.1:9"}))
    made.checks.add(Check("reached", "good", "reached", {"address": "http://127.0.0.1:8317"}))
    made.checks.add(Check("model", "bad", "model_absent", {"model": "gpt-4"}))
    made.checks.finish()
    return made


def gateway_open() -> QWidget:
    return _gateway(Served("on", "http://ada:8317", open=True), api_host="0.0.0.0")


def gateway_failed() -> QWidget:
    taken = {"subject": "127.0.0.1:8317"}
    return _gateway(Served("failed", "http://127.0.0.1:8317", code="api_port_taken", values=taken), height=600)


def key() -> QWidget:
    made = KeyDialog(["longread"], [(item.id, item.name) for item in samples.ITEMS])
    made.name.setText("Zed")
    made.documents.choice.button("only").click()
    return made


def key_made() -> QWidget:
    made = key()
    made.show_secret(KEYS[0], f"sk-{'aB3' * 14}z")
    return made


def open_to_network() -> QWidget:
    return OpenDialog(2)


KEYS = (
    Key("k1", "Zed", "q7Xk", last_used=1.8e9, requests=1284, prompt=4_812_204, reused=4_200_113, written=88_120),
    Key(
        *("k2", "The nightly script that summarises all depositions of the Smith matter", "b2Zz", (), ("d1",)),
        daily_tokens=50_000,
        last_used=1.8e9,
        requests=12,
        prompt=52_324,
        today=52_324,
        last_error="daily_limit",
    ),
    Key("k3", "Old editor", "0x9f", revoked=1.8e9),
)

PICTURES = (gateway, gateway_on, gateway_open, gateway_failed, key, key_made, open_to_network)
