"""How Longread looks: the colours of window.md as tokens, one palette, one style sheet, sizes from the system's font.

Every colour has a name here and nowhere else. `resources/style.qss` names tokens as `{{token}}` and styles widgets by
class or by the dynamic property `role`; `set_role` sets it. Widgets that paint themselves ask `color` while painting.
Sizes are points derived from the system's font, so all text follows it; lengths in the sheet are device-independent.
"""

import re
from functools import cache
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

Scheme = Literal["light", "dark"]
Choice = Literal["system", "light", "dark"]

SHEET = Path(__file__).parents[2] / "resources" / "style.qss"

# Text colours are a shade stronger than a picture would need, because each is read on every ground of `PAIRS`.
LIGHT = {
    "desk": "#EFEAE1",
    "bar": "#E7E0D4",
    "side": "#F4F0E8",
    "sheet": "#FAF7F1",
    "paper": "#FFFDF8",
    "bubble": "#EFE5D5",
    "selected": "#E8DECD",
    "chip": "#F1EADD",
    "hover": "#EAE2D4",
    "drop": "#FCF4EA",
    "line": "#DDD4C5",
    "edge": "#C9BEAC",
    "ink": "#2B2722",
    "quiet": "#6A6155",
    "accent": "#A2673F",
    "accent_text": "#85522F",
    "button": "#A2673F",
    "button_hover": "#935C37",
    "button_ink": "#FFFDF8",
    "good": "#3F6D37",
    "good_ground": "#E8F0E2",
    "good_line": "#B9D1AE",
    "good_ink": "#3C5A34",
    "warn": "#7E550A",
    "warn_ground": "#FBF0D2",
    "bad": "#A03D27",
    "bad_ground": "#F9E4DD",
    "remote": "#2F5D7C",
    "remote_ground": "#E1ECF3",
    "mark": "#F6DC9B",
    "faint_mark": "#FBF0D2",
    "selection": "#E5CFBB",
    "code": "#F3EDE2",
    "track": "#D7CDBD",
    "weights": "#7A5A41",
    "kv": "#B9824D",
    "state": "#D9B26F",
    "other": "#BDB3A4",
    "shadow": "#2B2722",
    "code_keyword": "#8A3B12",
    "code_string": "#3F6D37",
    "code_comment": "#6A6155",
    "code_number": "#2F5D7C",
    "code_name": "#6B4C8A",
}
DARK = {
    "desk": "#1B1916",
    "bar": "#24211D",
    "side": "#201D1A",
    "sheet": "#1E1B18",
    "paper": "#2A2622",
    "bubble": "#332C26",
    "selected": "#352F28",
    "chip": "#342E27",
    "hover": "#322D28",
    "drop": "#2A231D",
    "line": "#413B33",
    "edge": "#564E44",
    "ink": "#E8E1D6",
    "quiet": "#A99E92",
    "accent": "#B8764A",
    "accent_text": "#D39566",
    "button": "#A2673F",
    "button_hover": "#AC6F45",
    "button_ink": "#FFFDF8",
    "good": "#A9CF9C",
    "good_ground": "#22301F",
    "good_line": "#3D5437",
    "good_ink": "#A9CF9C",
    "warn": "#E3B15F",
    "warn_ground": "#3A301C",
    "bad": "#E08A72",
    "bad_ground": "#3B2620",
    "remote": "#9CC1DE",
    "remote_ground": "#1F2C36",
    "mark": "#6B5220",
    "faint_mark": "#4A3D22",
    "selection": "#5E4531",
    "code": "#26221E",
    "track": "#3A342D",
    "weights": "#7A5A41",
    "kv": "#B9824D",
    "state": "#D9B26F",
    "other": "#BDB3A4",
    "shadow": "#000000",
    "code_keyword": "#E39A6B",
    "code_string": "#A9CF9C",
    "code_comment": "#A1968A",
    "code_number": "#9CC1DE",
    "code_name": "#C7AEE0",
}
TOKENS: dict[Scheme, dict[str, str]] = {"light": LIGHT, "dark": DARK}

_TEXTS = ("ink", "quiet", "accent_text", "good", "warn", "bad")
_GROUNDS = ("desk", "bar", "side", "sheet", "paper", "bubble", "selected", "chip", "hover", "drop")
PAIRS: tuple[tuple[str, str], ...] = (
    *((text, ground) for text in (*_TEXTS, "remote") for ground in _GROUNDS),
    *(("ink", ground) for ground in ("mark", "faint_mark", "selection", "warn_ground", "bad_ground", "good_ground")),
    *((f"code_{kind}", "code") for kind in ("keyword", "string", "comment", "number", "name")),
    ("ink", "code"),
    ("quiet", "code"),
    ("accent_text", "code"),
    ("button_ink", "button"),
    ("good_ink", "good_ground"),
    ("warn", "warn_ground"),
    ("bad", "bad_ground"),
    ("remote", "remote_ground"),
)
"""Every text and the ground it may stand on; a test computes their contrast."""

# Of the interface's size; window.md draws 13 px for the interface and 14 for answers.
SIZES = {"caption": 11 / 13, "small": 12 / 13, "interface": 1.0, "document": 1.0, "code": 12 / 13, "answer": 14 / 13}
SIZES |= {"heading": 15 / 13, "title": 17 / 13, "display": 22 / 13}
INTERFACE_OF_SYSTEM = 13 / 12
"""The usual system font of 9 points is 12 px at 96 dots an inch; the interface is drawn at 13."""

# A desktop without a font of its own names only a generic family; the first of these that is installed is nicer.
_GENERIC = {"Sans Serif", "Sans", "sans-serif", ""}
_PREFERRED = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Segoe UI")


class _Look:
    """What was applied last: module state, since an application has one look."""

    scheme: Scheme = "light"
    choice: Choice = "system"
    system_font: QFont | None = None
    following = False


def scheme() -> Scheme:
    return _Look.scheme


def css(token: str) -> str:
    """The token's colour as #RRGGBB, in the scheme applied last."""
    return TOKENS[_Look.scheme][token]


def color(token: str) -> QColor:
    return QColor(css(token))


def stamp() -> tuple[str, float]:
    """Changes whenever text with colours or sizes of its own must be drawn anew."""
    return (_Look.scheme, QApplication.font().pointSizeF())


def apply(app: QApplication, choice: Choice = "system") -> None:
    """Give the application its palette, font and style sheet; "system" follows the desktop's scheme from now on."""
    if _Look.system_font is None:
        _Look.system_font = QFont(app.font())
    _Look.choice = choice
    hints = QGuiApplication.styleHints()
    if not _Look.following:
        _Look.following = True
        app.setStyle("Fusion")
        hints.colorSchemeChanged.connect(lambda _: _follow(app))
    wanted = {"system": Qt.ColorScheme.Unknown, "light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    hints.setColorScheme(wanted[choice])
    _dress(app)


def _follow(app: QApplication) -> None:
    if _Look.choice == "system":
        _dress(app)


def _dress(app: QApplication) -> None:
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    _Look.scheme = _Look.choice if _Look.choice != "system" else ("dark" if dark else "light")
    if (wanted := sheet()) == app.styleSheet():
        return  # it is worn already, and every widget of the window would be dressed anew
    app.setFont(font("interface"))
    app.setPalette(palette())
    app.setStyleSheet(wanted)


def font(size: str = "interface", *, bold: bool = False) -> QFont:
    """A font of `SIZES`: "document" is serif, "code" of fixed width, all others the system's."""
    system = _Look.system_font or QApplication.font()
    made = QFont(system)
    if size == "document":
        made.setFamilies(["Source Serif 4", "Noto Serif", "DejaVu Serif", "Georgia", "serif"])
        made.setStyleHint(QFont.StyleHint.Serif)
    elif size == "code":
        made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    elif set(system.families()) <= _GENERIC:
        made.setFamilies([*_installed(), *system.families()])
    points = system.pointSizeF() if system.pointSizeF() > 0 else system.pixelSize() * 0.75
    made.setPointSizeF(points * INTERFACE_OF_SYSTEM * SIZES[size])
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


@cache
def _installed() -> tuple[str, ...]:
    known = set(QFontDatabase.families())
    return tuple(family for family in _PREFERRED if family in known)[:1]


def palette() -> QPalette:
    made = QPalette()
    role = QPalette.ColorRole
    for which, token in (
        (role.Window, "desk"),
        (role.WindowText, "ink"),
        (role.Base, "paper"),
        (role.AlternateBase, "side"),
        (role.Text, "ink"),
        (role.PlaceholderText, "quiet"),
        (role.Button, "paper"),
        (role.ButtonText, "ink"),
        (role.BrightText, "bad"),
        (role.ToolTipBase, "paper"),
        (role.ToolTipText, "ink"),
        (role.Highlight, "selection"),
        (role.HighlightedText, "ink"),
        (role.Link, "accent_text"),
        (role.LinkVisited, "accent_text"),
        (role.Accent, "accent"),
        (role.Light, "paper"),
        (role.Midlight, "line"),
        (role.Mid, "line"),
        (role.Dark, "edge"),
        (role.Shadow, "shadow"),
    ):
        made.setColor(which, color(token))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, color("quiet"))
    return made


def sheet() -> str:
    """The style sheet with every `{{token}}` filled in; `{{size:name}}` is a size of `SIZES` in points."""
    filled = re.sub(r"\{\{size:(\w+)\}\}", lambda m: f"{font(m[1]).pointSizeF():.2f}pt", SHEET.read_text("utf-8"))
    return re.sub(r"\{\{(\w+)\}\}", lambda m: css(m[1]), filled)


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget a role of the style sheet, also after it was shown."""
    if widget.property("role") == role:
        return
    widget.setProperty("role", role)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
