"""Everything a newcomer or a developer types, with nothing but Python: `python3 dev.py run`, `python3 dev.py test`.

This file must be readable by any Python, however old, so that an old one is told so in a sentence. The commands
themselves are in `packaging/commands.py`.
"""

import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))


def main():
    if sys.version_info < (3, 11):
        sys.exit(
            "Longread needs Python 3.11 or newer and this is %d.%d: install a newer one and start dev.py with it, "
            "for example as `python3.12 dev.py run`." % sys.version_info[:2]
        )
    sys.path.insert(0, os.path.join(ROOT, "packaging"))
    import commands  # only here: an older Python could not even read it

    return commands.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
