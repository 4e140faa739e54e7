import json

import pytest
from gguf import GGUFWriter, TokenType
from tokenizers import Tokenizer as Backend

from engine.weights import BadModel, gguf_tokenizer, tokenizer_files

BYTES = [f"<0x{number:02X}>" for number in range(256)]


def write(path, model, words, kinds, **more):
    writer = GGUFWriter(path, "llama")
    writer.add_tokenizer_model(model)
    writer.add_token_list(words)
    writer.add_token_types(kinds)
    for name, value in more.items():
        getattr(writer, f"add_{name}")(value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


def byte_level(path, split, **more):
    """Words for the bytes, one merge, a control token and one of the user's."""
    from tokenizers.pre_tokenizers import ByteLevel

    words = [*sorted(ByteLevel.alphabet()), "ab", "12", "<|end|>", "<tool>"]
    kinds = [TokenType.NORMAL] * 258 + [TokenType.CONTROL, TokenType.USER_DEFINED]
    return write(path, "gpt2", words, kinds, token_merges=["a b", "1 2"], tokenizer_pre=split, eos_token_id=258, **more)


def pieces(converted, text):
    return Backend.from_str(converted[0]).encode(text, add_special_tokens=False).tokens


@pytest.mark.parametrize(("split", "digits"), [("smollm", ["1", "2"]), ("gpt-2", ["12"]), ("llama-bpe", ["12"])])
def test_each_model_splits_numbers_as_it_was_trained(tmp_path, split, digits):
    converted = gguf_tokenizer.convert(byte_level(tmp_path / "m.gguf", split))
    assert pieces(converted, "ab12") == ["ab", *digits]
    assert pieces(converted, "ab<|end|>") == ["ab", "<|end|>"]
    assert converted[2:] == ({"eos_token": "<|end|>"}, (258,), ())


def test_lines_are_split_as_trained(tmp_path):
    converted = gguf_tokenizer.convert(
        byte_level(tmp_path / "m.gguf", "qwen2", eot_token_id=259, chat_template="{{ 1 }}")
    )
    assert pieces(converted, "a.\n\nb") == ["a", ".", "Ċ", "Ċ", "b"]
    assert converted[1] == "{{ 1 }}"
    assert converted[3] == (258, 259)


@pytest.mark.parametrize(
    ("split", "says", "opening"),
    [("llama-bpe", None, (0,)), ("llama-bpe", False, ()), ("qwen2", None, ()), ("gpt-2", True, (0,))],
)
def test_what_every_text_begins_with(tmp_path, split, says, opening):
    more = {"bos_token_id": 0} | ({} if says is None else {"add_bos_token": says})
    assert gguf_tokenizer.convert(byte_level(tmp_path / "m.gguf", split, **more))[4] == opening


def test_sentencepiece_merges_the_highest_score_first(tmp_path):
    words = ["<unk>", "<s>", "</s>", *BYTES, "▁", "a", "b", "c", "ab", "bc", "▁a"]
    kinds = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL, *[TokenType.BYTE] * 256, *[TokenType.NORMAL] * 7]
    scores = [0.0] * 259 + [-9.0, -9.0, -9.0, -9.0, -2.0, -1.0, -3.0]
    path = write(tmp_path / "m.gguf", "llama", words, kinds, token_scores=scores, eos_token_id=2)
    converted = gguf_tokenizer.convert(path)
    assert pieces(converted, "abc ab") == ["▁a", "bc", "▁", "ab"]
    assert pieces(converted, "</s>é") == ["</s>", "▁", "<0xC3>", "<0xA9>"]
    backend = Backend.from_str(converted[0])
    assert backend.decode(backend.encode("abc é a").ids) == "abc é a"
    path = write(
        tmp_path / "n.gguf", "llama", words, kinds, token_scores=scores, add_space_prefix=False, eos_token_id=2
    )
    assert pieces(gguf_tokenizer.convert(path), "abc") == ["a", "bc"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: byte_level(path, "something new"), "something new"),
        (lambda path: write(path, "gpt2", ["a"], [1], tokenizer_pre="gpt-2"), "merges is missing"),
        (lambda path: write(path, "llama", ["a"], [1]), "scores is missing"),
        (lambda path: write(path, "bert", ["a"], [1]), "bert"),
    ],
)
def test_what_is_not_known_is_refused(tmp_path, make, said):
    with pytest.raises(BadModel, match=said):
        gguf_tokenizer.convert(make(tmp_path / "m.gguf"))


def test_a_conversion_is_kept_and_made_again_when_damaged(small_model, tmp_path, monkeypatch):
    files = tokenizer_files.read(small_model, tmp_path)
    assert json.loads(files.json)["model"]["type"] == "BPE"
    assert files.template.startswith("{% for message")
    convert, made = gguf_tokenizer.convert, []
    monkeypatch.setattr(gguf_tokenizer, "convert", lambda path: made.append(path) or convert(path))
    assert tokenizer_files.read(small_model, tmp_path) == files
    assert made == []
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-100])
    assert tokenizer_files.read(small_model, tmp_path) == files
    assert made == [small_model]


def folder(tmp_path, **files):
    (tmp_path / "tokenizer.json").write_text("{}")
    for name, value in files.items():
        text = value if isinstance(value, str) else json.dumps(value)
        (tmp_path / (name + (".jinja" if name == "chat_template" and isinstance(value, str) else ".json"))).write_text(
            text
        )
    return tokenizer_files._folder(tmp_path)


def test_a_folder_says_it_in_several_files(tmp_path):
    read = folder(
        tmp_path,
        tokenizer_config={"bos_token": {"content": "<s>"}, "eos_token": "</s>", "chat_template": "old"},
        special_tokens_map={"pad_token": "<pad>", "eos_token": "other", "additional_special_tokens": ["<x>"]},
        generation_config={"eos_token_id": [7, 9]},
        config={"eos_token_id": 7},
        chat_template="new",
    )
    assert read.template == "new"
    assert read.special == {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    assert read.ends == (7, 9, "</s>")


@pytest.mark.parametrize(
    ("files", "template"),
    [
        ({}, None),
        ({"tokenizer_config": {"chat_template": [{"name": "tools", "template": "t"}]}}, None),
        (
            {
                "tokenizer_config": {
                    "chat_template": [{"name": "tools", "template": "t"}, {"name": "default", "template": "d"}]
                }
            },
            "d",
        ),
        ({"tokenizer_config": {}, "chat_template": {"chat_template": "j"}}, "j"),
    ],
)
def test_where_a_template_may_be(tmp_path, files, template):
    assert folder(tmp_path, **files).template == template


def test_a_broken_file_is_named(tmp_path):
    with pytest.raises(BadModel) as caught:
        folder(tmp_path, tokenizer_config="not JSON")
    assert caught.value.subject == "tokenizer_config.json"
