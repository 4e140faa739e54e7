"""What can be done from the menus and by shortcut: every action once, by name."""

import re
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

Key = QKeySequence.StandardKey


def _tr(words: str) -> str:
    return QCoreApplication.translate("menus", words)


class Entry(NamedTuple):
    """An action: its name in code, its words, its shortcuts."""

    name: str
    words: str
    keys: tuple[str | Key, ...] = ()


def entries() -> dict[str, tuple[Entry | None, ...]]:
    """The menus in order; None is a line between groups."""
    return {
        _tr("&File"): (
            Entry("new_conversation", _tr("New conversation"), (Key.New,)),
            Entry("new_matter", _tr("New matter…"), ("Ctrl+Shift+N",)),
            None,
            Entry("add_files", _tr("Add documents…"), (Key.Open,)),
            Entry("add_folder", _tr("Add folder…"), ("Ctrl+Shift+O",)),
            None,
            Entry("export", _tr("Export conversation…"), ("Ctrl+E",)),
            None,
            Entry("quit", _tr("Quit"), (Key.Quit, "Ctrl+Q")),
        ),
        _tr("&Edit"): (
            Entry("undo", _tr("Undo"), (Key.Undo,)),
            None,
            Entry("ask", _tr("Ask"), ("Ctrl+Return", "Ctrl+Enter")),
            Entry("every_part", _tr("Go over every part of the text"), ("Ctrl+Shift+E",)),
            Entry("stop", _tr("Stop the answer"), ("Esc",)),
            Entry("regenerate", _tr("Write the answer again"), ("Ctrl+R",)),
            Entry("copy_answer", _tr("Copy the last answer"), ("Ctrl+Shift+C",)),
            None,
            Entry("find_here", _tr("Find here"), (Key.Find,)),
            Entry("find_anything", _tr("Find anything"), ("Ctrl+K",)),
        ),
        _tr("&View"): (
            Entry("toggle_sidebar", _tr("Library and conversations"), ("Ctrl+Shift+L",)),
            Entry("toggle_source", _tr("Source"), ("Ctrl+Shift+S",)),
            None,
            Entry("focus_composer", _tr("Go to the question"), ("Ctrl+L",)),
            Entry("next_pane", _tr("Next pane"), ("F6",)),
            Entry("previous_pane", _tr("Previous pane"), ("Shift+F6",)),
        ),
        _tr("&Document"): (
            Entry("find_in_source", _tr("Find in the source"), ("Ctrl+Shift+F",)),
            Entry("next_quote", _tr("Next quote of the answer"), ("Ctrl+G",)),
            Entry("previous_quote", _tr("Previous quote of the answer"), ("Ctrl+Shift+G",)),
            Entry("remove_attached", _tr("Remove all documents from this question")),
            None,
            Entry("attach_chosen", _tr("Attach the chosen documents"), ("Ctrl+Shift+A",)),
            Entry("put_into_matter", _tr("Put the chosen documents into a matter…"), ("Ctrl+M",)),
            Entry("read_new_version", _tr("Read the new version of the chosen document")),
            Entry("show_changes", _tr("Show what changed in the chosen document")),
            Entry("export_chosen", _tr("Export the chosen documents…")),
            None,
            Entry("forget_reading", _tr("Forget the reading of the chosen document…")),
            Entry("delete_chosen", _tr("Delete the chosen documents for good…")),
        ),
        _tr("&Tools"): (
            Entry("settings", _tr("Model settings"), (Key.Preferences, "Ctrl+,")),
            Entry("models", _tr("Models…")),
            Entry("gateway", _tr("Local API…")),
            Entry("runtimes", _tr("Graphics card…")),
            None,
            Entry("privacy", _tr("What leaves this computer")),
        ),
        _tr("&Help"): (
            Entry("shortcuts", _tr("Keyboard shortcuts"), (Key.HelpContents,)),
            Entry("about", _tr("About Longread")),
        ),
    }


def build(window: QMainWindow, bar: QMenuBar) -> dict[str, QAction]:
    """Fill the menu bar; the window's actions by name, with `theme_system`, `theme_light` and `theme_dark`."""
    actions: dict[str, QAction] = {}
    for title, group in entries().items():
        menu = bar.addMenu(re.sub(r"\(&\w\)|&", "", title))
        # the letter opens the menu, as one expects, without being underlined all day
        opening = QShortcut(QKeySequence.mnemonic(title), window)
        opening.activated.connect(partial(bar.setActiveAction, menu.menuAction()))
        for entry in group:
            if entry is None:
                menu.addSeparator()
                continue
            action = QAction(entry.words, window)
            action.setShortcuts(_distinct(entry.keys))
            menu.addAction(action)
            actions[entry.name] = action
        if "toggle_source" in actions and "theme" not in actions:
            _themes(window, menu, actions)
    for name in ("toggle_sidebar", "toggle_source", "every_part"):
        actions[name].setCheckable(True)
    actions["stop"].setEnabled(False)
    actions["quit"].setMenuRole(QAction.MenuRole.QuitRole)
    actions["about"].setMenuRole(QAction.MenuRole.AboutRole)
    actions["settings"].setMenuRole(QAction.MenuRole.PreferencesRole)
    return actions


def _themes(window: QMainWindow, menu: QMenu, actions: dict[str, QAction]) -> None:
    menu.addSeparator()
    themes = menu.addMenu(_tr("Colours"))
    actions["theme"] = themes.menuAction()
    group = QActionGroup(window)
    for name, words in (("system", _tr("As the system")), ("light", _tr("Light")), ("dark", _tr("Dark"))):
        action = QAction(words, window, checkable=True)
        action.setData(name)
        group.addAction(action)
        themes.addAction(action)
        actions[f"theme_{name}"] = action
    actions["theme_system"].setChecked(True)


def _distinct(keys: tuple[str | Key, ...]) -> list[QKeySequence]:
    """A standard key may mean nothing on this system, or the same as the one that is named beside it."""
    made: list[QKeySequence] = []
    for key in keys:
        for sequence in QKeySequence.keyBindings(key) if isinstance(key, Key) else [QKeySequence(key)]:
            if not sequence.isEmpty() and sequence not in made:
                made.append(sequence)
    return made
