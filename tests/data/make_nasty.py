"""Files that other programs stumble over, as people reported them, and what each must come to."""

import random

from make_archives import gzip_quine, gzipped, lying_zip, old_zip, overlapping_zip, special, tar, zip_aes
from make_documents import STRICT_W, docx, epub, paragraph, pdf, picture, xhtml, zipped
from make_mail import attachment, eml, msg
from make_nasty_pdfs import PDFS
from make_notebook import PICTURE, notebook
from make_office import Sheet, Slide, cell, odt, pptx, row, rtf, shape, xlsx
from make_office import docx as office_docx
from make_ole2 import locked, xls
from nasty import Nasty

from app.documents.messages import Limits, Options

RUN = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'.format
BY = 'w:id="9" w:author="A. Smith"'
PRICE = (
    f"<w:p>{RUN('The price is ')}<w:del {BY}><w:r><w:delText>900</w:delText></w:r></w:del><w:ins {BY}>{RUN('1,200')}"
    f"</w:ins>{RUN(' euros.')}</w:p>"
)
NOTE = '<w:p>{}<w:r><w:{}Reference w:id="2"/></w:r></w:p>'.format
COMMENT = (
    f'<w:p><w:commentRangeStart w:id="5"/>{RUN("Rent")}<w:commentRangeEnd w:id="5"/><w:r><w:commentReference w:id="5"/>'
    "</w:r></w:p>"
)
IN_BOX = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
BOX = (
    f"<w:p>{RUN('Beside.')}<w:r><mc:AlternateContent><mc:Choice>{IN_BOX}</mc:Choice><mc:Fallback><w:pict><v:textbox>"
    f"{IN_BOX}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
)
CHAPTER = xhtml("<p>Once.</p>")
CHINESE = "合同第一条规定,甲方应当向乙方支付人民币一百万元。\n本协议自双方签字之日起生效。"
TAIWAN = "合約第一條規定,甲方應當向乙方支付新臺幣一百萬元。\n本協議自雙方簽字之日起生效。"
JAPANESE = "契約書の第一条には、甲と乙は以下の通り合意する。\n代金は千円とし、月末までに支払うものとする。"
KOREAN = "계약서 제1조에 따라 갑은 을에게 백만원을 지급한다.\n이 계약은 서명한 날부터 효력이 있다."
RUSSIAN = "Покупатель обязан в течение десяти дней перечислить продавцу сумму, указанную в договоре."
LONG_LINE = "word " * 300_000
DEEP = "[" * 100_000 + "]" * 100_000
SMALL = Limits(inflated=3_000_000, file=1_000_000)
IGNORED = {
    "r/.gitignore": b"\xef\xbb\xbf*.log\nout/\n",
    "r/a.log": b"x",
    "r/out/b.txt": b"x",
    "r/sub/.gitignore": b"!keep.log\n",
    "r/sub/keep.log": b"kept",
    "r/sub/c.log": b"x",
}


def _encoded(name: str, words: str, encoding: str, **more) -> Nasty:
    return Nasty(f"text in {name}", "a.txt", lambda: words.encode(encoding), words, exact=True, **more)


def _note(kind: str) -> bytes:
    body = NOTE(RUN("Rent"), kind)
    return docx(body, {f"{kind}s": f'<w:{kind} w:id="2">{paragraph("Without tax.")}</w:{kind}>'})


OFFICE = [
    Nasty(
        "deleted amounts",
        "a.docx",
        lambda: docx(PRICE),
        "The price is 1,200 euros.",
        ("900",),
        warned=("tracked_changes",),
        real=True,
    ),
    Nasty(
        "changes as not made",
        "a.docx",
        lambda: docx(PRICE),
        "The price is 900 euros.",
        ("1,200",),
        warned=("tracked_changes_original",),
        options=Options(changes="original"),
    ),
    Nasty(
        "changes that are marked",
        "a.docx",
        lambda: docx(PRICE),
        "900",
        warned=("tracked_changes_marked",),
        options=Options(changes="marked"),
    ),
    Nasty("footnotes", "a.docx", lambda: _note("footnote"), "Without tax."),
    Nasty("endnotes", "a.docx", lambda: _note("endnote"), "Without tax."),
    Nasty(
        "comments",
        "a.docx",
        lambda: docx(
            COMMENT, {"comments": f'<w:comment w:id="5" w:author="A. Smith">{paragraph("Too high?")}</w:comment>'}
        ),
        "Too high?",
    ),
    Nasty("text boxes, in two forms", "a.docx", lambda: docx(BOX), "In the box."),
    Nasty("strict OOXML", "a.docx", lambda: docx(paragraph("Strict."), namespace=STRICT_W), "Strict.", exact=True),
    Nasty(
        "a locked DOCX, which is an OLE2 file",
        "a.docx",
        lambda: locked(office_docx(), "p"),
        refused="encrypted",
        real=True,
    ),
    Nasty(
        "a locked DOCX with its password",
        "a.docx",
        lambda: locked(office_docx(), "p"),
        "1,200",
        ("900",),
        warned=("tracked_changes",),
        options=Options({"": "p"}),
    ),
    Nasty(
        "a DOCX without a document",
        "a.docx",
        lambda: zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": ""}),
        refused="damaged",
    ),
    Nasty(
        "a DOCX that unpacks without end",
        "a.docx",
        lambda: docx(paragraph("x" * 5_000_000)),
        refused="too_big",
        limits=SMALL,
    ),
    Nasty("deleted words of an ODT", "a.odt", odt, "1,200", ("900",), warned=("tracked_changes",)),
    Nasty(
        "hidden slides",
        "a.pptx",
        lambda: pptx([Slide(shape("One")), Slide(shape("Two"), attributes='show="0"')]),
        "Two",
        warned=("hidden_slides",),
        labels=("1", "2"),
    ),
    Nasty(
        "hidden sheets",
        "a.xlsx",
        lambda: xlsx([Sheet("A", row(1, "a")), Sheet("B", row(1, "b"), "hidden")]),
        "b",
        warned=("hidden_sheets",),
        labels=("A", "B"),
    ),
    Nasty(
        "a cell in the last corner",
        "a.xlsx",
        lambda: xlsx([Sheet("Far", row(1, "a") + f'<row r="1048576">{cell("XFD1048576", "b")}</row>')]),
        refused="too_big",
        real=True,
    ),
    Nasty(
        "an old workbook that was locked against changes",
        "a.xls",
        lambda: xls(password="VelvetSweatshop"),
        "Item | Net",
    ),
    Nasty("RTF 5,000 groups deep", "a.rtf", lambda: rtf("{" * 5_000 + "deep" + "}" * 5_000), "deep", exact=True),
]
BOOKS = [
    Nasty(
        "a book without a spine",
        "a.epub",
        lambda: epub({"a": CHAPTER}, []),
        "Once.",
        warned=("no_reading_order",),
        exact=True,
    ),
    Nasty(
        "parts that are listed again", "a.epub", lambda: epub({"a": CHAPTER}, ["a", "a", "a#end"]), "Once.", exact=True
    ),
    Nasty(
        "a part on the internet",
        "a.epub",
        lambda: epub({"a": CHAPTER}, ["a", "https://example.com/b"]),
        "Once.",
        warned=("parts_missing",),
        left={"https://example.com/b": "remote"},
        real=True,
    ),
    Nasty("names of emoji", "a.epub", lambda: epub({"📖.xhtml": CHAPTER}), "Once.", exact=True),
    Nasty("an empty file", "a.epub", lambda: b"", refused="empty", real=True),
    Nasty(
        "a picture that is called a book",
        "a.epub",
        lambda: picture((200, 200)),
        refused="ocr_off",
        options=Options(ocr=False),
    ),
    Nasty(
        "a page that nests without end", "a.html", lambda: b"<html>" + b"<div>" * 5_000 + b"deep", "deep", exact=True
    ),
    Nasty(
        "a page that says how it is encoded",
        "a.html",
        lambda: "<html><meta charset=gbk><p>合同".encode("gbk"),
        "合同",
        exact=True,
    ),
]
TEXTS = [
    _encoded("GB18030", CHINESE, "gb18030"),
    _encoded("Shift-JIS", JAPANESE, "shift_jis"),
    _encoded("Big5", TAIWAN, "big5"),
    _encoded("EUC-JP", JAPANESE, "euc_jp"),
    _encoded("EUC-KR", KOREAN, "euc_kr"),
    _encoded("Windows-1251", RUSSIAN, "cp1251", warned=None),
    _encoded("UTF-16 with a mark", CHINESE, "utf-16"),
    _encoded("UTF-16 without one, little end first", CHINESE, "utf-16-le"),
    _encoded("UTF-16 without one, big end first", JAPANESE, "utf-16-be"),
    Nasty("NUL bytes", "a.txt", lambda: b"one\0 two" + b" six" * 50, "one two" + " six" * 50, exact=True),
    Nasty("a line of 1.5 million characters", "a.txt", lambda: LONG_LINE.encode(), LONG_LINE, exact=True, real=True),
    Nasty("JSON 100,000 levels deep", "a.json", DEEP.encode, DEEP, exact=True, real=True),
    Nasty("a notebook 100,000 levels deep", "a.ipynb", lambda: notebook(DEEP), refused="damaged"),
    Nasty("a program that is called a text", "a.txt", lambda: b"\x7fELF" + bytes(90), refused="unknown_format"),
    Nasty(
        "a quotation mark that nobody closed",
        "a.csv",
        lambda: b'a,b\n"c,d\ne,f\n',
        '"c,d\ne,f',
        warned=("quotes_not_closed",),
    ),
]
CODE = [
    Nasty(
        "lists of what git ignores, with a mark and exceptions",
        "a.zip",
        lambda: zipped(dict(IGNORED)),
        "=== r/sub/keep.log ===\nkept",
        left={"r/a.log": "ignored", "r/out/": "ignored", "r/sub/c.log": "ignored"},
    ),
    Nasty(
        "what is nobody's words",
        "project",
        lambda: {
            "main.py": b"print(1)",
            "node_modules/left/index.js": b"x",
            "bundle.js": b"var a=" + b"1,2;" * 3_000,
            "app.min.js": b"x",
            "logo.png": picture(),
            "tool": b"\x7fELF" + bytes(90),
            "gen.go": b"// Code generated by x. DO NOT EDIT.\n",
        },
        "=== main.py ===\nprint(1)",
        exact=True,
        left={
            "node_modules/": "vendored",
            "bundle.js": "minified",
            "app.min.js": "minified",
            "logo.png": "binary",
            "tool": "binary",
            "gen.go": "generated",
        },
        real=True,
    ),
    Nasty(
        "pictures in a notebook",
        "a.ipynb",
        notebook,
        "import numpy",
        (PICTURE[:40],),
        left=dict.fromkeys("137", "picture"),
    ),
]
MAILS = [
    Nasty(
        "a mail with attachments",
        "a.eml",
        lambda: eml(
            "See below.",
            [("b.pdf", pdf([["One"], ["Two"]])), ("c.zip", zipped({"d.txt": "D"})), ("e.bin", bytes(range(256)))],
        ),
        "=== c.zip/d.txt ===\nD",
        left={"e.bin": "binary"},
        labels=("Offer", "1", "2", "c.zip/d.txt"),
    ),
    Nasty(
        "a message of Outlook in GBK",
        "a.msg",
        lambda: msg("合同", "你好,请查收附件中的合同,谢谢。", [("合同.txt", b"A")], encoding="gbk", code_page=936),
        "你好,请查收附件中的合同,谢谢。\n\n=== 合同.txt ===\nA",
        real=True,
    ),
    Nasty(
        "a message of Outlook that lies on the internet in part",
        "a.msg",
        lambda: msg(attachments=[attachment("far.docx", b"", method=4)]),
        "Words.",
        left={"far.docx": "remote"},
    ),
]
ARCHIVES = [
    Nasty(
        "names in GBK",
        "a.zip",
        lambda: old_zip([("合同/租赁协议.txt".encode("gb18030"), b"words")]),
        "=== 合同/租赁协议.txt ===\nwords",
        warned=("uncertain_names",),
        exact=True,
    ),
    Nasty(
        "a bomb",
        "a.zip",
        lambda: zipped({"a.txt": bytes(2_500_000), "b.txt": "b"}),
        "=== b.txt ===\nb",
        left={"a.txt": "too_big"},
        limits=SMALL,
        exact=True,
    ),
    Nasty(
        "a bomb that lies about its size",
        "a.zip",
        lambda: lying_zip("a.txt", 5_000_000, 10),
        left={"a.txt": "damaged"},
        limits=SMALL,
    ),
    Nasty("a flat bomb", "a.zip", lambda: overlapping_zip(20, 400_000), left=None, limits=SMALL),
    Nasty("a gzip that unpacks to itself", "self.gz", gzip_quine, left={"self/self/self/self/self": "nested"}),
    Nasty(
        "names that lead out",
        "a.tar",
        lambda: tar([("../b.txt", b"x"), ("/etc/a.txt", b"in"), (special("pipe"), b"")]),
        "=== etc/a.txt ===\nin",
        left={"…/b.txt": "outside", "pipe": "special"},
        exact=True,
    ),
    Nasty("an archive with a password", "a.zip", lambda: zip_aes({"a.txt": b"x"}, b"p"), left={"a.txt": "encrypted"}),
    Nasty(
        "an archive that breaks off",
        "a.tgz",
        lambda: gzipped(tar([("a.txt", b"a"), ("b", random.Random(1).randbytes(30_000))]))[:-200],
        "=== a.txt ===\na",
        warned=("archive_cut",),
        exact=True,
        left={"b": "damaged"},
    ),
    Nasty("an archive that is not unpacked", "a.7z", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(90), refused="packed"),
    Nasty(
        "archives in archives",
        "a.zip",
        lambda: _deep(6),
        left={"in.zip/in.zip/in.zip/in.zip/in.zip": "nested"},
        says="here",
    ),
]


def _deep(levels: int) -> bytes:
    data = b"words"
    for _ in range(levels):
        data = zipped({"in.zip": data, "a.txt": "here"})
    return data


LONG = "/".join(["folder of many words " * 2] * 7) + "/end.txt"
NAMES = [
    Nasty("a path of over 260 characters", "long", lambda: {LONG: b"far in"}, "far in", real=True),
    Nasty("a name of emoji", "📖📚.txt", lambda: b"words", "words", exact=True, real=True),
    Nasty(
        "a name that turns its letters round",
        "project",
        lambda: {"gnp\u202etxt.py": b"x = 1"},
        "x = 1",
        labels=("gnp\ufffdtxt.py",),
    ),
]
NASTY = [*PDFS, *OFFICE, *BOOKS, *TEXTS, *CODE, *MAILS, *ARCHIVES, *NAMES]
