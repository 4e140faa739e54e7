"""`icon.py SVG ICO`: the icon as Windows wants it, drawn by Qt in each size. Run by the build's own Python."""

import io
import os
import sys
from pathlib import Path

SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)


def main(source: str, target: str) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication([])
    drawn = []
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        QSvgRenderer(source).render(painter)
        painter.end()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")
        drawn.append(Image.open(io.BytesIO(buffer.data().data())))
    drawn[-1].save(Path(target), "ICO", append_images=drawn[:-1], sizes=[(size, size) for size in SIZES])
    del application


if __name__ == "__main__":
    main(*sys.argv[1:])
