"""Whatever the readers say in codes, there is a sentence for it."""

import re
from pathlib import Path
from typing import get_args

from app import document_words, documents
from app.data.document import RefusalCode
from app.documents.passing_over import folder_reason

SOURCE = "\n".join(path.read_text() for path in sorted(Path(documents.__file__).parent.glob("*.py")))


def found(pattern: str) -> set[str]:
    return set(re.findall(pattern, SOURCE))


def test_of_refusals():
    codes = set(get_args(RefusalCode))
    assert found(r'Unreadable\("(\w+)"') <= codes == set(document_words.REFUSALS)
    # A file in a folder is left out for what it would be refused for by itself.
    assert codes <= set(document_words.REASONS)


def test_of_what_is_left_out():
    reasons = found(r'PassedOver\("(\w+)"') | found(r'LeftOut\([^\n]*, "(\w+)"\)') | found(r'reason="(\w+)"')
    reasons |= {folder_reason(name, lambda sign: True) for name in (".git", "node_modules", "vendor")}
    assert len(reasons) > 10
    assert reasons <= set(document_words.REASONS)


def test_of_warnings():
    warnings = found(r'Warning\("(\w+)"')
    assert len(warnings) > 10
    assert warnings <= set(document_words.WARNINGS)
