"""Names in archives: bytes that only the computer which packed them knew how to read."""

from collections.abc import Sequence

import chardet

from app.data.document import Warning
from app.documents.encodings import EBCDIC

PACKED_IN = ("gb18030", "cp932", "big5hkscs", "cp949", "cp866", "cp1251", "cp437", "cp850", "cp852", "cp1252", "cp1250")
"""What Windows and DOS have written names in; of two that are as likely the first is taken."""


def decoded(names: Sequence[bytes]) -> tuple[list[str], tuple[Warning, ...]]:
    """All names of one archive in one encoding. UTF-8 is sure; anything else is a guess, and said to be one."""
    special = [name for name in names if not name.isascii()]
    try:
        return [name.decode("utf-8") for name in names], ()
    except UnicodeDecodeError:
        encoding = _guess(b"\n".join(special))
    warning = Warning("uncertain_names", {"count": str(len(special)), "encoding": encoding})
    return [name.decode(encoding, "replace") for name in names], (warning,)


def _guess(names: bytes) -> str:
    found = chardet.detect_all(
        names, ignore_threshold=True, prefer_superset=True, compat_names=False, exclude_encodings=EBCDIC
    )
    likely = {str(one["encoding"]): float(one["confidence"]) for one in found}
    return max(PACKED_IN, key=lambda encoding: likely.get(encoding, 0.0))
