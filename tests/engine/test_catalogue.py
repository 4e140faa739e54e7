"""The catalogue's numbers follow from the models' published configurations."""

import pytest

from engine import catalogue
from engine.catalogue import Hub, Wheel

# hidden, layers, heads, kv heads, head width, MLP width, vocabulary, tied, biases on q k v, norms on q and k
PUBLISHED = {
    "smollm2-135m-instruct": (576, 30, 9, 3, 64, 1536, 49152, True, False, False),
    "smollm2-360m-instruct": (960, 32, 15, 5, 64, 2560, 49152, True, False, False),
    "smollm2-1.7b-instruct": (2048, 24, 32, 32, 64, 8192, 49152, True, False, False),
    "qwen2.5-0.5b-instruct": (896, 24, 14, 2, 64, 4864, 151936, True, True, False),
    "qwen2.5-1.5b-instruct": (1536, 28, 12, 2, 128, 8960, 151936, True, True, False),
    "qwen2.5-3b-instruct": (2048, 36, 16, 2, 128, 11008, 151936, True, True, False),
    "qwen2.5-7b-instruct": (3584, 28, 28, 4, 128, 18944, 152064, False, True, False),
    "qwen3-0.6b": (1024, 28, 16, 8, 128, 3072, 151936, True, False, True),
    "qwen3-1.7b": (2048, 28, 16, 8, 128, 6144, 151936, True, False, True),
    "qwen3-4b": (2560, 36, 32, 8, 128, 9728, 151936, True, False, True),
    "qwen3-4b-instruct-2507": (2560, 36, 32, 8, 128, 9728, 151936, True, False, True),
    "qwen3-8b": (4096, 36, 32, 8, 128, 12288, 151936, False, False, True),
}


def parameters(hidden, layers, heads, kv_heads, width, mlp, vocabulary, tied, biases, norms) -> int:
    rows = heads * width + 2 * kv_heads * width
    attention = hidden * rows + heads * width * hidden + biases * rows + norms * 2 * width
    return vocabulary * hidden * (1 if tied else 2) + layers * (attention + 3 * hidden * mlp + 2 * hidden) + hidden


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_and_heads_are_those_of_the_configuration(name):
    entry = catalogue.find(name)
    _, layers, _, kv_heads, width, *_ = PUBLISHED[name]
    assert entry.parameters == parameters(*PUBLISHED[name])
    assert (entry.layers, entry.kv_heads, entry.head_width) == (layers, kv_heads, width)


def test_every_dense_entry_is_checked():
    assert {entry.name for entry in catalogue.ENTRIES} == {*PUBLISHED, "minicpm-sala"}


def test_names_are_one_each_and_sizes_rise():
    names = [entry.name for entry in catalogue.ENTRIES]
    assert len(set(names)) == len(names)
    sizes = [entry.parameters for entry in catalogue.ENTRIES]
    assert sizes == sorted(sizes)


def test_a_hub_id_and_a_name_find_the_same_entry():
    assert catalogue.find("Qwen/Qwen3-8B") is catalogue.find("QWEN3-8b")
    assert catalogue.find("no such model") is None


def test_sizes_to_fetch():
    assert catalogue.SMALL.download == 92_871_040
    assert catalogue.find("qwen3-0.6b").download == 2 * 751_632_384
    assert catalogue.SALA.download == 18_954_407_936


def test_keys_and_values_of_the_hybrid_are_those_of_its_sparse_layers():
    sala = catalogue.SALA
    assert sala.needs(1_000) - sala.needs(0) == 8_192 * 1_000
    assert sala.needs(0) - 2 * sala.parameters == 48 * 2**20


def test_every_source_says_enough_to_be_fetched():
    for entry in catalogue.ENTRIES:
        match entry.source:
            case Hub(id=id):
                assert id.count("/") == 1
            case Wheel(sha256=wheel, member_sha256=member):
                assert len(wheel) == len(member) == 64
