"""Readings on disk: what a text has left in the model, kept so that opening the program again reads nothing.

    ROOT/FORMAT-MADE/KEY.safetensors    a block: rows known by their own tokens (see `blocks`)
    ROOT/FORMAT-MADE/ID.json            a manifest: which blocks a reading of these documents is made of
    ROOT/.lock                          held while files are removed or a manifest changes

`MADE` digests everything that rows depend on besides their tokens, so whatever differs is not found at all. Files are
never changed, only replaced as a whole; several processes may use one folder. Names and texts of documents are not
kept, but a block holds its tokens, from which the text can be had: so everything is private to its owner.
"""

from engine.memory.store.blocks import Block
from engine.memory.store.made import FORMAT, Made
from engine.memory.store.saving import NotSaved
from engine.memory.store.store import Store

__all__ = ["FORMAT", "Block", "Made", "NotSaved", "Store"]
