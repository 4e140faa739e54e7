"""Invented things to show in the settings panel: a model that reads in segments, and readings on disk."""

from msgspec.structs import replace
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from app.data.settings import Settings
from app.views.settings_panel import SettingsPanel
from engine.protocol import Calibration, Listed, Note, Saved
from tests.app.views_b import samples

GB = samples.GB

CALIBRATION = Calibration(segment=2000, overlap=128, join="consecutive", keep=2, gap=0.35, part=500, measured=True)
LOADED = replace(samples.SMALL_LOADED, calibration=CALIBRATION, kv_token=23_040, kv_token_int8=12_240)
STRETCHED = samples.planned(
    16_384, 40_000, 8192, weights=270 * 2**20, kv=360 * 2**20, state=0, activations=80 * 2**20, overhead=90 * 2**20,
    needed=800 * 2**20, available=20 * GB, precision="bf16", device=samples.CPU,
    notes=(Note("extended", {"factor": "2", "native": "8192", "window": "16384", "method": "yarn"}),),
)  # fmt: skip
LISTED = Listed(
    readings=tuple(
        Saved(
            id=f"r{n}",
            documents=(f"{n}" * 64,),
            mode="parallel",
            tokens=131_072,
            bytes=GB // 10,
            created=1.8e9,
            used=1.8e9,
            model="SmolLM2-135M-Instruct",
            fingerprint="f" * 64,
            precision="bf16",
            opens=1.4,
        )
        for n in range(12)
    ),
    bytes=int(1.2 * GB),
    quota=int(11.8 * GB),
    free=118 * GB,
    folder="/home/a/.local/share/longread/readings",
)


def shown(qtbot, settings: Settings | None = None, size: tuple[int, int] = (760, 1000)) -> SettingsPanel:
    """The panel over an empty ground, with a small model that is loaded and measured; `changes` gathers its drafts."""
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.resize(*size)
    panel = SettingsPanel(ground)
    panel.set_models(samples.MODELS)
    panel.set_settings(settings or Settings())
    panel.set_loaded(LOADED)
    panel.set_plan(samples.SMALL_PLAN)
    panel.set_readings(LISTED)
    ground.show()
    panel.open_at(QRect(0, 0, *size))
    panel.ground = ground
    panel.changes = []
    panel.changed.connect(panel.changes.append)
    return panel
