"""Mails: who, when, what about, the words, and each attachment read as a file of its own."""

import base64
from email import policy
from email.message import EmailMessage

import olefile
import pytest
from make_documents import docx, paragraph, pdf, picture, zipped
from make_mail import attachment, compressed_rtf, eml, mbox, message, msg
from make_ole import ole

from app.data.document import LeftOut
from app.documents.errors import Unreadable
from app.documents.lzfu import expanded
from app.documents.messages import Limits, Options

HEAD = "From: Ann Lee <ann@example.org>\nTo: Bo Li <bo@example.org>\nDate: Thu, 12 Mar 2026 09:30:00 +0000\nSubject: "


def spans(content) -> list[tuple[str, str, str | None]]:
    return [(span.file, span.label, span.unit) for span in content.pages.spans]


def reasons(content) -> dict[str, str]:
    return {part.what: part.reason for part in content.left_out}


def raw(head: str | bytes, body: bytes = b"Words.") -> bytes:
    head = head.encode() if isinstance(head, str) else head
    return b"MIME-Version: 1.0\n" + head + b"\n\n" + body


def test_a_mail_with_attachments_of_every_kind(read_bytes, labelled):
    attached = [
        ("a.txt", "größer".encode()),
        ("b.pdf", pdf([["One"], ["Two"]])),
        ("c.zip", zipped({"in/d.md": "# T\nx"})),
        ("e.eml", eml("Inner.", [("f.docx", docx(paragraph("Contract.")))], subject="Re: Offer")),
        ("g.bin", bytes(range(256))),
    ]
    content = read_bytes(eml("Dear Bo,\n\nsee below.", attached), "offer.eml")
    assert (content.kind, content.unit) == ("mail", "message")
    assert content.pages.text() == (
        f"{HEAD}Offer\n\nDear Bo,\n\nsee below.\n\n=== a.txt ===\ngrößer\n\n=== b.pdf ===\nOne\n\nTwo\n\n"
        f"=== c.zip/in/d.md ===\n# T\nx\n\n=== e.eml ===\n{HEAD}Re: Offer\n\nInner.\n\n=== e.eml/f.docx ===\nContract."
    )
    assert spans(content) == [
        ("", "Offer", None),
        ("a.txt", "a.txt", "file"),
        ("b.pdf", "1", "page"),
        ("b.pdf", "2", "page"),
        ("c.zip/in/d.md", "c.zip/in/d.md", "file"),
        ("e.eml", "Re: Offer", "message"),
        ("e.eml/f.docx", "e.eml/f.docx", "file"),
    ]
    assert content.left_out == (LeftOut("g.bin", "binary"),)
    assert [words for _, words in labelled(content)][-1] == "Contract."


def test_of_two_forms_of_the_words_the_plain_one_is_read_and_else_the_web_page(read_bytes):
    both = read_bytes(eml("Plain.", html="<p>Rich.</p>"), "a.eml")
    assert both.pages.text() == f"{HEAD}Offer\n\nPlain."
    rich = read_bytes(eml("", html="<h1>Title</h1><p>Rich &amp; more.</p>"), "a.eml")
    assert rich.pages.text() == f"{HEAD}Offer\n\nTitle\n\nRich & more."
    (heading,) = rich.pages.headings
    assert (rich.pages.text()[heading.start :][:5], heading.level) == ("Title", 1)


def test_a_file_that_lies_within_one_form_is_an_attachment_all_the_same(read_bytes):
    """As Apple's Mail packs them."""
    mail = EmailMessage()
    mail["Subject"] = "s"
    mail.set_content("Plain.")
    mail.add_alternative("<p>Rich.</p>", subtype="html")
    (_, rich) = mail.iter_parts()
    rich.make_mixed()
    rich.add_attachment(b"a,b", maintype="text", subtype="csv", filename="t.txt")
    content = read_bytes(bytes(mail), "a.eml")
    assert content.pages.text() == "Subject: s\n\nPlain.\n\n=== t.txt ===\na,b"


def test_a_photo_that_was_put_between_the_words_is_an_attachment(read_bytes):
    parts = b"--b\n\nSee this page:\n--b\nContent-Type: image/png; name=page.png\nContent-Disposition: inline; "
    parts += b"filename=page.png\nContent-Transfer-Encoding: base64\n\n"
    page = picture((900, 200), ["The rent is due in March."])
    data = raw("Content-Type: multipart/mixed; boundary=b", parts + base64.b64encode(page) + b"\n--b--")
    text = read_bytes(data, "a.eml").pages.text()
    assert text == "See this page:\n\n=== page.png ===\nThe rent is due in March."


def test_pictures_of_the_text_and_signatures_are_left_out(read_bytes):
    mail = EmailMessage()
    mail["Subject"] = "s"
    mail.set_content("<p>See <img src='cid:logo'></p>", subtype="html")
    mail.add_related(picture(), maintype="image", subtype="png", cid="<logo>", filename="logo.png")
    mail.make_mixed()
    mail.add_attachment(b"x", maintype="application", subtype="pgp-signature", filename="sig.asc")
    mail.add_attachment(b"x", maintype="application", subtype="pkcs7-mime", filename="smime.p7m")
    content = read_bytes(bytes(mail), "a.eml")
    assert content.pages.text() == "Subject: s\n\nSee"
    assert reasons(content) == {"logo.png": "inline", "sig.asc": "signature", "smime.p7m": "encrypted"}


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        ("Subject: =?gb2312?B?us/NrA==?= =?utf-8?q?Gr=C3=B6=C3=9Fe?=", "Subject: 合同Größe"),
        ("Subject: =?utf-8?B?5ZA=?= =?utf-8?B?iOWQjA==?=", "Subject: 合同"),
        ("Subject: =?iso-2022-jp?B?GyRCN0BMcz1xGyhC?=", "Subject: 契約書"),
        ("Subject: =?no-such?B?us/NrA==?=", "Subject: 合同"),
        ("Subject: =?utf-8?B?####?= left", "Subject: left"),
        (b"Subject: " + "合同协议书的修改".encode("gbk"), "Subject: 合同协议书的修改"),
        (b"Subject: Gr\xc3\xb6\xc3\x9fe", "Subject: Größe"),
        ("Subject: one\n two\n\tthree", "Subject: one two three"),
        (
            'From: "=?utf-8?B?5byg5LiJ?=" <a@b.cn>\nCc: c@d, =?utf-8?q?=C3=89?= <e@f>',
            'From: "张三" <a@b.cn>\nCc: c@d, É <e@f>',
        ),
        ("Subject: first\nSubject: second", "Subject: first, second"),
        ("Date: not a date", "Date: not a date"),
    ],
)
def test_headers(read_bytes, head, shown):
    assert read_bytes(raw(head), "a.eml").pages.text() == f"{shown}\n\nWords."


@pytest.mark.parametrize(
    ("head", "body", "shown"),
    [
        ("Content-Type: text/plain; charset=gb2312", "合同镕".encode("gb18030"), "合同镕"),
        ("Content-Type: text/plain; charset=iso-2022-jp", "契約書".encode("iso-2022-jp"), "契約書"),
        ("Content-Type: text/plain; charset=utf-7", b"Gr+APYA3w-e", "Größe"),
        ("Content-Type: text/plain; charset=iso-8859-1", "“Größe” 5 €".encode("cp1252"), "“Größe” 5 €"),
        ("Content-Type: text/plain; charset=us-ascii", "Größe".encode(), "Größe"),
        ("Content-Type: text/plain; charset=us-ascii", "合同书的修改意见".encode("gbk"), "合同书的修改意见"),
        ("Content-Type: text/plain; charset=no-such", "Größe".encode(), "Größe"),
        ("Content-Transfer-Encoding: quoted-printable", b"a=3Db=\nc =E2=82=AC", "a=bc €"),
        ("Content-Transfer-Encoding: base64", b"V29yZHMu\n!!!!\n", "Words."),
        ("Content-Transfer-Encoding: nonsense", b"Words.", "Words."),
        ("Content-Type: multipart/mixed", b"No border.", "No border."),
        ("Content-Type: ", b"Words.", "Words."),
        ("Content-Type: text/html", b"<p>One<p>Two", "One\n\nTwo"),
    ],
)
def test_words(read_bytes, head, body, shown):
    assert read_bytes(raw(head, body), "a.eml").pages.text() == shown


def test_an_encoding_that_nothing_names_is_a_guess_and_said_to_be_one(read_bytes):
    content = read_bytes(raw("Subject: s", "Viele Grüße aus München.".encode("cp1252")), "a.eml")
    assert content.pages.text() == "Subject: s\n\nViele Grüße aus München."
    assert [warning.code for warning in content.warnings] == ["uncertain_encoding"]


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (b'attachment; filename="a b.txt"', "a b.txt"),
        (b"attachment; filename*=UTF-8''%E5%90%88%E5%90%8C.txt", "合同.txt"),
        (b"attachment; filename*0*=gb18030''%BA%CF; filename*1*=%CD%AC.txt", "合同.txt"),
        (b'attachment; filename="=?utf-8?B?5ZCI5ZCMLnR4dA==?="', "合同.txt"),
        (b'attachment; filename="' + "合同书.txt".encode("gbk") + b'"', "合同书.txt"),
        (b'attachment; filename="a%20%E5%90%88.txt"', "a 合.txt"),
        (b'attachment; filename="100%.txt"', "100%.txt"),
        (b'attachment; filename="C:\\\\docs\\\\a.txt"', "a.txt"),
        (b'attachment; filename="../../etc/a.txt"', "a.txt"),
        (b"attachment", "attachment.plain"),
    ],
)
def test_names_of_attachments(read_bytes, disposition, name):
    part = b"--b\nContent-Type: text/plain\nContent-Disposition: " + disposition + b"\n\nwords\n"
    data = raw("Content-Type: multipart/mixed; boundary=b", part + b"--b--")
    assert read_bytes(data, "a.eml").pages.text() == f"=== {name} ===\nwords"


def test_a_text_that_is_attached_is_read_in_the_encoding_that_the_mail_names(read_bytes):
    part = b"--b\nContent-Type: text/plain; charset=cp1251\nContent-Disposition: attachment; filename=a.txt\n\n"
    data = raw("Content-Type: multipart/mixed; boundary=b", part + "Да".encode("cp1251") + b"\n--b--")
    content = read_bytes(data, "a.eml")
    assert (content.pages.text(), content.warnings) == ("=== a.txt ===\nДа", ())


def test_a_mail_that_was_sent_on_keeps_its_own_attachments(read_bytes):
    mail = EmailMessage(policy=policy.SMTP)
    mail["Subject"] = "Fwd"
    mail.set_content("See below.")
    inner = EmailMessage()
    inner["Subject"] = "Terms/2026"
    inner.set_content("Inner.")
    inner.add_attachment("table", filename="t.txt")
    mail.add_attachment(inner)
    content = read_bytes(bytes(mail), "a.eml")
    assert content.pages.text() == (
        "Subject: Fwd\n\nSee below.\n\n=== Terms\ufffd2026.eml ===\nSubject: Terms/2026\n\nInner.\n\n"
        "=== Terms\ufffd2026.eml/t.txt ===\ntable"
    )
    deep = b"Subject: core\n\nCore."
    for level in range(8):
        deep = raw(f"Subject: {level}\nContent-Type: message/rfc822", deep)
    text = read_bytes(deep, "a.eml").pages.text()
    assert "Subject: 3" in text
    assert "Core." not in text
    (part,) = read_bytes(deep, "a.eml").left_out
    assert part.reason == "nested"


def test_what_a_mail_server_reports(read_bytes):
    report = b"--b\n\nYour mail was not delivered.\n--b\nContent-Type: message/delivery-status\n\n"
    report += b"Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; bo@x\nStatus: 5.1.1\n\n--b--"
    content = read_bytes(raw("Content-Type: multipart/report; boundary=b", report), "a.eml")
    assert content.pages.text() == (
        "Your mail was not delivered.\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; bo@x\nStatus: 5.1.1"
    )


def test_a_mailbox(read_bytes, labelled):
    mails = [eml("One.", subject="First"), eml("x\n\nFrom me to you\n", [("a.txt", b"A")], subject="Second")]
    content = read_bytes(mbox(*mails), "inbox")
    assert [(span.file, span.label, span.index) for span in content.pages.spans] == [
        ("", "First", 0),
        ("", "Second", 1),
        ("2/a.txt", "2/a.txt", 0),
    ]
    assert labelled(content)[1][1] == f"{HEAD}Second\n\nx\n\nFrom me to you"


def test_forms_in_which_programs_keep_single_mails(read_bytes):
    mail = eml("Words.")
    apple = str(len(mail)).encode() + b"\n" + mail + b"<?xml version='1.0'?><plist/>"
    plain = b"From: ann@example.org\nSubject: Offer\n\nWords."
    for data, name in ((apple, "1.emlx"), (b"\xef\xbb\xbf" + mail, "a.eml"), (plain, "a.eml")):
        content = read_bytes(data, name)
        assert content.kind == "mail"
        assert content.pages.text().endswith("Subject: Offer\n\nWords.")
    assert read_bytes(plain, "letter.txt").kind == "text"
    assert read_bytes(b"import x\n" + mail, "a.py").kind == "code"


def test_passwords_reach_attachments(read_bytes):
    mail = eml("x", [("a.pdf", pdf([["Locked"]], password="p"))])
    assert reasons(read_bytes(mail, "a.eml", options=Options({"b.pdf": "p"}))) == {"a.pdf": "encrypted"}


def test_limits_hold_in_attachments(read_bytes):
    bomb = zipped({"a.txt": bytes(3_000_000)})
    content = read_bytes(eml("x", [("a.zip", bomb), ("b.txt", b"b")]), "a.eml", Limits(inflated=1_000_000))
    assert reasons(content) == {"a.zip/a.txt": "too_big"}
    assert content.pages.text().endswith("=== b.txt ===\nb")
    with pytest.raises(Unreadable, match="too_big"):
        read_bytes(eml("x", [(f"{i}.txt", b"b") for i in range(5)]), "a.eml", Limits(members=4))


# Outlook


def test_the_files_that_we_make_are_sound():
    tree = {"a": b"x" * 10, "b": b"y" * 5000, "c": {"d": b"", "e": b"z" * 4096, "f": {"g": b"q" * 4095}}}
    tree |= {f"n{i:03}": bytes([i]) * i for i in range(100)}
    with olefile.OleFileIO(ole(tree), raise_defects=olefile.DEFECT_UNSURE) as file:
        assert file.parsing_issues == []
        assert len(file.listdir()) == 105
        for path, data in (("b", b"y" * 5000), ("c/d", b""), ("c/e", b"z" * 4096), ("c/f/g", b"q" * 4095)):
            assert file.openstream(path).read() == data
        assert file.openstream("n099").read() == b"c" * 99


def test_a_message_of_outlook(read_bytes, labelled):
    inner = message("Re: Offer", "Inner.", [("z.txt", b"Z")])
    data = msg(
        body="Dear Bo,\r\nsee below.",
        attachments=[
            ("terms.pdf", pdf([["One"], ["Two"]])),
            attachment("", inner, method=5),
            attachment("logo.png", picture(), content_id="logo", hidden=1),
            attachment("far.docx", b"", method=4),
            attachment("empty.txt", b""),
        ],
        recipients=[("To", "Bo Li", "bo@example.org"), ("Cc", "", "c@example.org"), ("To", "Di", "/o=Firm/cn=di")],
    )
    content = read_bytes(data, "offer.msg")
    head = HEAD.replace("example.org>\nDate", "example.org>, Di\nCc: c@example.org\nDate")
    assert content.pages.text() == (
        f"{head}Offer\n\nDear Bo,\nsee below.\n\n=== terms.pdf ===\nOne\n\nTwo\n\n=== Re: Offer.msg ===\n"
        "From: Ann Lee <ann@example.org>\nDate: Thu, 12 Mar 2026 09:30:00 +0000\nSubject: Re: Offer\n\nInner.\n\n"
        "=== Re: Offer.msg/z.txt ===\nZ"
    )
    assert spans(content)[1:4] == [
        ("terms.pdf", "1", "page"),
        ("terms.pdf", "2", "page"),
        ("Re: Offer.msg", "Re: Offer", "message"),
    ]
    assert reasons(content) == {"logo.png": "inline", "far.docx": "remote", "empty.txt": "empty"}


@pytest.mark.parametrize(
    ("encoding", "page", "text"),
    [
        ("gbk", 936, "合同"),
        ("gbk", None, "你好,请查收附件中的合同,谢谢。"),
        ("cp932", 932, "契約書"),
        ("cp1251", 1251, "Договор"),
        ("iso-8859-15", 28605, "Größe €"),
        ("utf-8", 65001, "契約 Größe"),
        ("koi8-r", 20866, "Договор"),
    ],
)
def test_messages_in_a_code_page(read_bytes, encoding, page, text):
    data = msg(text, text, [(f"{text}.txt", b"A")], encoding=encoding, code_page=page)
    assert read_bytes(data, "a.msg").pages.text() == f"{HEAD}{text}\n\n{text}\n\n=== {text}.txt ===\nA"


def test_words_of_a_message_as_a_web_page_and_as_rtf(read_bytes):
    page = "<html><h2>Größe</h2><p>Two".encode("cp1252")
    content = read_bytes(msg(body=None, html=page, code_page=1252), "a.msg")
    assert content.pages.text() == f"{HEAD}Offer\n\nGröße\n\nTwo"
    content = read_bytes(msg(body=None, rtf=b"nonsense"), "a.msg")
    assert content.pages.text() == f"{HEAD}Offer"
    assert len(content.left_out) == 1


def test_compressed_rtf():
    # The two examples of MS-OXRTFCP, and what an encoder of our own makes of longer ones.
    hello = "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    assert expanded(bytes.fromhex(hello)) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    run = "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0"
    assert expanded(bytes.fromhex(run)) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
    for rtf in (b"{\\rtf1\\ansi " + b"wax and wane " * 900 + b"}", bytes(range(256)) * 20, b""):
        assert expanded(compressed_rtf(rtf)) == rtf
    assert expanded(b"\0\0\0\0\2\0\0\0MELA\0\0\0\0abc") == b"ab"
    for broken in (b"", bytes(16), compressed_rtf(b"x")[:16] + b"\1\xff\xf0"):
        with pytest.raises(Unreadable, match="damaged"):
            expanded(broken)


def test_damaged_messages(read_bytes):
    data = msg()
    for cut in (data.index("__properties".encode("utf-16-le")) + 60, len(data) - 700, len(data) - 512):
        with pytest.raises(Unreadable, match="damaged"):
            read_bytes(data[:cut], "a.msg")
    document = ole({"WordDocument": b"x" * 5000, "ObjectPool": {"_1": {"__properties_version1.0": b""}}})
    with pytest.raises(Unreadable) as refused:
        read_bytes(document, "a.doc")
    assert refused.value.detail == "DOC"


def test_an_attachment_of_a_message_that_is_damaged_is_left_out(read_bytes):
    mark = "__substg1.0_3701".encode("utf-16-le")
    data = bytearray(msg("s", "Words.", [("a.txt", b"a" * 5000), ("b.txt", b"b")]))
    entry = data.index(mark)
    data[entry + 116 : entry + 120] = (9_000).to_bytes(4, "little")  # where its bytes begin: after the file's end
    content = read_bytes(bytes(data), "a.msg")
    assert content.pages.text().endswith("Words.\n\n=== b.txt ===\nb")
    assert reasons(content) == {"a.txt": "damaged"}


def test_names_that_mislead_are_shown_as_what_they_are(read_bytes):
    part = (
        b"--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''%E2%80%AEtxt.exe\n\nx\n--b--"
    )
    data = raw("Subject: =?utf-8?B?4oCuYWJj?=\nContent-Type: multipart/mixed; boundary=b", part)
    assert [span.label for span in read_bytes(data, "a.eml").pages.spans] == ["\ufffdabc", "\ufffdtxt.exe"]


def test_base64_that_is_damaged_gives_what_it_holds(read_bytes):
    part = b"--b\nContent-Type: application/octet-stream; name=a.txt\nContent-Transfer-Encoding: base64\n\n"
    body = base64.b64encode(b"words and words")[:-1] + b"\n"
    data = raw("Content-Type: multipart/mixed; boundary=b", part + body + b"--b--")
    assert "words and w" in read_bytes(data, "a.eml").pages.text()
