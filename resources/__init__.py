"""What the program carries with it: icons, the style sheet, translations, sample texts."""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """The file or folder `name` ("icons/longread.svg") as it lies on disk; FileNotFoundError when there is none."""
    found = Path(str(files(__name__).joinpath(name)))
    if not found.exists():
        raise FileNotFoundError(f"Longread's own file {name} is missing: install Longread again.")
    return found
