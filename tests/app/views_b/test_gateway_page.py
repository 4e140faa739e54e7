"""The page of the local API says how it stands, what each key may do and did, and asks before it widens anything."""

import pytest

from app.data.check import Check
from app.data.gateway import Served
from app.data.key import Key
from app.data.settings import Settings
from app.services.snippets import snippets
from app.views.gateway_page import GatewayPage
from app.views.key_dialog import KeyDialog
from app.views.privacy_page import PrivacyPage
from app.views.privacy_pill import PrivacyPill

HERE = "http://127.0.0.1:8317"
HERE_TLS = "https://127.0.0.1:8317"
USED = Key("k1", "Zed", "q7Xk", last_used=1.8e9, requests=1284, prompt=1_000, reused=900, written=34, today=120)
LIMITED = Key(
    *("k2", "script", "b2Zz", ("qwen3-4b",), ("d1", "gone"), True, 50),
    last_used=1.8e9,
    requests=1,
    prompt=52,
    today=52,
    last_error="daily_limit",
)
REVOKED = Key("k3", "old", "0x9f", revoked=1.8e9)


@pytest.fixture
def page(qtbot):
    made = GatewayPage()
    qtbot.addWidget(made)
    made.show_served(Settings(), Served("off", HERE))
    return made


def test_each_state_has_its_words_and_its_button(page, qtbot):
    state = page.state
    assert (state.headline.text(), state.button.text()) == ("Off", "Switch on")
    with qtbot.waitSignal(state.switched) as asked:
        state.button.click()
    assert asked.args == [True]
    page.show_served(Settings(), Served("on", HERE, under_way=2))
    assert (state.headline.text(), state.button.text()) == ("On, for this computer alone", "Switch off")
    assert state.under_way.text() == "2 requests under way."
    with qtbot.waitSignal(state.switched) as asked:
        state.button.click()
    assert asked.args == [False]
    page.show_served(Settings(), Served("failed", HERE, code="api_port_taken", values={"subject": "127.0.0.1:8317"}))
    assert state.told.text().startswith("The local API cannot be served at 127.0.0.1:8317: another program listens")
    assert state.button.text() == "Switch on"


def test_open_to_the_network_is_a_warning_in_words(page):
    others = ("https://ada:8317", "https://192.0.2.7:8317")
    page.show_served(Settings(api_host="0.0.0.0", api_tls=True), Served("on", HERE_TLS, open=True, others=others))
    assert page.where.address.text() == HERE_TLS
    assert "https://ada:8317, https://192.0.2.7:8317" in page.where.others.text()
    assert page.state.headline.property("role") == "title-warn"
    assert page.state.headline.text() == "On, and open to your network"
    assert "Connections are encrypted" in page.state.told.text()
    page.show_served(Settings(api_host="0.0.0.0"), Served("on", "http://ada:8317", open=True))
    assert "not encrypted: keys, questions and answers can be read" in page.state.told.text()
    assert page.where.tls_note.property("role") == "small-warn"


def test_where_it_is_served_is_changed_by_its_fields(page, qtbot):
    where = page.where
    assert where.address.text() == HERE
    assert "/v1, /api or /api/v1" in where.forms.text()
    with qtbot.waitSignal(where.changed) as changed:
        where.port.setValue(9000)
        where.port.editingFinished.emit()
    assert changed.args[0].api_port == 9000
    with qtbot.waitSignal(where.open_asked), qtbot.assertNotEmitted(where.changed):
        where.reach.button("network").click()
    assert where.reach.current() == "here", "until the person has agreed"
    with qtbot.waitSignal(where.changed) as changed:
        where.open()
    assert (changed.args[0].api_host, changed.args[0].api_tls) == ("0.0.0.0", True)
    page.show_served(changed.args[0], Served("on", "https://ada:8317", open=True))
    with qtbot.waitSignal(where.changed) as changed:
        where.names.setText(" Ada.office.example, ada,ada")
        where.names.editingFinished.emit()
    assert changed.args[0].api_names == ("ada.office.example", "ada")
    where.tls.button("files").click()
    assert not where.certificate.isHidden()
    with qtbot.waitSignal(where.changed) as changed:
        where.certificate.path.setText("/certs/ada.pem")
        where.certificate.path.editingFinished.emit()
    assert changed.args[0].api_tls_certificate == "/certs/ada.pem"
    with qtbot.waitSignal(where.changed) as changed:
        where.tls.button("none").click()
    assert (changed.args[0].api_tls, changed.args[0].api_tls_certificate) == (False, "")


def test_keys_say_what_they_may_and_did(page, qtbot):
    assert not page.keys.none.isHidden()
    page.keys.set_keys([USED, LIMITED, REVOKED], {"d1": "Lease.pdf"})
    assert page.keys.none.isHidden()
    zed, script, old = (page.keys.row(name) for name in ("Zed", "script", "old"))
    assert zed.hint.text() == "sk-…q7Xk"
    assert zed.may.whole() == "All models · all documents · this computer's engine only"
    assert zed.today.text() == "120 tokens today"
    assert "1,284 requests · 1,034 tokens in all · 900 of them reused" in zed.done.text()
    assert zed.error.isHidden()
    said = "qwen3-4b · Lease.pdf, a document that was deleted · engines on other computers too"
    assert script.may.whole() == said
    assert script.today.text() == "52 of 50 tokens today: refused until midnight"
    assert script.error.text() == "last request: daily limit reached"
    assert old.revoke_button.isHidden()
    assert not old.forget_button.isHidden()
    assert zed.revoke_button.accessibleName() == "Revoke the key Zed"
    with qtbot.waitSignal(page.keys.revoked) as asked:
        zed.revoke_button.click()
    assert asked.args == ["Zed"]
    with qtbot.waitSignal(page.keys.forgotten) as asked:
        old.forget_button.click()
    assert asked.args == ["old"]
    page.keys.set_keys([LIMITED], {})
    with pytest.raises(StopIteration):
        page.keys.row("Zed")


def test_a_key_is_made_for_what_is_ticked_and_its_secret_shown(qtbot):
    dialog = KeyDialog(["longread", "qwen3-4b"], [("d1", "Lease.pdf"), ("d2", "Plan.pdf")])
    qtbot.addWidget(dialog)
    assert not dialog.make_button.isEnabled()
    dialog.name.setText("Zed")
    assert dialog.make_button.isEnabled()
    dialog.documents.choice.button("only").click()
    assert not dialog.make_button.isEnabled(), "nothing that is ticked must not come to mean everything"
    dialog.documents.list.item(1).setCheckState(dialog.documents.list.item(0).checkState().Checked)
    dialog.remote.setChecked(True)
    dialog.daily.setValue(50_000)
    with qtbot.waitSignal(dialog.wanted) as asked:
        dialog.make_button.click()
    wanted = asked.args[0]
    assert (wanted.name, wanted.models, wanted.documents) == ("Zed", (), ("d2",))
    assert (wanted.remote, wanted.daily_tokens) == (True, 50_000)
    dialog.show_problem("There is a key Zed already.")
    assert not dialog.problem.isHidden()
    dialog.show_secret(USED, "sk-secret")
    assert dialog.secret.text() == "sk-secret"
    assert dialog.name.isHidden() or not dialog.name.isVisibleTo(dialog)


def test_a_limit_without_choices_cannot_be_chosen(qtbot):
    dialog = KeyDialog(["longread"], [])
    qtbot.addWidget(dialog)
    assert not dialog.documents.choice.button("only").isEnabled()
    assert dialog.models.choice.button("only").isEnabled()


def test_programs_settings_follow_the_choice(page, qtbot):
    part = page.snippets
    part.set_models(["longread", "qwen3-4b"])
    part.set_snippets(snippets(HERE, "", "longread", windows=False))
    assert part.text.toPlainText().startswith("from openai import OpenAI")
    part.tool.setCurrentIndex(part.tool.findData("curl"))
    part.tool.activated.emit(part.tool.currentIndex())
    assert part.text.toPlainText().startswith("curl ")
    assert part.text.accessibleName() == "Settings for curl"
    with qtbot.waitSignal(part.changed):
        part.key.setText("sk-1")
    part.set_snippets(snippets(HERE, "sk-1", "longread", windows=False))
    assert part.text.toPlainText().startswith("curl "), "the program that was chosen stays"
    assert "sk-1" in part.text.toPlainText()


def test_findings_have_signs_and_are_read_aloud_as_they_are(page):
    page.checks.begin()
    assert not page.checks.button.isEnabled()
    page.checks.add(Check("reached", "good", "reached", {"address": HERE}))
    page.checks.add(Check("model", "bad", "model_absent", {"model": "gpt-4"}))
    page.checks.finish()
    assert page.checks.text() == f"{HERE} answers.\ngpt-4 is none of the models that this key may ask."
    assert [sign.accessibleName() for sign in page.checks._signs] == ["in order", "not in order"]
    page.checks.begin()
    assert page.checks.text() == ""


def test_pill_and_privacy_page_say_who_may_connect(qtbot):
    pill, privacy = PrivacyPill(), PrivacyPage()
    qtbot.addWidget(pill)
    qtbot.addWidget(privacy)
    assert "listens nowhere" in privacy.served.text()
    pill.set_serving(True, False)
    assert pill.text() == "Nothing leaves this computer · 0 connections · local API on"
    privacy.set_served(Served("on", HERE))
    assert privacy.served.text().startswith(f"Programs on this computer, at {HERE}")
    pill.set_serving(True, True)
    assert pill.text() == "The local API is open to your network · 0 connections"
    assert pill.property("role") == "pill-warn"
    pill.set_connections(3, "gpu.example:8000")
    said = "Documents and questions go to gpu.example:8000 · 3 connections · local API open to your network"
    assert pill.text() == said
    pill.set_connections(0)
    privacy.set_served(Served("on", "https://ada:8317", open=True))
    assert privacy.served.property("role") == "warn"
    pill.set_serving(False, False)
    assert pill.text() == "Nothing leaves this computer · 0 connections"
    assert pill.property("role") == "pill"
