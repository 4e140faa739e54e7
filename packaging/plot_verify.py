"""`python packaging/plot_verify.py CERTIFICATE.json FOLDER`: a verification's heat map, its latency curve and the first
page of its certificate, as the README shows them."""

import asyncio
import sys
import tempfile
from pathlib import Path

import pypdfium2

from app.services.verify import certificate
from app.services.verify.pictures import picture

SHARPNESS = 1.6
"""Pixels of a point of the page."""


def page(pdf: Path) -> bytes:
    """The first one as a PNG."""
    with pypdfium2.PdfDocument(pdf) as document, tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "page.png"
        document[0].render(scale=SHARPNESS).to_pil().quantize(64).save(drawn, optimize=True)
        return drawn.read_bytes()


def main(source: Path, folder: Path) -> None:
    made = certificate.opened(source)
    for outcome in made.report.outcomes:
        if outcome.test in ("needles", "latency"):
            (folder / f"verify-{outcome.test}.svg").write_text(picture(outcome), encoding="utf-8")
    with tempfile.TemporaryDirectory() as passing:
        (pdf,) = asyncio.run(certificate.write(made, Path(passing) / "certificate.pdf"))
        (folder / "certificate.png").write_bytes(page(pdf))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
