"""The packaged engine's beginning on Windows."""

import sys

sys.frozen = True  # type: ignore[attr-defined]  # the programs lie beside each other, as PyInstaller lays them
from engine.__main__ import main  # noqa: E402 - it asks for the line above

sys.exit(main(sys.argv[1:]))
