"""Writes the words of a Markdown block: bold, italic, code, links; pictures as their words."""

from collections.abc import Sequence

from markdown_it.token import Token
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor

from app import markdown
from app.views import theme
from app.views.marks import Marker

LINE_SEPARATOR = "\u2028"


def characters(size: str = "answer", token: str = "ink") -> QTextCharFormat:
    """Letters of one of the theme's sizes in a colour of the theme."""
    made = QTextCharFormat()
    made.setFont(theme.font(size))
    made.setForeground(theme.color(token))
    return made


def write(cursor: QTextCursor, tokens: Sequence[Token], plain: QTextCharFormat, marker: Marker) -> None:
    """Insert the tokens at the cursor; `plain` is how unmarked words look."""
    formats = [plain]
    for token in tokens:
        if token.type == "text":
            marker.write(cursor, token.content, formats[-1])
        elif token.type == "code_inline":
            marker.write(cursor, token.content, _code(formats[-1]))
        elif token.type == "softbreak":
            cursor.insertText(" ", formats[-1])
        elif token.type == "hardbreak":
            cursor.insertText(LINE_SEPARATOR, formats[-1])
        elif token.type == "image":
            words = marker.plain(markdown.plain(token.children or ()) or str(token.attrGet("src")))
            shown = QCoreApplication.translate("inline", "[picture: {words}]").format(words=words)
            quiet = QTextCharFormat(formats[-1])
            quiet.setForeground(theme.color("quiet"))
            cursor.insertText(shown, quiet)
        elif token.nesting == 1:
            formats.append(_marked(formats[-1], token))
        elif token.nesting == -1:
            formats.pop()
        else:
            marker.write(cursor, token.content, formats[-1])


def _marked(under: QTextCharFormat, token: Token) -> QTextCharFormat:
    made = QTextCharFormat(under)
    if token.type == "strong_open":
        made.setFontWeight(QFont.Weight.Bold)
    elif token.type == "em_open":
        made.setFontItalic(True)
    elif token.type == "s_open":
        made.setFontStrikeOut(True)
    elif token.type == "link_open":
        made.setAnchor(True)
        made.setAnchorHref(str(token.attrGet("href")))
        made.setForeground(theme.color("accent_text"))
        made.setFontUnderline(True)
    return made


def _code(under: QTextCharFormat) -> QTextCharFormat:
    made = QTextCharFormat(under)
    size = under.fontPointSize() / theme.font("answer").pointSizeF() * theme.font("code").pointSizeF()
    made.setFontFamilies(theme.font("code").families())
    made.setFontPointSize(size)
    made.setBackground(theme.color("code"))
    return made
