"""Which Office document a zip is, by the parts in it."""

from app.data.document import Kind
from app.documents.archive import Archive
from app.documents.errors import Unreadable
from app.documents.xml import attribute, every, local, parse

MAIN: dict[str, Kind] = {
    "word/document.xml": "docx",
    "ppt/presentation.xml": "pptx",
    "xl/workbook.xml": "sheet",
    "xl/workbook.bin": "sheet",
}
FOLDERS: dict[str, Kind] = {"word/": "docx", "ppt/": "pptx", "xl/": "sheet"}
ROOTS: dict[str, Kind] = {"document": "docx", "presentation": "pptx", "workbook": "sheet"}

OPEN = "application/vnd.oasis.opendocument."
OPEN_KINDS: dict[str, Kind] = {"text": "odt", "presentation": "odp", "graphics": "odp", "spreadsheet": "sheet"}


def office_kind(archive: Archive) -> Kind | None:
    """None when the zip is no Office document. Raises `Unreadable` for what is one and is not read."""
    if media := _open_document(archive):
        kind = OPEN_KINDS.get(media.removeprefix(OPEN).partition("-")[0])
        if kind is None:
            raise Unreadable("unknown_format", "ODF")
        return kind
    for name, kind in MAIN.items():
        if name in archive.names:
            return kind
    if "[Content_Types].xml" not in archive.names and "_rels/.rels" not in archive.names:
        return None
    # Nobody is bound to the usual names; and where the main part is lost, the folder still tells whose it was.
    return _by_root(archive) or next(
        (k for f, k in FOLDERS.items() if any(n.startswith(f) for n in archive.names)), None
    )


def _open_document(archive: Archive) -> str:
    """The media type that an OpenDocument gives of itself; "" for anything else."""
    if "mimetype" in archive.names:
        media = archive.read("mimetype").strip().decode("ascii", "replace")
        if media.startswith(OPEN):
            return media
    if "META-INF/manifest.xml" not in archive.names or "content.xml" not in archive.names:
        return ""
    entries = every(parse(archive.read("META-INF/manifest.xml")), "file-entry")
    media = next((attribute(e, "media-type") for e in entries if attribute(e, "full-path") == "/"), "")
    return media if media.startswith(OPEN) else ""


def _by_root(archive: Archive) -> Kind | None:
    try:
        relations = parse(archive.read("_rels/.rels")) if "_rels/.rels" in archive.names else ()
        for relation in relations:
            name = attribute(relation, "Target").removeprefix("/")
            if attribute(relation, "Type").endswith("/officeDocument") and name in archive.names:
                return ROOTS.get(local(parse(archive.read(name))))
    except Unreadable as reason:
        if reason.code == "too_big":
            raise
    return None
