import pytest

from app.data.document import Warning
from app.documents.rows import row_at


def table(content):
    (span,) = content.pages.spans
    assert (content.kind, content.unit, span.label) == ("sheet", "sheet", "a.csv")
    return content.pages.text()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Item,Net\nClock,12\n", "Item | Net\nClock | 12"),
        ("Name;Preis\nUhr;1,5\nGlocke;2,75\n", "Name | Preis\nUhr | 1,5\nGlocke | 2,75"),
        ("1,5;2,5\n3,5;4,5\n", "1,5 | 2,5\n3,5 | 4,5"),
        ("a\tb, c\n1\t2, 3", "a | b, c\n1 | 2, 3"),
        ("a|b\n1|2", "a | b\n1 | 2"),
        ("sep=;\na;b\n", "a | b"),
        ('a,"b, ""c"""\n1,"two\nlines"\n3,4', 'a | b, "c"\n1 | two lines\n3 | 4'),
        ("a,b,,\n,,,\nc,,d,", "a | b\n\nc |  | d"),
        ("one\ntwo, three\nfour", "one\ntwo, three\nfour"),
        ("Dear all,\nthis is no table; it is a letter, and\nits commas are commas.\n", None),
    ],
)
def test_records_are_lines(read_bytes, text, lines):
    expected = text.strip("\n") if lines is None else lines
    assert table(read_bytes(text.encode(), "a.csv")) == expected


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "shift_jis", "utf-16"])
def test_a_table_in_any_encoding(read_bytes, encoding):
    words = "品名,価格\n" + "時計,千円\n鐘,二千円\n" * 20
    content = read_bytes(words.encode(encoding), "a.csv")
    assert table(content).split("\n")[:2] == ["品名 | 価格", "時計 | 千円"]


@pytest.mark.parametrize("rows", [5, 3000])
def test_a_quotation_mark_that_nobody_closed_folds_nothing(read_bytes, rows):
    text = 'a,b\n1,"6 inches\n' + "".join(f"{i},x\n" for i in range(rows))
    content = read_bytes(text.encode(), "a.csv")
    assert table(content).split("\n")[:3] == ["a | b", '1 | "6 inches', "0 | x"]
    assert content.warnings == (Warning("quotes_not_closed"),)


def test_very_long_tables_and_fields(read_bytes):
    text = "n,words\n" + "".join(f"{i},line {i}\n" for i in range(100_000)) + f"last,{'w' * 200_000}"
    read = table(read_bytes(text.encode(), "a.csv"))
    assert row_at(read, 0, read.index("line 76543")) == 76545
    assert read.endswith("last | " + "w" * 200_000)


def test_the_ending_decides_nothing_but_how_text_is_shown(read_bytes):
    assert read_bytes(b"<!doctype html><p>no table", "a.csv").kind == "html"
    assert read_bytes(b"a,b\n1,2", "a.txt").kind == "text"
