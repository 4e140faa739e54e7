"""Answers are shown the same whether they come in one piece or letter by letter, and nothing in them acts."""

import random

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from app import markdown
from app.views import theme
from app.views.blocks import BlockWriter
from app.views.markdown_view import MarkdownView

ANSWER = """# Liability

The Seller's total liability is **capped** at the *Consideration*, see `cl. 9.2`:
"the aggregate liability"
#1 goes on with the paragraph

- one
- two
  - inner with `code`
  1. first
  2. second

  a second paragraph of two
- three

3. third
4. fourth

> quoted words
lazily continued
> - a list inside

```python
def cap(amount: int) -> int:
    # never above
    return min(amount, 50_000)

print("é 漢字 🙂")
```
| Clause | Amount |
|:-------|-------:|
| 9.2    | **all** |
| 9.4    | £50,000 |

~~gone~~ <b>raw</b> <script>alert(1)</script> ![a scan](https://example.org/scan.png)

    indented code

***

Setext
------
A [link](https://example.org/a?b=c) and [another](javascript:alert(1)), <https://example.org>.\\
A hard break
```
open fence without an end
"""

PIECES = ["", "para\n# ", "para\n#", "#foo\n", "\n\n", "- a\n", "* b\n", "---\n", "===\n", "```\n", "| a | b |\n"]
PIECES += ["|---|---|\n", "> q\n", "1. x\n", "3) y\n", "    code\n", "~~~ py\n", "text ", "\r\n", "\r", "<div>\n", "  "]
PIECES += ["[1]: http://x.y\n", "![p](http://x/y.png)", "\t- tab\n", "**bold", "**", "`", "漢🙂\n", "-", "+ \n", "\x00"]


def whole(text: str) -> str:
    document = QTextDocument()
    BlockWriter(document).write(markdown.parse(text))
    return document.toHtml()


def streamed(text: str, cuts: list[int], qtbot) -> str:
    view = MarkdownView()
    qtbot.addWidget(view)
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        view.append(text[start:end])
        view.draw()
    return view.document().toHtml()


def cuts_of(text: str, rng: random.Random) -> list[int]:
    return sorted(rng.sample(range(1, len(text)), min(len(text) - 1, rng.choice([3, 20, 80])))) if len(text) > 1 else []


@pytest.mark.parametrize("seed", range(5))
def test_streaming_shows_the_same_as_the_whole(qtbot, seed):
    rng = random.Random(seed)
    assert streamed(ANSWER, cuts_of(ANSWER, rng), qtbot) == whole(ANSWER)


def test_letter_by_letter_shows_the_same_as_the_whole(qtbot):
    assert streamed(ANSWER, list(range(1, len(ANSWER))), qtbot) == whole(ANSWER)


@pytest.mark.parametrize("seed", range(60))
def test_streaming_any_text_shows_the_same_as_the_whole(qtbot, seed):
    rng = random.Random(1000 + seed)
    text = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 25)))
    if text.endswith("\r"):
        text += "\n"
    assert streamed(text, cuts_of(text, rng), qtbot) == whole(text)


def test_nothing_in_an_answer_acts(qtbot):
    view = MarkdownView()
    qtbot.addWidget(view)
    view.set_text(ANSWER)
    shown, html = view.toPlainText(), view.document().toHtml()
    assert "<script>alert(1)</script>" in shown
    assert "[picture: a scan]" in shown
    assert "<img" not in html
    assert 'href="javascript' not in html
    assert 'href="https://example.org/a?b=c"' in html
    assert view.loadResource(QTextDocument.ResourceType.ImageResource, QUrl("file:///etc/passwd")) is None


def test_code_is_kept_for_copying(qtbot):
    view = MarkdownView()
    qtbot.addWidget(view)
    view.set_text("before\n\n```py\nx = 1\ny = 2\n```\n\nafter")
    position = view.toPlainText().index("y = 2")
    assert view.code_at(position) == "x = 1\ny = 2"
    assert view.code_at(0) is None
    assert [button.accessibleName() for button in view._buttons] == ["Copy this code"]


def test_a_change_of_colours_draws_the_text_anew(qtbot, qapp):
    theme.apply(qapp, "light")
    view = MarkdownView()
    qtbot.addWidget(view)
    view.set_text("words `code`")
    light = view.document().toHtml()
    theme.apply(qapp, "dark")
    assert view.toPlainText() == "words code"
    assert view.document().toHtml() != light
    theme.apply(qapp, "light")


def test_runs_are_exactly_the_code():
    code = "\n\ndef f():\n\treturn 'a'  # c\n\n"
    assert "".join(run.text for run in markdown.highlight(code, "python")) == code
    assert {run.kind for run in markdown.highlight(code, "python")} >= {"keyword", "string", "comment", "name"}
    assert markdown.highlight(code, "no such language") == [markdown.Run("", code)]


def test_streaming_into_a_view_in_sight_keeps_its_height_right(qtbot, qapp):
    view = MarkdownView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    with qtbot.waitExposed(view):
        view.show()
    text = ANSWER.removesuffix("```\nopen fence without an end\n") * 3
    for start in range(0, len(text), 16):
        view.append(text[start : start + 16])
        view.draw()
        qapp.processEvents()
        assert view.height() >= view.document().size().height()
    assert view.document().toHtml() == whole(text)
