"""Which segments an answer is written over."""

import numpy as np
import pytest

from engine.protocol import Calibration
from engine.reading.segments import Segment
from engine.reading.selection import RECENTLY, lead, likely, select

CALIBRATION = Calibration(segment=100, overlap=0, join="shared", keep=3, gap=0.5, part=10)


def chosen(*scores, sizes=None, keep=None, room=1000, recent=()):
    return select(scores, sizes or [10] * len(scores), CALIBRATION, keep=keep, room=room, recent=recent)


def test_those_near_the_best_come_along_in_the_texts_order():
    assert chosen(3.4, 4.0, 3.0, 3.5, 3.6) == [0, 2, 3]
    assert chosen(3.0, 3.5, 3.51) == [0, 1]
    assert chosen(9.0, 3.0, 9.0) == [1]


def test_never_more_than_the_calibration_says():
    assert chosen(3.3, 3.2, 3.1, 3.0) == [1, 2, 3]


def test_so_many_as_are_asked_for_whatever_the_gap():
    assert chosen(9.0, 3.0, 5.0, 3.1, keep=3) == [1, 2, 3]
    assert chosen(9.0, 3.0, 3.1, keep=1) == [1]
    assert chosen(9.0, 3.0, keep=5) == [0, 1]


def test_what_was_not_asked_is_not_kept():
    assert chosen(None, 5.0, None, 5.1) == [1, 3]
    assert chosen(None, None) == []
    assert chosen() == []
    assert chosen(None, 5.0, keep=2) == [1]


def test_of_equal_ones_the_earlier():
    assert chosen(*[4.0] * 5) == [0, 1, 2]
    assert chosen(*[4.0] * 5, keep=2) == [0, 1]


def test_room_is_for_the_best_first():
    sizes = [60, 50, 30]
    assert chosen(3.0, 3.1, 3.2, sizes=sizes, room=140) == [0, 1, 2]
    assert chosen(3.0, 3.1, 3.2, sizes=sizes, room=110) == [0, 1]
    # Something worse is not taken in its place, unless so many were asked for
    assert chosen(3.0, 3.1, 3.2, sizes=sizes, room=100) == [0]
    assert chosen(3.0, 3.1, 3.2, sizes=sizes, room=100, keep=3) == [0, 2]
    # Without the best there is no answer
    for keep in (None, 1, 3):
        assert chosen(3.0, 3.1, 3.2, sizes=sizes, room=59, keep=keep) == []


def test_what_was_talked_about_goes_on():
    near, far = 4.0 + RECENTLY * 0.9, 4.0 + RECENTLY * 1.1
    assert chosen(4.0, near, keep=1) == [0]
    assert chosen(4.0, near, keep=1, recent={1}) == [1]
    assert chosen(4.0, far, keep=1, recent={1}) == [0]
    # The gap is counted with it as well
    assert chosen(4.0, 4.55) == [0]
    assert chosen(4.0, 4.55, recent={1}) == [0, 1]
    assert chosen(4.0, 4.45, recent={0}) == [0]


def segments(*ids):
    return [Segment(np.array([7, *own], np.int32), 1, (), (), str(number)) for number, own in enumerate(ids)]


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_a_first_look_counts_rare_words_for_more(count):
    """3 stands in one of four, 1 and 2 in two, 5 in all."""
    found = segments([1, 5], [1, 2, 5], [3, 5], [2, 5, 5])
    order = [1, 2, 0, 3]
    assert likely(found, np.array([1, 2, 3, 5], np.int32), count) == sorted(order[:count])


def test_a_first_look_does_not_count_repetitions_nor_the_preamble():
    found = segments([1, 1, 1, 1], [1, 2], [4], [4])
    assert likely(found, np.array([1, 2, 2], np.int32), 1) == [1]
    # 7 stands only in what all segments begin with
    assert likely(segments([1], [2], [3], [7]), np.array([7], np.int32), 1) == [3]


def test_words_that_stand_nowhere_leave_the_order():
    assert likely(segments([1], [2], [3]), np.array([50], np.int32), 2) == [0, 1]
    assert likely(segments([1], [2], [3]), np.array([], np.int32), 2) == [0, 1]


def test_the_best_leads_by_what_the_next_is_behind():
    assert lead([4.0, 3.0, 3.25]) == 0.25
    assert lead([3.0, 3.0]) == 0
    assert lead([3.0]) == lead([]) == float("inf")
