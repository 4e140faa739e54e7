import pytest
from make_office import RTF_HEAD, rtf

from app.data.document import Warning
from app.documents.errors import Unreadable
from app.documents.messages import Limits, Options


def lines(content):
    return content.pages.text().split("\n\n")


@pytest.fixture
def read_lines(read_bytes):
    return lambda body, changes="final": lines(read_bytes(rtf(body), "a.rtf", options=Options(changes=changes)))


def test_a_text(read_bytes):
    content = read_bytes(rtf(), "a.rtf")
    assert (content.kind, content.unit) == ("rtf", "section")
    assert lines(content) == [
        "Price",
        "The price is 1,200 [Footnote 1].",
        "[Footnote 1: Without tax.]",
        "1. Net",
        "Item | Clock",
        "Beside.",
        "In the box.",
        "合同合",
    ]
    assert [(h.start, h.level, h.title) for h in content.pages.headings] == [(0, 1, "Price")]
    assert content.warnings == (Warning("tracked_changes", {"deletions": "1", "insertions": "1"}),)


@pytest.mark.parametrize("name", ["a.rtf", "a.doc", "a.txt"])
def test_it_is_known_by_its_bytes(read_bytes, name):
    assert read_bytes(b"{\\rtf1\\ansi words}", name).pages.text() == "words"
    assert read_bytes(b"\xef\xbb\xbf\r\n{\\rtf1 \x00\x01\x02words}", name).kind == "rtf"


def escaped(words, encoding, trail=True):
    """As writers of RTF put bytes down; `trail`: the second bytes of characters as well, where they are letters."""
    out = ""
    for byte in words.encode(encoding):
        is_letter = byte < 0x80 and not trail
        out += ("\\" if chr(byte) in "\\{}" else "") + chr(byte) if is_letter else f"\\'{byte:02x}"
    return out


@pytest.mark.parametrize("trail", [True, False])
@pytest.mark.parametrize(
    ("words", "encoding", "font"),
    [
        ("合同第一条規定", "gbk", r"\f1 "),
        ("契約書の第一条、表示ソ能ア", "shift_jis", r"\f2 "),
        ("Договор № 1", "cp1251", r"\f3 "),
        ("Größe “quoted” café", "cp1252", r"\f0 "),
        ("合同", "gbk", r"\loch\af0\hich\af0\dbch\af1 "),
        ("合同", "gbk", r"\f0\dbch\f1 "),
    ],
)
def test_code_pages_of_fonts(read_lines, words, encoding, font, trail):
    assert read_lines(font + escaped(words, encoding, trail)) == [words]


@pytest.mark.parametrize(
    ("head", "words", "encoding"),
    [
        (r"{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fnil\fcharset0 Arial;}}\f0 ", "合同", "gbk"),
        (r"{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fnil\fcharset0 Arial;}}\f0 ", "café ", "cp1252"),
        (r"{\rtf1\ansi\ansicpg1250 ", "Žluťoučký", "cp1250"),
        (r"{\rtf1\mac ", "café", "mac_roman"),
        (r"{\rtf1\ansi\ansicpg65001 ", "Ω≈ç", "utf-8"),
        (r"{\rtf1\ansi{\fonttbl\f0\fnil\fcharset204 A;\f5\fnil\cpg932 B;}\f5 ", "契約", "cp932"),
        (r"{\rtf1\ansi\ansicpg99999 ", "é", "cp1252"),
    ],
)
def test_code_pages_of_documents(read_bytes, head, words, encoding):
    assert read_bytes(rtf(escaped(words, encoding), head), "a.rtf").pages.text() == words.strip()


def test_the_default_font_and_signs_of_symbol_fonts(read_bytes):
    fonts = r"{\f0\fcharset0 A;}{\f1\fcharset134 SimSun;}{\f4\fcharset2 Symbol;}{\f5\fcharset2 Wingdings;}"
    head = r"{\rtf1\ansi\deff1{\fonttbl" + fonts + "}"
    body = r"\'ba\'cf {\f4 a\'b7} {\f5\u-3842?}{\f5 \'6f}"
    assert read_bytes(rtf(body, head), "a.rtf").pages.text() == "合 α• ☑□"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\u21512?\u21516?", "合同"),
        (r"{\uc2\u21512 \'ba\'cf}\u21516?.", "合同."),
        (r"{\uc0\u21512\u21516}x", "合同x"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"\u55357?\u56832?", "😀"),
        (r"\u-8704?x", "\ufffdx"),
        (r"{\upr{ansi}{\*\ud{\u21512?}}}", "合"),
        (r"\u233\par b", "é\n\nb"),
        (r"\u8212\emdash x{\uc0\u8212\emdash}", "—x——"),
        (r"a\~b\_c\-d\emdash\'93x\'94\tab y\line z\\\{\}", "a b-cd—“x”\ty\nz\\{}"),
        ("line\r\n ends", "line ends"),
        ("one\\\ntwo", "one\n\ntwo"),
        (r"a\bin4 }}}}b", "ab"),
        (r"{\pict\bin3 }}}0102}a", "a"),
        (r"\'zz\'4", "zz4"),
    ],
)
def test_characters(read_lines, body, text):
    assert "\n\n".join(read_lines(body)) == text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("final", ["The price is 1,200.", "One sentence.", "Two", "parts."]),
        ("original", ["The price is 900.", "One", "sentence.", "Two parts."]),
        (
            "marked",
            [
                "The price is [deleted by A. Smith: 900][inserted by A. Smith: 1,200].",
                "One [deleted by A. Smith: ¶]",
                "sentence.",
                "Two [inserted by A. Smith: ¶]",
                "parts.",
            ],
        ),
    ],
)
def test_tracked_changes(read_lines, changes, expected):
    body = (
        r"The price is {\deleted\revauthdel1 900}{\revised\revauth1 1,}{\b\revised\revauth1 200}.\par "
        r"One {\deleted\revauthdel1\par}sentence.\par Two {\revised\revauth1\par}parts."
    )
    assert [" ".join(line.split()) for line in read_lines(body, changes)] == expected


@pytest.mark.parametrize(("changes", "text"), [("final", "a c"), ("original", "a b c")])
def test_changes_end_where_plain_says(read_lines, changes, text):
    assert " ".join(read_lines(r"a \deleted b\deleted0  c", changes)[0].split()) == text
    assert " ".join(read_lines(r"a \deleted b\plain  c", changes)[0].split()) == text


def test_moved_text_is_read_once(read_lines):
    body = r"{\mvf Clause.\par}Kept.\par{\mvt Clause.\par}End."
    assert read_lines(body) == ["Kept.", "Clause.", "End."]
    assert read_lines(body, "original") == ["Clause.", "Kept.", "End."]


def test_notes_comments_and_boxes_stand_where_they_belong(read_bytes):
    body = (
        r"The {\*\atrfstart 1}price{\*\atrfend 1}{\*\atnid AS}{\*\atnauthor A. Smith}\chatn{\*\annotation{\*\atnref 1}"
        r"\pard\plain Too high?} is{\super\chftn}{\footnote\pard\plain{\super\chftn} Net.\par Really.} fixed"
        r"{\super\chftn}{\footnote\ftnalt See annex.}.{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv DRAFT}}"
        r"{\shptxt\pard boxed\par}}"
        r"{\shprslt{\pict 0}twice}}\par{\*\atnauthor B}{\*\annotation Bare.}Next.\par"
    )
    content = read_bytes(rtf(body), "a.rtf")
    assert lines(content) == [
        "The price is [Footnote 1] fixed [Endnote 1].",
        "[Comment by A. Smith on “price”: Too high?]",
        "[Footnote 1: Net. Really.]",
        "[Endnote 1: See annex.]",
        "DRAFT",
        "boxed",
        "Next.",
        "[Comment by B: Bare.]",
    ]
    assert content.warnings == ()


@pytest.mark.parametrize(("changes", "count"), [("final", 0), ("original", 1)])
def test_a_note_of_deleted_words_goes_with_them(read_lines, changes, count):
    read = read_lines(r"Due.{\deleted 9{\footnote Secret.}}\par", changes)
    assert read.count("[Footnote 1: Secret.]") == count


def test_tables(read_lines):
    row = r"\trowd\cellx1\cellx2\pard\intbl {}\cell {}\cell\row"
    nested = r"\pard\intbl\itap2 1\nestcell 2\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\pard\intbl "
    nested += "after"
    body = (
        r"Before.\par" + row.format("Item", "Net") + row.format(r"Clock\par and key", r"12{\footnote Gross.}")
        + row.format(nested, "z") + row.format("", "") + r"\pard After.{\footnote Late.}\par"
        + row.format(r"a\par b\par c\par{\s1 Head}", "d") + row.format("cut", "off").replace(r"\row", "")
    )  # fmt: skip
    assert read_lines(body) == [
        "Before.",
        "Item | Net\nClock and key | 12 [Footnote 1]\n1 | 2 after | z",
        "[Footnote 1: Gross.]",
        "After. [Footnote 2]",
        "[Footnote 2: Late.]",
        "a",
        "b",
        "c",
        "Head",
        "d",
        "cut | off",
    ]


def test_headings_by_style_and_by_outline(read_bytes):
    body = (
        r"{\pard\s1 One\par}{\pard\s2 Mine\par}{\pard\s3 Third\par}{\pard\outlinelevel1 Own\par}"
        r"{\pard\s1\outlinelevel9 Body\par}\pard\s1 Two\par\pard Words.\par"
    )
    content = read_bytes(rtf(body), "a.rtf")
    assert [(h.level, h.title) for h in content.pages.headings] == [
        (1, "One"), (1, "Mine"), (3, "Third"), (2, "Own"), (1, "Two"),
    ]  # fmt: skip
    assert lines(content)[-1] == "Words."


def test_lists_fields_and_forms(read_lines):
    body = (
        r"{\listtext\pard\plain\f4 \'b7\tab}dot\par{\pntext (a)\tab}letter\par{\listtext\tab}none\par"
        r"{\field{\*\fldinst HYPERLINK \"http://x\"}{\fldrslt link}} {\field{\*\fldinst PAGE}{\fldrslt 7}} "
        r"{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres25\ffdefres1{\*\ffname Check}}}}{\fldrslt }}"
        r"{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres0\ffdefres1}}}{\fldrslt }}"
    )
    assert read_lines(body) == ["- dot", "(a) letter", "none", "link 7 ☒☐"]


def test_equations_keep_their_meaning(read_lines):
    half = r"{\mmath{\*\moMath{\mf{\mfPr{\mctrlPr x}}{\mnum{\mr 1}}{\mden{\mr 2}}}{\msSup{\me{\mr x}}{\msup{\mr 2}}}}}"
    assert read_lines(half) == ["(1)/(2)x^(2)"]


def test_what_is_no_text_is_left_out_and_told_of(read_bytes):
    body = (
        r"{\v x{\footnote unseen}}"
        r"{\info{\title Secret title}}{\*\unknown junk}{\*\bkmkstart x}{\xe index}{\v ghost}{\b\v more}seen"
        r"{\*\shppict{\pict\wmetafile8 0102ff}}{\nonshppict{\pict 00}}{\object{\*\objdata 0102}{\result shown}}"
    )
    content = read_bytes(rtf(body), "a.rtf")
    assert lines(content) == ["seenshown"]
    assert content.warnings == (
        Warning("hidden_text", {"count": "1"}),
        Warning("pictures", {"count": "1"}),
        Warning("embedded", {"count": "1"}),
    )


def test_heads_and_feet_of_pages_stand_at_the_end(read_bytes, labelled):
    body = (
        r"{\header Draft 3\par}{\footerl\pard {\field{\*\fldinst  PAGE }{\fldrslt 7}}\par}{\headerr Draft 3\par}"
        r"{\footerf 2024/17 {\field{\fldinst NUMPAGES}{\fldrslt 9}}}Text.\par"
    )
    content = read_bytes(rtf(body), "a.rtf")
    assert labelled(content) == [("a.rtf", "Text."), ("Headers and footers", "Draft 3\n2024/17")]


def test_hostile_nesting(read_bytes):
    deep = "{" * 5_000 + "deep" + "}" * 5_000
    assert read_bytes(rtf(deep), "a.rtf").pages.text() == "deep"
    with pytest.raises(Unreadable, match="damaged"):
        read_bytes(rtf("{" * 100_000), "a.rtf")
    skipped = r"{\*\junk" + "{" * 200_000 + "}" * 200_000 + "}end"
    assert read_bytes(rtf(skipped), "a.rtf").pages.text() == "end"


@pytest.mark.parametrize(
    ("data", "text", "warnings"),
    [
        (b"{\\rtf1 cut {\\b here", "cut here", ("cut_off",)),
        (b"{\\rtf1 cut\\'", "cut", ("cut_off",)),
        (b"{\\rtf1 cut{\\*\\junk {", "cut", ("cut_off",)),
        (b"{\\rtf1 one}}two", "one", ("after_the_end",)),
        (b"{\\rtf1 one}\r\n\0\0", "one", ()),
        (b"{\\rtf1 one\\bin999999999 }", "one", ("cut_off",)),
        (
            b"{\\rtf1{\\footnote lost}{\\annotation x}",
            "[Footnote 1]\n\n[Footnote 1: lost]\n\n[Comment: x]",
            ("cut_off",),
        ),
    ],
)
def test_broken_files_are_read_as_far_as_they_go(read_bytes, data, text, warnings):
    content = read_bytes(data, "a.rtf")
    assert content.pages.text() == text
    assert tuple(warning.code for warning in content.warnings) == warnings


def test_bytes_that_the_code_page_does_not_know_are_counted(read_bytes):
    content = read_bytes(rtf(r"\f1 \'ff\'ff x"), "a.rtf")
    assert content.pages.text() == "\ufffd\ufffd x"
    assert content.warnings == (Warning("damaged_characters", {"count": "2", "encoding": "cp1252"}),)


def test_a_text_may_not_grow_without_end(read_bytes):
    with pytest.raises(Unreadable, match="too_big"):
        read_bytes(rtf("word " * 1000), "a.rtf", Limits(characters=2000))


def test_tables_that_close_nothing(read_bytes):
    head = r"{\rtf1\ansi{\fonttbl{\f0 A;}{\f1\fcharset134{\*\panose 02}{\*\falt x;y} B}}"
    assert RTF_HEAD.startswith(r"{\rtf1")
    assert read_bytes(rtf(r"\f1 a", head), "a.rtf").pages.text() == "a"
