"""The packaged engine's beginning."""

import sys

from engine.__main__ import main

sys.exit(main(sys.argv[1:]))
