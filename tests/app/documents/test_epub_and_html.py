import pytest
from make_documents import epub, xhtml, zipped

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable


def test_the_spine_is_the_order_and_headings_are_the_labels(read_bytes, labelled):
    pages = {
        "b.xhtml": xhtml("<h1>Two</h1><p>Second.</p><h2>Deeper</h2><p>More.</p>"),
        "a.xhtml": xhtml("<h1>One</h1><p>First.</p>"),
        "notes.xhtml": xhtml("<p>Not in the spine.</p>"),
    }
    content = read_bytes(epub(pages, ["a.xhtml", "b.xhtml"]), "book.epub")
    assert labelled(content) == [("One", "One\n\nFirst."), ("Two", "Two\n\nSecond."), ("Deeper", "Deeper\n\nMore.")]
    assert content.left_out == ()


def test_headings_have_levels_and_places(read_bytes):
    pages = {"a.xhtml": xhtml("<h1>One <i>a</i></h1><h3>Deep</h3><p>First.</p><h2>Two</h2>")}
    content = read_bytes(epub(pages), "book.epub")
    text = content.pages.text()
    found = [(h.level, h.title, text[h.start :].split("\n")[0]) for h in content.pages.headings]
    assert found == [(1, "One a", "One a"), (3, "Deep", "Deep"), (2, "Two", "Two")]


def test_repeated_remote_missing_and_broken_parts(read_bytes):
    pages = {"a.xhtml": xhtml("<p>Once.</p>"), "pic.xhtml": "\x89PNG\x00\x01\x02\x03\x04\x05\x06\x07"}
    spine = ["a.xhtml", "a.xhtml", "https://example.com/b.xhtml", "gone.xhtml", "a.xhtml#end", "pic.xhtml"]
    content = read_bytes(epub(pages, spine), "book.epub")
    assert content.pages.text() == "Once."
    assert content.left_out == (
        LeftOut("https://example.com/b.xhtml", "remote"),
        LeftOut("OPS/gone.xhtml", "missing"),
        LeftOut("OPS/pic.xhtml", "binary"),
    )
    assert content.warnings == (Warning("parts_missing", {"count": "3"}),)


def test_without_a_spine_the_parts_are_read_as_listed(read_bytes):
    content = read_bytes(epub({"z.xhtml": xhtml("<p>z</p>"), "a.xhtml": xhtml("<p>a</p>")}, []), "book.epub")
    assert content.pages.text() == "z\n\na"
    assert content.warnings == (Warning("no_reading_order"),)


def test_pages_without_headings_have_the_titles_of_the_contents(read_bytes, labelled):
    point = "<navPoint><navLabel><text>{0}</text></navLabel><content src='{1}'/></navPoint>"
    contents = (
        "<ncx><navMap>"
        + point.format("Part  One", "a.xhtml")
        + point.format("Two", "%F0%9F%93%96.xhtml#x")
        + "</navMap></ncx>"
    )
    book = epub({"a.xhtml": xhtml("<p>a</p>"), "📖.xhtml": xhtml("<p>b</p>")}, extra={"OPS/toc.ncx": contents})
    content = read_bytes(book, "book.epub")
    assert labelled(content) == [("Part One", "a"), ("Two", "b")]
    assert [(h.start, h.level, h.title) for h in content.pages.headings] == [(0, 1, "Part One"), (3, 1, "Two")]


def test_the_newer_contents_name_pages_with_their_levels_unless_these_have_headings(read_bytes, labelled):
    link = "<li><a href='{0}.xhtml'>{1}</a>{2}</li>".format
    inner = f"<ol>{link('b', 'Chapter', '')}{link('c', 'Other', '')}</ol>"
    nav = f"<nav xmlns:epub='e' epub:type='toc'><ol>{link('a', 'Part', inner)}</ol></nav><nav epub:type='landmarks' "
    nav += f"xmlns:epub='e'><ol>{link('c', 'Cover', '')}</ol></nav>"
    bodies = {"a": "a", "b": "<p>b</p>", "c": "<h2>Own</h2><p>c</p>"}
    pages = {f"{name}.xhtml": xhtml(body) for name, body in bodies.items()}
    content = read_bytes(epub(pages, extra={"OPS/nav.xhtml": xhtml(nav)}), "book.epub")
    assert labelled(content) == [("Part", "a"), ("Chapter", "b"), ("Own", "Own\n\nc")]
    assert [(h.level, h.title) for h in content.pages.headings] == [(1, "Part"), (2, "Chapter"), (2, "Own")]


def test_an_empty_title_does_not_swallow_the_page(read_bytes):
    page = xhtml("<script src='x.js'/><p>All<br/>of <i/>it</p><p><![CDATA[a < b]]></p>", title="<title/>")
    assert read_bytes(epub({"a.xhtml": page}), "book.epub").pages.text() == "All\nof it\n\na < b"


@pytest.mark.parametrize(("algorithm", "refused"), [("http://www.idpf.org/2008/embedding", False), ("urn:aes", True)])
def test_scrambled_fonts_are_no_lock(read_bytes, algorithm, refused):
    encryption = f'<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/></EncryptedData></encryption>'
    book = epub({"a.xhtml": xhtml("<p>open</p>")}, extra={"META-INF/encryption.xml": encryption})
    if refused:
        with pytest.raises(Unreadable, match="encrypted"):
            read_bytes(book, "book.epub")
    else:
        assert read_bytes(book, "book.epub").pages.text() == "open"


def test_a_book_without_a_package_is_damaged(read_bytes):
    with pytest.raises(Unreadable, match="damaged"):
        read_bytes(zipped({"mimetype": "application/epub+zip", "a.xhtml": xhtml("<p>a</p>")}), "book.epub")


def test_blocks(read_bytes, labelled):
    page = """<!DOCTYPE html><html><head><title>No words</title><style>p {}</style></head><body>
      <script>alert(1)</script><noscript>no</noscript>
      <p>One   two
      three&nbsp;four<br>five co&shy;operate</p>
      <h2>Lists <b>and</b> tables</h2>
      <ul><li>a<li><p>b</p><p>c</p><ol start=3><li>d</li><li>e</li></ol></ul>
      <table><tr><th>Item</th><th>Price</th></tr><tr><td>Clock</td><td><p>12</p></td></tr></table>
      <pre>  x =  1
  y</pre>
      <p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>
      <img src="http://example.com/a.png" alt="A chart"> <q>end</q></p>
      text <em>outside</em> of blocks
      <!-- hidden --><svg><text>drawn</text></svg></body></html>"""
    assert labelled(read_bytes(page.encode(), "a.html")) == [
        ("a.html", "One two three four\nfive cooperate"),
        (
            "Lists and tables",
            "Lists and tables\n\n- a\n- b\n  c\n  3. d\n  4. e\n\nItem | Price\nClock | 12\n\n  x =  1\n  y\n\n"
            "漢(kan) [A chart] end\n\ntext outside of blocks",
        ),
    ]


def test_tables_that_lay_out_a_page_are_no_lines(read_bytes):
    page = "<html><table><tr><td><ul><li>menu</ul></td><td><p>One.</p><p>Two.</p></td></tr></table>"
    assert read_bytes(page.encode(), "a.html").pages.text() == "- menu\n\nOne.\n\nTwo."


def test_a_page_may_nest_as_deeply_as_it_likes(read_bytes):
    page = "<html><body>" + "<div>" * 5_000 + "deep" + "</div>" * 5_000 + "<p>end"
    assert read_bytes(page.encode(), "a.html").pages.text() == "deep\n\nend"


@pytest.mark.parametrize("encoding", ["shift_jis", "gb18030", "windows-1251", "utf-8"])
def test_a_page_says_how_it_is_encoded(read_bytes, encoding):
    words = {"shift_jis": "契約", "gb18030": "合同", "windows-1251": "Договор", "utf-8": "contrat é"}[encoding]
    page = f'<html><meta http-equiv="Content-Type" content="text/html; charset={encoding}"><p>{words}</p>'
    content = read_bytes(page.encode(encoding), "a.html")
    assert content.pages.text() == words
    assert content.warnings == ()


def test_a_page_without_words_has_none(read_bytes):
    assert read_bytes(b"<html><script>app()</script><body></body></html>", "a.html").pages.text() == ""
