"""The packaged program's beginning on Windows: the window and the command line."""

import sys

sys.frozen = True  # type: ignore[attr-defined]  # the programs lie beside each other, as PyInstaller lays them
from app.__main__ import main  # noqa: E402 - it asks for the line above

sys.exit(main())
