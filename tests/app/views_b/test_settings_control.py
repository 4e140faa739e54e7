"""The settings' controller: what is applied is kept and used, and what is on disk is shown and forgotten."""

import asyncio
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.controller.settings import SettingsController
from app.controller.state import State
from app.controller.tasks import Tasks
from app.data.settings import Settings
from app.services.providers import Providers
from app.views.settings_panel import SettingsPanel
from engine.client import RequestFailed
from engine.protocol import Failed, Forgotten
from tests.app.views_b import samples, settings_samples


class Window(QObject):
    theme_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.actions_by_name = {"settings": QAction(self)}
        self.composer = SimpleNamespace(set_enter_sends=lambda on: None)
        self.forgets: list[bool] = []
        self.instruments = SimpleNamespace(set_policy=self.forgets.append)

    def conversation_area(self) -> QRect:
        return QRect(0, 0, 760, 900)

    def set_theme(self, theme: str) -> None:
        """The menus would show it."""


class Assistant:
    host = None

    def __init__(self) -> None:
        self.settings = Settings()
        self.listed = settings_samples.LISTED
        self.asked: list[str] = []
        self.down = False

    async def plan(self, settings: Settings):
        self.asked.append("plan")
        return samples.SMALL_PLAN

    async def readings(self):
        self.asked.append("readings")
        if self.down:
            raise RequestFailed(Failed("1", "engine_died", "gone"))
        return self.listed

    async def forget_readings(self, documents):
        assert documents is None
        self.listed = replace(self.listed, readings=(), bytes=0)
        return Forgotten(12, settings_samples.LISTED.bytes)


class Engine:
    def __init__(self) -> None:
        self.loaded: list[Settings] = []

    async def load(self, settings: Settings) -> bool:
        self.loaded.append(settings)
        return True


@pytest.fixture
async def desk(qtbot, tmp_path):
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.resize(760, 900)
    ground.show()
    kept: list[Settings] = []
    made = SimpleNamespace(
        services=SimpleNamespace(
            assistant=Assistant(),
            settings=SimpleNamespace(save=kept.append),
            downloads=SimpleNamespace(hub=""),
            models=SimpleNamespace(entries=lambda chosen="": samples.MODELS),
            providers=Providers(tmp_path / "providers.json"),
        ),
        state=State(Settings()),
        window=Window(),
        notices=SimpleNamespace(),
        tasks=Tasks(lambda error: pytest.fail(repr(error))),
        attachments=SimpleNamespace(of=lambda conversation: [samples.AGREEMENT]),
        engine=Engine(),
        panel=SettingsPanel(ground),
        kept=kept,
        ground=ground,
    )
    made.state.loaded = settings_samples.LOADED
    made.controller = SettingsController(made, made.engine, made.panel)
    made.panel.set_loaded(settings_samples.LOADED)
    yield made
    await made.tasks.close()


async def settle(desk) -> None:
    """Until every task that was started has ended."""
    while desk.tasks._running:
        await asyncio.gather(*desk.tasks._running, return_exceptions=True)


async def test_opening_asks_what_is_kept_and_what_is_needed(desk):
    desk.controller.open()
    await settle(desk)
    assert sorted(desk.services.assistant.asked) == ["plan", "readings"]
    assert desk.state.readings == settings_samples.LISTED
    assert desk.panel.readings.state() == "Kept · 1.2 GB of 11.8 GB"
    assert desk.panel.forecast.reading.text().startswith("218,340 tokens in about 117 segments")


async def test_settings_of_reading_are_used_at_once_and_kept(desk):
    desk.controller.open()
    desk.panel.long.keep.setValue(3)
    desk.panel.apply_button.click()
    await settle(desk)
    assert desk.services.assistant.settings == Settings(keep=3)
    assert desk.kept == [Settings(keep=3)]
    assert desk.engine.loaded == [], "nothing is loaded for it"
    desk.panel.undo_button.click()
    assert desk.services.assistant.settings == Settings()


async def test_stretching_loads_the_model_anew(desk):
    desk.controller.open()
    await settle(desk)
    desk.panel.stretch.extension.button("yarn").click()
    desk.panel.apply_button.click()
    await settle(desk)
    assert desk.engine.loaded == [Settings(extension="yarn", window=16_384)]


async def test_another_folder_is_looked_into(desk):
    desk.controller.open()
    await settle(desk)
    desk.services.assistant.asked.clear()
    desk.panel.readings.take_folder("/mnt/large")
    desk.panel.apply_button.click()
    await settle(desk)
    assert "readings" in desk.services.assistant.asked


async def test_forgetting_empties_what_is_read_and_what_is_shown(desk):
    desk.controller.open()
    await settle(desk)
    desk.state.read = frozenset({samples.AGREEMENT.id})
    desk.panel.readings.forget.button.click()
    desk.panel.readings.forget.sure.click()
    await settle(desk)
    assert desk.state.read == frozenset()
    assert desk.state.readings.readings == ()
    assert desk.panel.readings.forget.taken.text().startswith("Forgotten: 12 readings")


async def test_where_the_engine_cannot_say_the_panel_says_that(desk):
    desk.services.assistant.down = True
    desk.controller.open()
    await settle(desk)
    assert desk.panel.readings.forget.taken.text() == "How much they take is not known yet."


async def test_a_policy_is_kept_and_the_instruments_know_it(desk):
    assert desk.window.forgets == [False]
    desk.controller.show("kept")
    assert desk.panel.isVisible()
    assert desk.panel.folds["kept"].is_open()
    choice = desk.panel.kept.policy
    choice.setCurrentIndex(choice.findData("h2o"))
    choice.activated.emit(choice.currentIndex())
    desk.panel.kept.share.setValue(20)
    desk.panel.apply_button.click()
    await settle(desk)
    assert desk.kept == [Settings(policy="h2o", policy_keep=0.2)]
    assert desk.services.assistant.settings == desk.kept[0]
    assert desk.engine.loaded == [], "nothing is loaded for it"
    assert desk.window.forgets[-1] is True
    desk.panel.undo_button.click()
    assert desk.window.forgets[-1] is False
