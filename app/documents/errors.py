"""The one exception of this package: a document, or a part of one, gives no text."""

from app.data.document import RefusalCode


class Unreadable(Exception):
    """`detail` is a technical word for the person's sentence, such as the format's name; never the document's words."""

    def __init__(self, code: RefusalCode, detail: str = "") -> None:
        super().__init__(code)
        self.code: RefusalCode = code
        self.detail = detail


class PassedOver(Unreadable):
    """A file in a folder, an archive or a mail that could be read and is not, by a code of `LeftOut.reason`."""

    def __init__(self, reason: str) -> None:
        super().__init__("no_text", reason)
