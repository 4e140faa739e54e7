"""The look: every text can be read on its ground, and the style sheet is complete in both schemes."""

import re

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from app.views import icons, theme


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """WCAG 2.2 contrast ratio."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), theme.PAIRS)
def test_every_text_can_be_read_on_its_ground(scheme, text, ground):
    tokens = theme.TOKENS[scheme]
    assert contrast(tokens[text], tokens[ground]) >= 4.5


def test_both_schemes_have_the_same_tokens():
    assert theme.LIGHT.keys() == theme.DARK.keys()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_applying_fills_sheet_and_palette(qapp, scheme):
    theme.apply(qapp, scheme)
    assert "{{" not in qapp.styleSheet()
    assert not re.search(r"font-size:\s*[\d.]+px", qapp.styleSheet())
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == theme.TOKENS[scheme]["desk"]
    assert theme.scheme() == scheme


def test_a_look_that_is_worn_already_is_not_put_on_again(qapp):
    class Dressed(QWidget):
        def changeEvent(self, event):
            if event.type() == QEvent.Type.StyleChange:
                times.append(event)

    times = []
    theme.apply(qapp, "light")
    widget = Dressed()
    widget.ensurePolished()
    times.clear()
    theme.apply(qapp, "light")
    assert not times
    theme.apply(qapp, "dark")
    assert times


def test_the_system_scheme_is_followed_until_one_is_chosen(qapp, monkeypatch):
    theme.apply(qapp, "system")
    before = theme.scheme()
    hints = qapp.styleHints()
    hints.setColorScheme(Qt.ColorScheme.Dark if before == "light" else Qt.ColorScheme.Light)
    followed = theme.scheme()
    assert followed == ("dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light")
    theme.apply(qapp, "light")
    assert theme.scheme() == "light"


def test_sizes_follow_the_system_font(qapp, monkeypatch):
    theme.apply(qapp, "light")
    small = theme.font("answer").pointSizeF()
    larger = type(qapp.font())(theme._Look.system_font)
    larger.setPointSizeF(larger.pointSizeF() * 2)
    monkeypatch.setattr(theme._Look, "system_font", larger)
    assert theme.font("answer").pointSizeF() == pytest.approx(small * 2, abs=0.02)


def test_every_icon_can_be_drawn_and_carries_its_licence(qapp):
    for path in icons.FOLDER.glob("*.svg"):
        assert not icons.pixmap(path.stem).toImage().isNull()
    assert "ISC License" in (icons.FOLDER / "LICENSE.txt").read_text()
