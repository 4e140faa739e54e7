"""Git's patterns as regular expressions, byte for byte as its wildmatch.c and dir.c read them.

pathspec is not used: it raises on lines that git takes and ignores, knows no [[:alpha:]], and matches characters where
git matches bytes. Compared with `git check-ignore` on generated trees in the tests.
"""

import re

from msgspec import Struct

CLASSES = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\x0b\f\r",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
SPECIAL = re.compile(rb"[*?\[\\]")


class NoMatch(Exception):
    """The pattern is one that git reads and that nothing matches."""


class Pattern(Struct, frozen=True):
    regex: re.Pattern[bytes]
    negated: bool
    folders_only: bool
    whole_path: bool
    """Matched against the path below the file that holds the pattern, not against the name alone."""

    def matches(self, path: bytes, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        return self.regex.fullmatch(path if self.whole_path else path.rpartition(b"/")[2]) is not None


def patterns(data: bytes) -> tuple[Pattern, ...]:
    """The patterns of a .gitignore, the last first, as they are tried."""
    found = []
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.startswith(b"#"):
            continue
        if pattern := _pattern(_trimmed(line.removesuffix(b"\r").partition(b"\0")[0])):
            found.append(pattern)
    return tuple(reversed(found))


def _trimmed(line: bytes) -> bytes:
    """Without the spaces at its end, unless a backslash stands before them."""
    place = 0
    spaces: int | None = None
    while place < len(line):
        if line[place] == ord(" "):
            spaces = place if spaces is None else spaces
        else:
            if line[place] == ord("\\"):
                place += 1
                if place == len(line):
                    return line
            spaces = None
        place += 1
    return line if spaces is None else line[:spaces]


def _pattern(line: bytes) -> Pattern | None:
    negated = line.startswith(b"!")
    line = line[negated:]
    folders_only = line.endswith(b"/")
    line = line[: len(line) - folders_only]
    if not line:
        return None
    whole_path = b"/" in line
    line = line.removeprefix(b"/")
    # The characters before the first special one are compared as they are; the rest is a pattern of its own.
    first = SPECIAL.search(line)
    literal = line[: first.start()] if first else line
    try:
        regex = re.compile(re.escape(literal) + translate(line[len(literal) :]), re.S)
    except NoMatch:
        return None
    return Pattern(regex, negated, folders_only, whole_path)


def translate(glob: bytes) -> bytes:
    """A regular expression for the whole of what `glob` matches. Raises `NoMatch`."""
    out = b""
    place = 0
    while place < len(glob):
        char = glob[place : place + 1]
        if char == b"*":
            stars = re.compile(rb"\*+").match(glob, place)
            assert stars is not None
            after = stars.end()
            whole = (place == 0 or glob[place - 1 : place] == b"/") and (
                after == len(glob) or glob[after : after + 1] == b"/" or glob[after : after + 2] == b"\\/"
            )
            if after - place > 1 and whole:
                if glob[after : after + 1] == b"/":
                    out += rb"(?:.*/)?"
                    after += 1
                else:
                    out += rb".*"
            else:
                out += rb"[^/]*"
            place = after
        elif char == b"?":
            out += rb"[^/]"
            place += 1
        elif char == b"[":
            matched, place = _bracket(glob, place + 1)
            out += rb"(?!/)" + matched
        elif char == b"\\":
            if place + 1 == len(glob):
                raise NoMatch
            out += re.escape(glob[place + 1 : place + 2])
            place += 2
        else:
            out += re.escape(char)
            place += 1
    return out


def _bracket(glob: bytes, place: int) -> tuple[bytes, int]:
    """A set of bytes, from after its "[" to after its "]"."""
    negated = glob[place : place + 1] in (b"!", b"^")
    place += negated
    members = b""
    before = b""
    first = True
    while first or glob[place : place + 1] != b"]":
        first = False
        char = glob[place : place + 1]
        if not char:
            raise NoMatch
        if char == b"-" and before and glob[place + 1 : place + 2] not in (b"", b"]"):
            place += 1
            last, place = _member(glob, place)
            if before <= last:
                members += re.escape(before) + b"-" + re.escape(last)
            before = b""
        elif glob[place : place + 2] == b"[:":
            end = glob.find(b"]", place + 2)
            if end < 0:
                raise NoMatch
            name = glob[place + 2 : end]
            if name.endswith(b":"):
                if name[:-1] not in CLASSES:
                    raise NoMatch
                members += CLASSES[name[:-1]]
                before = b""
                place = end
            else:
                members += rb"\["
                before = b"["
        else:
            before, place = _member(glob, place)
            members += re.escape(before)
        place += 1
    if not members:
        return (rb"." if negated else rb"(?!)"), place + 1
    return b"[" + (b"^" if negated else b"") + members + b"]", place + 1


def _member(glob: bytes, place: int) -> tuple[bytes, int]:
    """One byte of a set, and where it stands."""
    if glob[place : place + 1] == b"\\":
        place += 1
        if place == len(glob):
            raise NoMatch
    return glob[place : place + 1], place
