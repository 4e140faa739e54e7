"""Gather the words that a person sees, keep their translations in step, and compile them.

Qt's own lupdate reads Python by its surface: it loses words inside f-strings and after some calls takes the wrong class
for the context. This reads the syntax tree instead, and the tests use the same reading. A word is found in

    self.tr("…")                                        context: the class
    view.tr("…"), and tr("…") after tr = view.tr        context: the annotation of the parameter view
    QCoreApplication.translate("Context", "…")          context: as given
    QT_TRANSLATE_NOOP("Context", "…")                   marked here, translated elsewhere
    _tr("…")                                            context: as a module's own function of that kind says
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("zh_CN",)
"""Those that the English words are translated to. Singular and plural are written out as words of their own."""


class Word(NamedTuple):
    context: str
    source: str
    comment: str


class Unreadable(Exception):
    """A call for a translation whose words are not written out where it stands: no translator would ever see them."""


def gather() -> dict[Word, list[str]]:
    """Every word of the program, with the files that say it, relative to the root."""
    words: dict[Word, list[str]] = {}
    for file in sorted((ROOT / "app").rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        for word in words_of(file.read_text(encoding="utf-8"), name):
            places = words.setdefault(word, [])
            if name not in places:
                places.append(name)
    return words


def words_of(code: str, name: str) -> Iterator[Word]:
    """The words in one file's code. Unreadable for a call whose words are made up while running."""
    tree = ast.parse(code, name)
    shorthands = dict(_shorthands(tree))
    for node, owner, function in _calls(tree, "", None):
        yield from _word(node, owner, function, shorthands, name)


def _calls(
    node: ast.AST, owner: str, function: ast.FunctionDef | None
) -> Iterator[tuple[ast.Call, str, ast.FunctionDef | None]]:
    """Every call, with the class and the function that it stands in."""
    if isinstance(node, ast.ClassDef):
        owner = node.name
    elif isinstance(node, ast.FunctionDef):
        function = node
    elif isinstance(node, ast.Call):
        yield node, owner, function
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, owner, function)


def _shorthands(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """A module's own `def _tr(words): return QCoreApplication.translate("context", words)`: name and context."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            parameters = {argument.arg for argument in function.args.args}
            for call, _, _ in _calls(function, "", None):
                if _called(call) == "translate" and len(call.args) > 1:
                    context, words = call.args[:2]
                    if _is_text(context) and isinstance(words, ast.Name) and words.id in parameters:
                        yield function.name, context.value


def _word(
    call: ast.Call, owner: str, function: ast.FunctionDef | None, shorthands: dict[str, str], name: str
) -> Iterator[Word]:
    called = _called(call)
    strings = [argument.value if _is_text(argument) else None for argument in call.args]
    place = f"{name}:{call.lineno}"
    if isinstance(call.func, ast.Name) and called in shorthands and strings:
        if shorthands[called] == "words":
            return
        if strings[0] is None:
            raise Unreadable(f"{place}: {called}() takes its words written out")
        yield Word(shorthands[called], strings[0], "")
    elif called == "tr" and strings:
        owner = _speaker(call.func, function) or owner
        if strings[0] is None or not owner:
            raise Unreadable(f"{place}: tr() takes its words written out, of a class that is known here")
        if len(strings) > 2 or call.keywords:
            raise Unreadable(f"{place}: one and many are written out as words of their own")
        yield Word(owner, strings[0], (strings[1] if len(strings) > 1 else "") or "")
    elif called in ("translate", "QT_TRANSLATE_NOOP") and len(strings) > 1 and strings[0] is not None:
        if strings[1] is not None:
            yield Word(strings[0], strings[1], (strings[2] if len(strings) > 2 else "") or "")
        elif strings[0] != "words" and (function is None or function.name not in shorthands):
            raise Unreadable(f'{place}: only the sentences of app/words.py, context "words", are chosen while running')


def _speaker(tr: ast.expr, function: ast.FunctionDef | None) -> str:
    """The class whose tr() this is, by the annotation of a parameter: `view.tr`, or `tr` after `tr = view.tr`."""
    if function is None:
        return ""
    if isinstance(tr, ast.Name):
        given = [node.value for node in ast.walk(function) if isinstance(node, ast.Assign) and _assigns(node, tr.id)]
        tr = given[0] if given else tr
    if not isinstance(tr, ast.Attribute) or not isinstance(tr.value, ast.Name):
        return ""
    classes = {argument.arg: argument.annotation for argument in function.args.args}
    annotation = classes.get(tr.value.id)
    return annotation.id if isinstance(annotation, ast.Name) else ""


def _assigns(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def read(language: str) -> dict[Word, str]:
    """The finished translations of a language."""
    file = FOLDER / f"longread_{language}.ts"
    found: dict[Word, str] = {}
    for context in ElementTree.parse(file).getroot().iter("context") if file.exists() else ():
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is not None and translation.text and not translation.get("type"):
                said = (context.findtext("name", ""), message.findtext("source", ""), message.findtext("comment", ""))
                found[Word(*said)] = translation.text
    return found


def write(language: str, words: dict[Word, list[str]], translations: dict[Word, str]) -> None:
    """The .ts file of a language, without line numbers: they would change with every edit of the code."""
    top = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = top
    for word in sorted(words):
        if context.findtext("name") != word.context:
            context = ElementTree.SubElement(top, "context")
            ElementTree.SubElement(context, "name").text = word.context
        message = ElementTree.SubElement(context, "message")
        for place in words[word]:
            ElementTree.SubElement(message, "location", filename=f"../../{place}")
        ElementTree.SubElement(message, "source").text = word.source
        if word.comment:
            ElementTree.SubElement(message, "comment").text = word.comment
        known = translations.get(word)
        ElementTree.SubElement(message, "translation", {} if known else {"type": "unfinished"}).text = known or ""
    ElementTree.indent(top, "    ")
    text = ElementTree.tostring(top, encoding="unicode")
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    (FOLDER / f"longread_{language}.ts").write_text(f"{head}{text}\n", encoding="utf-8", newline="\n")


def main() -> int:
    """Update and compile every language; say what is still to be translated."""
    words = gather()
    release = Path(sys.executable).with_name("pyside6-lrelease" + Path(sys.executable).suffix)
    missing = 0
    for language in LANGUAGES:
        translations = read(language)
        write(language, words, translations)
        for word in sorted(words.keys() - translations.keys()):
            missing += 1
            print(f"{language}: not translated: {word.context}: {word.source}")
        stem = FOLDER / f"longread_{language}"
        compiled = [release, "-silent", stem.with_suffix(".ts"), "-qm", stem.with_suffix(".qm")]
        subprocess.run([str(word) for word in compiled], check=True)
    print(f"{len(words)} words, {missing} translations missing")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
