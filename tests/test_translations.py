"""Every word that a person sees is translated, whole, and compiled."""

import re

import pytest
import translate
from PySide6.QtCore import QTranslator

import resources

PLACEHOLDERS = re.compile(r"\{\w*\}|%\d")


@pytest.fixture(scope="module")
def words() -> dict[translate.Word, list[str]]:
    return translate.gather()


@pytest.fixture(scope="module")
def chinese() -> dict[translate.Word, str]:
    return translate.read("zh_CN")


def test_every_word_has_a_chinese_translation(words, chinese):
    missing = [f"{word.context}: {word.source}" for word in sorted(words.keys() - chinese.keys())]
    assert not missing, "`python3 dev.py translate` puts them into resources/translations, to be filled in"


def test_nothing_is_translated_that_nobody_says(words, chinese):
    assert not chinese.keys() - words.keys(), "`python3 dev.py translate` takes them out"


def test_values_are_filled_in_where_the_words_say(chinese):
    for word, said in chinese.items():
        assert sorted(PLACEHOLDERS.findall(said)) == sorted(PLACEHOLDERS.findall(word.source)), word


def test_the_compiled_translation_is_that_of_the_text(chinese):
    translator = QTranslator()
    assert translator.load(str(resources.path("translations/longread_zh_CN.qm")))
    for word, said in chinese.items():
        assert translator.translate(word.context, word.source, word.comment or None) == said


def test_words_are_found_where_they_are_said():
    code = """
class Pane:
    def show(self):
        self.title(f"{self.tr('Read in full')} ✓")
        self.tr("{n} pages of " "{total}", "a caption")

def _tr(sentence):
    return QCoreApplication.translate("sizes", sentence)

def details(parent: Pane):
    tr = parent.tr
    return [tr("Prompt"), parent.tr("Model")]

LIST = {"a": QT_TRANSLATE_NOOP("words", "Left out")}
_tr("1 page")
"text".translate(table)
"""
    found = [tuple(word) for word in translate.words_of(code, "pane.py")]
    assert found == [
        ("Pane", "Read in full", ""),
        ("Pane", "{n} pages of {total}", "a caption"),
        ("Pane", "Prompt", ""),
        ("Pane", "Model", ""),
        ("words", "Left out", ""),
        ("sizes", "1 page", ""),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "class A:\n def f(self): self.tr(word)",
        "class A:\n def f(self): self.tr('%n files', '', 3)",
        'translate("Pane", word)',
        "tr('of no class')",
    ],
)
def test_words_made_up_while_running_are_refused(code):
    with pytest.raises(translate.Unreadable):
        list(translate.words_of(code, "pane.py"))
