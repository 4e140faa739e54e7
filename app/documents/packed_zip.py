"""ZIP archives: names in whatever encoding, passwords of both kinds, sizes that lie."""

import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator

from app.documents.errors import Unreadable
from app.documents.member import GIT, Member, Unpacked, drained, placed
from app.documents.member_names import decoded
from app.documents.source import Source
from app.documents.zip_aes import AES, opened

ENCRYPTED = 1
UTF8 = 0x800
UNICODE_PATH = 0x7075
UNIX = 3
UNPACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
FAULTS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, ValueError)


def members(source: Source) -> Unpacked:
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
    except (*FAULTS, NotImplementedError) as error:
        raise Unreadable("damaged", "ZIP") from error
    infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    names, warnings = _names(infos)
    found = []
    for info, name in zip(infos, names, strict=True):
        path, reason = placed(name)
        if path:
            found.append(Member(path, _loader(archive, info, path, source), reason or _reason(info)))
    return Unpacked(found, warnings, GIT.match(archive.comment) is not None)


def _names(infos: list[zipfile.ZipInfo]) -> tuple[list[str], tuple]:
    """What is marked as UTF-8, or has its name beside it in UTF-8, is sure; the rest is read together."""
    names = [_sure(info) for info in infos]
    raw = [_raw(info) for info, name in zip(infos, names, strict=True) if name is None]
    guessed, warnings = decoded(raw)
    rest: Iterator[str] = iter(guessed)
    return [_slashed(next(rest) if name is None else name) for name in names], warnings


def _raw(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("cp437")


def _sure(info: zipfile.ZipInfo) -> str | None:
    if info.flag_bits & UTF8:
        return info.orig_filename
    raw, extra = _raw(info), info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == UNICODE_PATH and len(field) > 5 and field[1:5] == zlib.crc32(raw).to_bytes(4, "little"):
            return field[5:].decode("utf-8", "replace")
    return None


def _slashed(name: str) -> str:
    """Old programs for Windows wrote backslashes: only now, for half of many a Chinese character is one."""
    name = name.partition("\0")[0]
    return name if "/" in name else name.replace("\\", "/")


def _reason(info: zipfile.ZipInfo) -> str:
    if info.create_system == UNIX and (mode := stat.S_IFMT(info.external_attr >> 16)) not in (0, stat.S_IFREG):
        return "link" if mode == stat.S_IFLNK else "special"
    return ""


def _loader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, source: Source) -> Callable[[], bytes]:
    def load() -> bytes:
        words = source.options.passwords
        password = words.get(path, words.get("", "")).encode()
        allowance = source.place().allowance
        if info.flag_bits & ENCRYPTED and not password:
            raise Unreadable("encrypted", "ZIP")
        if info.compress_type not in (*UNPACKED, AES):
            raise Unreadable("unknown_format", "ZIP")
        try:
            if info.compress_type == AES:
                return drained(opened(source.data, info, password), source.limits.file, allowance)
            with archive.open(info, pwd=password or None) as stream:
                return drained(stream, source.limits.file, allowance)
        except RuntimeError as error:
            raise Unreadable("encrypted", "ZIP") from error
        except FAULTS as error:
            # One wrong password of 256 passes for the right one, until nothing can be unpacked with it.
            raise Unreadable("encrypted" if info.flag_bits & ENCRYPTED else "damaged", "ZIP") from error

    return load
