"""How products are chosen when a model is loaded: by part of large weights, for all of them."""

import pytest

from engine.weights import load, writing
from kernels import timing


@pytest.fixture
def timed(monkeypatch):
    """What is timed: lists of elements, and how long each product is said to take; the second is the fastest."""
    seen = []

    def time_products(linears, dtype, device):
        seen.append([linear.rows * linear.columns for linear in linears])
        milliseconds = {name: 3.0 if number != 1 else 2.0 for number, name in enumerate(linears[0].products)}
        return timing.Timed(linears[0].products[1], milliseconds, ())

    monkeypatch.setattr(timing, "time_products", time_products)
    return seen


@pytest.mark.parametrize("precision", ["fp32", "int8", "int4"])
def test_large_weights_are_timed_by_their_first_rows(precision, folder, timed, monkeypatch):
    monkeypatch.setattr(writing, "SAMPLE", 100_000)
    decoder = (loaded := load(folder, precision, "cpu")).decoder
    first = [linear.rows * linear.columns for linear in decoder.layers[0].linears()]
    for elements in timed:
        assert sum(elements) <= 100_000 + 256 * len(elements)
    # All of a kind use what was found for it, whole weights and not those that were timed
    for linear in (*decoder.layers[1].linears(), *decoder.head.parts):
        assert linear.product == linear.products[1]
    share = sum(timed[0]) / sum(first)
    assert 0.2 < share < 0.5
    assert loaded.candidates[loaded.writing] == pytest.approx(2.0 / share), "milliseconds of a layer"


def test_small_weights_are_timed_whole(folder, timed):
    loaded = load(folder, "int8", "cpu")
    assert timed[0] == [linear.rows * linear.columns for linear in loaded.decoder.layers[0].linears()]
    assert loaded.candidates[loaded.writing] == 2.0
    assert loaded.candidates[writing.PLAIN] == 2.0
