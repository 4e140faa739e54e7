"""Two versions of a text are compared passage by passage, whatever their length and however their lines are broken."""

import random

import pytest

from app.services import comparison
from app.services.comparison import compare, passages


def told(old: str, new: str, flows: bool = False) -> tuple[list[tuple[str | None, str | None]], int]:
    """Words of what was removed, added and changed; and how many passages are the same."""
    pairs, same = compare(passages(old, flows), passages(new, flows))
    return [tuple(one and one.words for one in (pair.old, pair.new)) for pair in pairs], same


def test_paragraphs_added_removed_and_changed():
    old = "Title\n\nThe rent is 400 a month.\n\nNo dogs.\n\nEnd"
    new = "Title\n\nThe rent is 500 a month.\n\nEnd\n\nSigned in Rome"
    assert told(old, new) == (
        [("The rent is 400 a month.", "The rent is 500 a month."), ("No dogs.", None), (None, "Signed in Rome")],
        2,
    )
    assert told(old, old) == ([], 4)
    assert told("", "Title") == ([(None, "Title")], 0)


def test_lines_broken_elsewhere_and_pages_divided_elsewhere_are_no_change():
    old = "It is agreed that the\nrent is due. It is paid\n\nmonthly. No dogs."
    new = "It is agreed\n\nthat the rent\nis due. It is paid monthly. No dogs. No cats."
    assert told(old, new, flows=True) == ([(None, "No cats.")], 3)


def test_a_passage_is_where_its_words_are():
    text = "  One two.\n\n\n Three\nfour! \n"
    assert [(text[one.start : one.end], one.words) for one in passages(text)] == [
        ("One two.", "One two."),
        ("Three\nfour!", "Three four!"),
    ]


def test_marks_after_the_end_of_a_sentence_belong_to_it():
    assert told('He said "Yes." Then he left.', "He said 'Yes.' Then he left.", flows=True) == (
        [('He said "Yes."', "He said 'Yes.'")],
        1,
    )


def test_long_paragraphs_are_compared_by_sentences_and_tables_by_lines():
    prose = " ".join(f"Sentence number {n} says so." for n in range(40))
    assert len(passages(prose)) == 40
    chinese = "第一条规定如此。" * 90
    assert len(passages(chinese)) == 90
    table = "\n".join(f"{n} | {n * n}" for n in range(200))
    assert len(passages(table)) == 200


def test_what_moved_is_removed_and_added():
    changes, same = told("A one\n\nB two\n\nC three\n\nD four", "D four\n\nA one\n\nB two\n\nC three")
    assert (set(changes), same) == ({(None, "D four"), ("D four", None)}, 3)


@pytest.mark.parametrize("most", [comparison.MOST, 0])
def test_a_book_with_many_changes_is_compared_exactly(monkeypatch, most):
    """Seeded: every change that was made is found, and nothing else; without difflib as well, between passages that
    both have once."""
    monkeypatch.setattr(comparison, "MOST", most)
    chance = random.Random(7)
    vocabulary = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(3, 9))) for _ in range(900)]
    old = [" ".join(chance.choices(vocabulary, k=12)) for _ in range(3000)]
    new, wanted = [], []
    for paragraph in old:
        lot = chance.random()
        if lot < 0.03:
            wanted.append((paragraph, None))
        elif lot < 0.06:
            changed = paragraph.replace(" ", " not ", 1)
            new.append(changed)
            wanted.append((paragraph, changed))
        elif lot < 0.09:
            added = " ".join(chance.choices(vocabulary, k=12))
            new += [paragraph, added]
            wanted.append((None, added))
        else:
            new.append(paragraph)
    changes, same = told("\n\n".join(old), "\n\n".join(new))
    assert sorted(changes, key=str) == sorted(wanted, key=str)
    assert same == len(set(old) & set(new))
