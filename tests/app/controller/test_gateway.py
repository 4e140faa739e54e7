"""The local API from its page: switched on, a key made there, asked over a real socket, counted, switched off."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable

import httpx2
import openai
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app.data.gateway import LOOPBACK
from app.data.provider import Provider
from app.services.problem import DatabaseProblem
from app.services.settings import SettingsStore
from engine.protocol import Answered, Done, Usage
from tests.app.controller.conftest import AnyModel, words

ANSWERED = (words("Anna."), Done("", "complete", Usage(100, 40, 60, 4), Answered("Anna.", (1,), None)))


@pytest.fixture
def settled() -> Callable[..., Awaitable[None]]:
    """`await settled(lambda: …)`: give this loop, Qt and the other threads their turns until it holds."""

    async def wait(condition: Callable[[], object], what: str = "", seconds: float = 120.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                pytest.fail(f"waited for {what or 'a condition that did not come to hold'}")
            QCoreApplication.processEvents()
            await asyncio.sleep(0.005)

    return wait


@pytest.fixture
async def page(program, settled, monkeypatch):
    """The page on the screen; the API will be served at a port that is free."""
    monkeypatch.setattr(program.services.models, "resolve", AnyModel().resolve)
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.lower(), raising=False)
    program.controller.settings.apply(replace(program.state.settings, api_port=0))
    program.window.actions_by_name["gateway"].trigger()
    page = program.controller.gateway.page
    assert page.isVisible()
    yield page
    page.close()


@pytest.fixture
async def served(program, page, settled) -> str:
    """Switched on in the page; its address."""
    page.state.button.click()
    await settled(lambda: program.controller.gateway.served.state == "on", "the API")
    return page.where.address.text()


def make_key(page, controller, name: str = "Zed") -> str:
    """In the page's dialog; the secret that it shows."""
    page.keys.new_button.click()
    dialog = controller.keys.dialog
    dialog.name.setText(name)
    dialog.make_button.click()
    secret = dialog.secret.text()
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == secret
    dialog.close_button.click()
    return secret


class Asking(threading.Thread):
    """A program that asks through OpenAI's client; `said` or `error` in the end."""

    def __init__(self, address: str, secret: str) -> None:
        super().__init__()
        self.address, self.secret = address, secret
        self.said: str | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            with openai.OpenAI(base_url=self.address, api_key=self.secret, max_retries=0, timeout=30) as client:
                asked = [{"role": "user", "content": "Who wrote it?"}]
                answer = client.chat.completions.create(model="longread", messages=asked)
                self.said = answer.choices[0].message.content
        except openai.OpenAIError as error:
            self.error = error


async def test_a_key_made_in_the_window_asks_is_counted_and_the_door_is_shut_again(program, page, served, settled):
    assert page.state.headline.text() == "On, for this computer alone"
    assert "local API on" in program.window.privacy_pill.text()
    secret = make_key(page, program.controller)
    row = page.keys.row("Zed")
    assert row.done.text() == "Not used yet"
    asking = Asking(served, secret)
    asking.start()
    await settled(lambda: program.engine.streams, "the question")
    await settled(lambda: page.state.under_way.text() == "1 request under way.", "the count of requests")
    program.engine.answer(*ANSWERED)
    await settled(lambda: not asking.is_alive(), "the answer")
    assert (asking.error, asking.said) == (None, "Anna.")
    await settled(lambda: row.today.text() == "104 tokens today", "the key's use")
    assert "1 request · 104 tokens in all · 60 of them reused" in row.done.text()
    await settled(lambda: page.state.under_way.text() == "No request under way.", "the count of requests")

    page.state.button.click()
    await settled(lambda: program.controller.gateway.served.state == "off", "the end of the API")
    assert "local API" not in program.window.privacy_pill.text()
    refused = Asking(served, secret)
    refused.start()
    await settled(lambda: not refused.is_alive(), "the refusal")
    assert isinstance(refused.error, openai.APIConnectionError)


async def test_a_revoked_key_gets_nothing_and_can_be_deleted(program, page, served, settled):
    secret = make_key(page, program.controller)
    page.keys.row("Zed").revoke_button.click()
    program.controller.keys.dialog.keep_button.click()
    assert program.services.keys.all()[0].revoked is None
    page.keys.row("Zed").revoke_button.click()
    program.controller.keys.dialog.go_button.click()
    await settled(lambda: not page.keys.row("Zed").forget_button.isHidden(), "the row of a revoked key")
    asking = Asking(served, secret)
    asking.start()
    await settled(lambda: not asking.is_alive(), "the refusal")
    assert isinstance(asking.error, openai.AuthenticationError)
    assert "revoked" in str(asking.error)
    page.keys.row("Zed").forget_button.click()
    await settled(lambda: not page.keys.none.isHidden(), "the empty list")
    assert program.services.keys.all() == ()


async def test_keys_that_cannot_be_looked_up_are_said_in_the_window(program, page, served, settled, monkeypatch):
    def full(secret: str) -> None:
        raise DatabaseProblem("disk_full", subject="/the/data")

    monkeypatch.setattr(program.services.keys, "check", full)
    asking = Asking(served, "sk-any")
    asking.start()
    await settled(lambda: not asking.is_alive(), "the refusal")
    assert (asking.error.status_code, asking.error.code) == (503, "no_keys")
    await settled(lambda: "/the/data" in program.window.banner.text(), "the banner")


async def test_the_check_calls_it_as_a_program_would(program, page, served, settled, monkeypatch, tmp_path):
    """And what a program is told holds the key that was made just now, until the page is closed."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    page.checks.button.click()
    await settled(page.checks.button.isEnabled, "the check without a key")
    assert [(found.step, found.verdict) for found in page.checks.found] == [
        ("proxies", "warn"),
        ("reached", "good"),
        ("key", "warn"),
    ]
    assert "HTTP_PROXY is set to 127.0.0.1:9, where nothing answers. Longread goes past it" in page.checks.text()
    secret = make_key(page, program.controller)
    told = page.snippets.text.toPlainText()
    assert secret in told
    assert f"{served}/v1" in told
    page.snippets.copy_button.click()
    assert QGuiApplication.clipboard().text() == told
    page.snippets.save_button.click()
    asking = page.findChild(QFileDialog)
    asking.fileSelected.emit(str(tmp_path / "settings.json"))
    asking.done(0)
    saved = json.loads((tmp_path / "settings.json").read_text())
    assert (saved["api_base"], saved["api_key"], saved["default_model"]) == (f"{served}/v1", secret, "longread")
    assert "it holds the key" in page.snippets.saved_note.text()
    page.checks.button.click()
    await settled(lambda: program.engine.streams, "the tiny question")
    program.engine.answer(*ANSWERED)
    await settled(page.checks.button.isEnabled, "the check with a key")
    assert [found.code for found in page.checks.found] == ["proxies_dead", "reached", "key_works", "model_answers"]
    tool = page.snippets.tool
    tool.setCurrentIndex(tool.findData("claude_code"))
    page.checks.button.click()
    await settled(lambda: len(program.engine.streams) > 1, "the tiny question of Claude Code")
    program.engine.answer(*ANSWERED)
    await settled(page.checks.button.isEnabled, "the check as Claude Code would")
    assert page.checks.found[-1].code == "message_answers"
    page.snippets.key.setText("sk-wrong")
    page.checks.button.click()
    await settled(page.checks.button.isEnabled, "the check with a wrong key")
    assert [(found.step, found.verdict) for found in page.checks.found[1:]] == [("reached", "good"), ("key", "bad")]
    page.close()
    page.show()
    assert page.snippets.key.text() == ""
    assert "sk-wrong" not in page.snippets.text.toPlainText()


async def test_a_port_that_is_taken_is_said_and_what_is_on_begins_with_the_window(program, page, settled, home):
    page.checks.button.click()
    await settled(page.checks.button.isEnabled, "the check of what is off")
    assert [found.code for found in page.checks.found] == ["no_proxies", "not_served"]
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        port = taken.getsockname()[1]
        page.where.port.setValue(port)
        page.where.port.editingFinished.emit()
        page.state.button.click()
        await settled(lambda: program.controller.gateway.served.state == "failed", "the refusal")
        assert "another program listens there. Choose another port" in page.state.told.text()
        assert f"127.0.0.1:{port}" in program.window.banner.text()
    program.engine.loaded = None
    program.state.set_loaded(None)
    page.where.changed.emit(replace(program.state.settings, api_port=0))
    await settled(lambda: program.controller.gateway.served.state == "on", "the API at another port")
    (home / "no.pem").write_text("no certificate")
    tls = {"api_tls": True, "api_tls_certificate": str(home / "no.pem"), "api_tls_key": str(home / "no.pem")}
    page.where.changed.emit(replace(program.state.settings, **tls))
    await settled(lambda: program.controller.gateway.served.state == "failed", "the refusal of the certificate")
    assert "no.pem is no certificate or key that can be used" in page.state.told.text()
    page.where.tls.button("none").click()
    await settled(lambda: program.controller.gateway.served.state == "on", "the API without encryption")
    kept, _ = SettingsStore(home / "settings.json").load()
    assert kept.api_on
    assert program.engine.loaded is None, "where it is served has nothing to do with the model"
    await program.controller.gateway.stop()
    program.controller.gateway.begin()
    await settled(lambda: program.controller.gateway.served.state == "on", "the API that was on")
    page.state.button.click()
    await settled(lambda: program.controller.gateway.served.state == "off", "the end of the API")
    kept, _ = SettingsStore(home / "settings.json").load()
    assert not kept.api_on
    page.close()
    program.services.providers.put(Provider("far", "http://127.0.0.1:9", models=("big",)))
    program.controller.settings.open()
    program.controller.settings_panel.more.gateway.click()
    assert page.isVisible(), "the settings lead to it"
    assert page.snippets.model.findText("far/big") > 0, "models elsewhere are under the same address"


async def test_others_reach_it_only_after_the_person_has_said_so(program, page, served, settled, monkeypatch):
    page.where.reach.button("network").click()
    dialog = program.controller.gateway.dialog
    assert "every device in your network can" in dialog.text()
    assert "There is no key yet." in dialog.text()
    dialog.keep_button.click()
    assert program.state.settings.api_host == LOOPBACK
    assert page.where.reach.current() == "here"
    page.where.reach.button("network").click()
    program.controller.gateway.dialog.go_button.click()
    await settled(lambda: program.controller.gateway.served.open, "the API for the network")
    assert program.state.settings.api_tls
    assert page.state.headline.text() == "On, and open to your network"
    assert page.where.address.text().startswith("https://")
    assert program.window.privacy_pill.property("role") == "pill-warn"
    assert "open to your network" in program.window.privacy_pill.text()
    make_key(page, program.controller)
    page.checks.button.click()
    await settled(lambda: program.engine.streams, "the tiny question, over TLS")
    program.engine.answer(*ANSWERED)
    await settled(page.checks.button.isEnabled, "the check")
    assert page.checks.found[-1].code == "model_answers"
    page.where.reach.button("here").click()
    await settled(lambda: not program.controller.gateway.served.open, "the API for this computer alone")
    assert (program.state.settings.api_host, program.state.settings.api_tls) == (LOOPBACK, False)


async def test_what_a_program_adds_stands_in_the_windows_library_at_once(program, page, served, settled):
    headers = {"x-api-key": make_key(page, program.controller)}
    shown = program.window.sidebar.item_ids
    async with httpx2.AsyncClient(base_url=served, headers=headers, trust_env=False, timeout=30) as client:
        adding = asyncio.ensure_future(client.post("/documents", files={"file": ("Novel.pdf", b"%PDF")}))
        await settled(adding.done, "the upload")
        told = adding.result().json()
        assert (told["title"], told["tokens"]) == ("Novel.pdf", program.services.library.get(told["id"]).tokens)
        assert told["id"] in shown()
        removing = asyncio.ensure_future(client.delete(f"/documents/{told['id']}"))
        await settled(removing.done, "the removal")
        assert told["id"] not in shown()
        assert [item.id for item in program.services.library.removed()] == [told["id"]]  # it can be brought back
