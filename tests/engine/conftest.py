"""A model of random weights with a tokenizer of its own, small enough to be made anew for a test."""

import hashlib
import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.protocol import Conversation, Document, Forget, Load, ModelSettings, Text, Turn

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
WORDS = [f"{start}{vowel}{end}" for start in "bdfgklmnprst" for vowel in "aeiou" for end in "lmnrst"]


def made_up_text(words: int, seed: int = 1) -> str:
    """Sentences of made-up words, no two alike in a row."""
    state, text = seed, []
    for number in range(words):
        state = (state * 1103515245 + 12345) % (1 << 31)
        text.append(WORDS[(state >> 8) % len(WORDS)] + (".\n" if number % 11 == 10 else ""))
    return " ".join(text)


def write_tokenizer(folder: Path, template: str | None = CHATML) -> None:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([made_up_text(4000)], trainer)
    tokenizer.add_tokens([AddedToken("<think>", special=False, normalized=False)])
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"eos_token": "<|im_end|>"} | ({"chat_template": template} if template else {})
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a checkpoint of two layers and a window of 1,024 tokens."""
    import torch
    from safetensors.torch import save_file

    from engine.weights import hub_config, names

    folder = tmp_path_factory.mktemp("tiny")
    write_tokenizer(folder)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": 640,
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 1024,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": True,
        "torch_dtype": "float32",
        "eos_token_id": None,
    }
    (folder / "config.json").write_text(json.dumps(config))
    parsed = hub_config.parse(folder / "config.json")
    generator = torch.Generator().manual_seed(5)
    tensors = {
        name: torch.ones(shape) if len(shape) == 1 else torch.randn(shape, generator=generator) * 0.3
        for name, shape in names.expected(parsed).items()
    }
    save_file(tensors, folder / "model.safetensors")
    return folder


@pytest.fixture(scope="session")
def with_template(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """with_template(source): the same model with another chat template."""

    def make(source: str) -> Path:
        folder = tmp_path_factory.mktemp("template")
        shutil.copytree(tiny_model, folder, dirs_exist_ok=True)
        write_tokenizer(folder, source)
        return folder

    return make


class Desk:
    """A worker with a loaded model, and requests to it in a few words."""

    def __init__(self, data: Path, model: Path, **settings) -> None:
        from engine.worker import ModelWorker

        self.texts = data / "texts"
        self.texts.mkdir(parents=True, exist_ok=True)
        self.worker = ModelWorker(data)
        self.events = []
        self.stopped = lambda: False
        self._ids = itertools.count(1)
        settings = {"precision": "fp32", "device": "cpu"} | settings
        self.loaded = self.run(Load(self.id(), ModelSettings(str(model), **settings)))

    def forget(self) -> None:
        """As after loading: nothing read, nothing encoded, nothing on disk."""
        self.stopped = lambda: False
        self.run(Forget(self.id()))

    def id(self) -> str:
        return str(next(self._ids))

    def run(self, request):
        self.events = []
        return self.worker.run(request, self.events.append, lambda: self.stopped())

    def document(self, text: str, name: str = "book.txt") -> Document:
        data = text.encode()
        digest = hashlib.sha256(data).hexdigest()
        path = self.texts / f"{digest}.txt"
        path.write_bytes(data)
        return Document(str(path), digest, name)

    @staticmethod
    def talk(*turns) -> Conversation:
        """User and assistant in turn; a turn is a text or a list of texts and documents."""
        roles = itertools.cycle(("user", "assistant"))
        parts = [turn if isinstance(turn, list) else [turn] for turn in turns]
        return Conversation(
            tuple(
                Turn(role, tuple(Text(part) if isinstance(part, str) else part for part in turn))
                for role, turn in zip(roles, parts, strict=False)
            ),
            "2026-03-04T05:06:07",
        )

    made_up_text = staticmethod(made_up_text)


@pytest.fixture(scope="session")
def _desk(tmp_path_factory: pytest.TempPathFactory, tiny_model: Path) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"), tiny_model, piece=64, threads=1)


@pytest.fixture
def desk(_desk: Desk) -> Desk:
    """One model for all tests, its memory empty. Tests that load another use `new_desk`."""
    _desk.forget()
    return _desk


@pytest.fixture
def new_desk(tmp_path: Path, tiny_model: Path) -> Desk:
    return Desk(tmp_path, tiny_model, piece=64, threads=1)


@pytest.fixture(scope="session")
def make_desk(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Desk]:
    """make_desk(model, **settings): another desk with another model."""
    return lambda model, **settings: Desk(tmp_path_factory.mktemp("desk"), model, **settings)
