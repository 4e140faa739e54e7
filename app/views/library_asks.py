"""What the person can ask of the library."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTreeView


class AskingTree(QTreeView):
    """Nothing is done here: the owner does what is asked, and makes undoable what can be."""

    item_clicked = Signal(str)
    """Show this item (click, or Return)."""
    items_attached = Signal(list)
    """Attach these to the question."""
    items_removed = Signal(list)
    """From the library, with a way back."""
    items_restored = Signal(list)
    items_exported = Signal(list)
    items_forgotten = Signal(list)
    """Delete for good: the owner asks back once, since it cannot be undone."""
    reading_forgotten = Signal(str)
    """So does this."""
    version_wanted = Signal(str)
    """Read the original anew."""
    changes_wanted = Signal(str)
    """Show what this version changed."""
    matter_made = Signal(list)
    """A new one, of these items."""
    matter_filled = Signal(str, list)
    matter_emptied = Signal(str, list)
    """Take these out of it."""
    matter_renamed = Signal(str, str)
    matter_removed = Signal(str)
