"""A document that a client sends: a form with one file."""

import sys
from collections.abc import AsyncGenerator

from msgspec import Struct
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.gateway.errors import ApiError

FIELDS = ("collection", "password")
LONGEST = 255
"""Bytes of a file's name."""


class Upload(Struct, frozen=True):
    """`name`: the file's own. `collection`: the one that it is put into; `password`: opens it."""

    name: str
    content: bytes
    collection: str = ""
    password: str = ""


class _InMemory(MultiPartParser):
    """The body is in memory already: nothing of it goes into the system's folder for temporary files."""

    spool_max_size = sys.maxsize


async def upload(headers: Headers, body: bytes) -> Upload:
    """Raises `ApiError`: "no_file", "two_files", "file_name", or "unknown_parameter"."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "multipart/form-data":
        raise ApiError("no_file")
    try:
        form = await _InMemory(headers, _at_once(body)).parse()
    except (MultiPartException, KeyError, ValueError):
        raise ApiError("no_file") from None
    try:
        fields = form.multi_items()
        if unknown := sorted({name for name, _ in fields} - {"file", *FIELDS}):
            raise ApiError("unknown_parameter", param=", ".join(unknown), known=", ".join(("file", *FIELDS)))
        files = [value for name, value in fields if name == "file" and isinstance(value, UploadFile)]
        said = {name: value for name, value in fields if name in FIELDS and isinstance(value, str)}
        if len(files) > 1:
            raise ApiError("two_files")
        if not files or len(files) + len(said) < len(fields):
            raise ApiError("no_file")
        return Upload(_own_name(files[0].filename or ""), await files[0].read(), **said)
    finally:
        await form.close()


def _own_name(sent: str) -> str:
    """Without the folders that some clients send before it."""
    name = sent.replace("\\", "/").rpartition("/")[2].replace("\0", "")
    if len(name.encode("utf-8", "replace")) > LONGEST:
        raise ApiError("file_name", param="file", limit=str(LONGEST))
    return name if name.strip(" .") else "document"


async def _at_once(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body
