"""What can be done with items and matters of the library, as menus."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.models import quantities
from app.models.library import Group, LibraryModel
from app.views.library_asks import AskingTree

STALE = ("changed", "maybe")
"""Originals that there is a new version of."""


def _tr(words: str) -> str:
    return QCoreApplication.translate("library_menu", words)


def items_menu(tree: AskingTree, items: LibraryModel, chosen: Sequence[str], group: str) -> QMenu:
    """For items that are chosen in a group (its id)."""
    menu, chosen = QMenu(tree), list(chosen)
    one = chosen[0] if len(chosen) == 1 else None
    if one is not None:
        _add(menu, _tr("Show its text"), lambda: tree.item_clicked.emit(one), "Return")
    if group == "removed":
        _add(menu, _tr("Put back into the library"), lambda: tree.items_restored.emit(chosen))
        _add(menu, _tr("Delete for good…"), lambda: tree.items_forgotten.emit(chosen), "Del")
        return menu
    _add(menu, _tr("Attach to the question"), lambda: tree.items_attached.emit(chosen))
    menu.addSeparator()
    menu.addMenu(matters_menu(tree, items, chosen, menu))
    name = next((matter.name for matter in items.matters() if matter.id == group), None)
    if name is not None:
        words = _tr("Take out of “{matter}”").format(matter=name)
        _add(menu, words, lambda: tree.matter_emptied.emit(group, chosen), "Del")
    menu.addSeparator()
    if one is not None and items.original(one) in STALE:
        _add(menu, _tr("Read the new version"), lambda: tree.version_wanted.emit(one))
    if one is not None and (item := items.item(one)) is not None and item.succeeds is not None:
        _add(menu, _tr("Show what changed"), lambda: tree.changes_wanted.emit(one))
    _add(menu, _tr("Export…"), lambda: tree.items_exported.emit(chosen))
    menu.addSeparator()
    key = "Del" if name is None else ""
    _add(menu, _tr("Remove from the library"), lambda: tree.items_removed.emit(chosen), key)
    forget = _add(menu, _tr("Forget this reading…"), lambda: tree.reading_forgotten.emit(chosen[0]), "Shift+Del")
    forget.setEnabled(one is not None and items.has_reading(one))
    _add(menu, _tr("Delete for good…"), lambda: tree.items_forgotten.emit(chosen))
    return menu


def matters_menu(tree: AskingTree, items: LibraryModel, chosen: Sequence[str], parent: QMenu | None = None) -> QMenu:
    """Matters that hold all of what is chosen are ticked; choosing one puts it in, or takes it out."""
    menu, chosen = QMenu(_tr("Put into a matter"), parent or tree), list(chosen)
    for matter in items.matters():
        action = _add(menu, matter.name.replace("&", "&&"), _put_or_take(tree, matter, chosen))
        action.setCheckable(True)
        action.setChecked(set(chosen) <= set(matter.items))
    if items.matters():
        menu.addSeparator()
    _add(menu, _tr("New matter…"), lambda: tree.matter_made.emit(chosen))
    return menu


def _put_or_take(tree: AskingTree, matter: Group, chosen: list[str]) -> Callable[[], None]:
    asked = tree.matter_emptied if set(chosen) <= set(matter.items) else tree.matter_filled
    return lambda: asked.emit(matter.id, chosen)


def group_menu(tree: AskingTree, group: Group) -> QMenu:
    """For a matter, for all documents, or for those that were removed."""
    menu, held = QMenu(tree), list(group.items)
    documents = quantities.documents(len(held))
    if group.kind == "removed":
        words = _tr("Put {documents} back into the library").format(documents=documents)
        _add(menu, words, lambda: tree.items_restored.emit(held))
        _add(
            menu,
            _tr("Delete {documents} for good…").format(documents=documents),
            lambda: tree.items_forgotten.emit(held),
        )
        return menu
    if group.kind == "matter":
        attach = _tr("Attach {documents} to the question").format(documents=documents)
        _add(menu, attach, lambda: tree.items_attached.emit(held)).setEnabled(bool(held))
        menu.addSeparator()
        _add(menu, _tr("Rename"), lambda: tree.edit(tree.currentIndex()), "F2")
    _add(menu, _tr("New matter…"), lambda: tree.matter_made.emit([]))
    _add(
        menu, _tr("Export {documents}…").format(documents=documents), lambda: tree.items_exported.emit(held)
    ).setEnabled(bool(held))
    if group.kind == "matter":
        menu.addSeparator()
        _add(menu, _tr("Delete the matter; its documents stay"), lambda: tree.matter_removed.emit(group.id), "Del")
    return menu


def _add(menu: QMenu, words: str, asked: Callable[[], None], key: str = "") -> QAction:
    """`key` is only shown: the tree answers to it."""
    action = menu.addAction(words)
    action.triggered.connect(lambda _=False: asked())
    if key:
        action.setShortcut(QKeySequence(key))
    return action
