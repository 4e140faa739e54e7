"""The self-test's window: built, shown where nobody sees it, and drawn once into a picture."""

import sys

from PySide6.QtWidgets import QApplication

from app.application import translate
from app.views import theme
from app.views.window import MainWindow

COLOURS = 8
"""A picture with fewer shows no window."""


def main() -> None:
    """Says the size of what was drawn on stdout. SystemExit when nothing was."""
    qt = QApplication(sys.argv[:1])
    translate(qt, "en")
    theme.apply(qt, "light")
    window = MainWindow()
    window.show()
    qt.processEvents()
    picture = window.grab().toImage()
    places = ((x, y) for x in range(0, picture.width(), 4) for y in range(0, picture.height(), 4))
    colours = {picture.pixel(x, y) for x, y in places}
    window.close()
    if len(colours) < COLOURS:
        sys.exit(f"only {len(colours)} colours were drawn")
    print(f"{picture.width()} × {picture.height()}, {len(colours)} colours", flush=True)
