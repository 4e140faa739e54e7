"""The packaged program's beginning: the window and the command line."""

import sys

from app.__main__ import main

sys.exit(main())
