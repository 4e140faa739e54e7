"""The printing process: HTML comes in on stdin, a PDF goes out on stdout. Nothing in the HTML is fetched."""

import base64
import sys

import msgspec
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.data.printing import PrintJob

MARGIN = 20.0  # mm


class _Document(QTextDocument):
    def loadResource(self, kind, name):
        """Pictures and style sheets that the text may name are not looked for; those that it holds itself are shown."""
        head, _, body = name.toString().partition(";base64,")
        return QImage.fromData(base64.b64decode(body)) if body and head.startswith("data:image/") else None


def main() -> None:
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=PrintJob)
    application = QGuiApplication(sys.argv[:1])
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(job.title)
    writer.setCreator("Longread")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    margins = QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN)
    writer.setPageMargins(margins, QPageLayout.Unit.Millimeter)
    document = _Document()
    document.setHtml(job.html)
    document.print_(writer)  # which numbers the pages
    del writer  # the PDF is whole only when its writer is gone
    sys.stdout.buffer.write(buffer.data().data())
    sys.stdout.flush()
    del document, application
