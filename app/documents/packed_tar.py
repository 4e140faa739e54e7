"""TAR archives, plain or compressed with gzip, bzip2 or xz, and single files that are compressed so."""

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zlib
from collections.abc import Callable

from app.data.document import Warning
from app.documents.errors import Unreadable
from app.documents.member import GIT, PIECE, Member, Unpacked, drained, placed
from app.documents.member_names import decoded
from app.documents.signatures import BLOCK, GZIP, XZ, is_tar
from app.documents.source import Source

FAULTS = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, OverflowError)
PACKED_NAME = re.compile(r"\.(gz|bz2|xz|z|lzma)$", re.I)
NAMED, EXTRA = 8, 4
"""Flags of a gzip header: the name of the file stands in it, from byte 10 on when nothing extra does."""


def members(source: Source) -> Unpacked:
    if is_tar(source.data):
        return _tar(source.data, source)
    stream = _inflating(source.data)
    try:
        start = stream.read(BLOCK)
    except FAULTS as error:
        raise Unreadable("damaged", "TAR") from error
    if is_tar(start):
        data, warnings = _inflated(start, stream, source)
        unpacked = _tar(data, source)
        # That it ends too early is known already, when what it is packed in does.
        others = [one for one in unpacked.warnings if not warnings or one.code != "archive_cut"]
        return Unpacked(unpacked.members, (*warnings, *others), unpacked.made_by_git)
    name, uncertain = _name(source)
    return Unpacked([Member(name, _single(source))], uncertain)


def _inflating(data: bytes) -> io.BufferedIOBase:
    raw = io.BytesIO(data)
    if data.startswith(GZIP):
        return gzip.GzipFile(fileobj=raw)
    return lzma.LZMAFile(raw) if data.startswith(XZ) else bz2.BZ2File(raw)


def _inflated(start: bytes, stream: io.BufferedIOBase, source: Source) -> tuple[bytes, tuple[Warning, ...]]:
    """All of a tar, or what of it can be had."""
    allowance = source.place().allowance
    pieces = [start]
    try:
        while piece := stream.read1(PIECE):  # what a longer read has gathered is lost when it fails
            allowance.inflate(len(piece))
            pieces.append(piece)
    except Unreadable:
        return b"".join(pieces), (Warning("archive_full"),)
    except FAULTS:
        return b"".join(pieces), (Warning("archive_cut"),)
    return b"".join(pieces), ()


def _tar(data: bytes, source: Source) -> Unpacked:
    infos: list[tarfile.TarInfo] = []
    warnings: tuple[Warning, ...] = ()
    try:
        archive = tarfile.TarFile(fileobj=io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
        while (info := archive.next()) is not None:
            infos.append(info)
            if len(infos) > source.limits.members:
                raise Unreadable("too_big", "TAR")
    except FAULTS as error:
        if not infos:
            raise Unreadable("damaged", "TAR") from error
        warnings = (Warning("archive_cut"),)
    infos = [info for info in infos if not info.isdir()]
    names, uncertain = decoded([info.name.encode("utf-8", "surrogateescape") for info in infos])
    found = []
    for info, name in zip(infos, names, strict=True):
        path, reason = placed(name)
        if path:
            found.append(Member(path, _loader(archive, info, source), reason or _reason(info)))
    made_by_git = GIT.match(archive.pax_headers.get("comment", "").encode("utf-8", "replace")) is not None
    return Unpacked(found, (*warnings, *uncertain), made_by_git)


def _reason(info: tarfile.TarInfo) -> str:
    if info.isfile():
        return ""
    return "link" if info.issym() or info.islnk() else "special"


def _loader(archive: tarfile.TarFile, info: tarfile.TarInfo, source: Source) -> Callable[[], bytes]:
    def load() -> bytes:
        try:
            stream = archive.extractfile(info)
            if stream is None:
                raise Unreadable("damaged", "TAR")
            # What is there is no bomb; only the holes of a sparse file take no room.
            data = drained(stream, source.limits.file, source.place().allowance if info.issparse() else None)
        except FAULTS as error:
            raise Unreadable("damaged", "TAR") from error
        if len(data) != info.size:
            raise Unreadable("damaged", "TAR")
        return data

    return load


def _single(source: Source) -> Callable[[], bytes]:
    def load() -> bytes:
        try:
            return drained(_inflating(source.data), source.limits.file, source.place().allowance)
        except FAULTS as error:
            raise Unreadable("damaged", "GZIP") from error

    return load


def _name(source: Source) -> tuple[str, tuple[Warning, ...]]:
    """That the file had: a gzip may say it, else the archive's without its last ending."""
    data = source.data
    if data.startswith(GZIP) and data[3] & NAMED and not data[3] & EXTRA and (end := data.find(b"\0", 10)) > 10:
        (name,), uncertain = decoded([data[10:end]])
        if said := placed(name.replace("\\", "/").rpartition("/")[2])[0]:
            return said, uncertain
    return PACKED_NAME.sub("", source.name) or source.name, ()
