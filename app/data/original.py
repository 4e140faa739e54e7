"""How the file or folder that an item was made from stands now, beside how it was read."""

from typing import Literal

OriginalState = Literal["same", "changed", "maybe", "missing", "unknown", "older"]
"""changed: its bytes are others than those that were read; maybe: a folder in which files came, went or were written;
missing: it is not where it was; unknown: it cannot be looked at, or an older Longread kept nothing to compare it with;
older: a newer version of the same file is in the library."""
