"""What every `longread bench` writes with `--json`, whatever it measured."""

from msgspec import Raw, Struct

FORMAT = 1
"""Of `Measured`; another one is not read."""


class Machine(Struct, frozen=True):
    """`cpu`: the processor's name. `cores`: those that programs may use. `features`: of its instructions, those that
    torch asks for. `memory`: bytes of RAM. `cards`: names of graphics cards."""

    cpu: str
    cores: int
    features: tuple[str, ...]
    memory: int
    cards: tuple[str, ...] = ()


class MeasuredModel(Struct, frozen=True):
    """`fingerprint`: of the weights, as readings on disk are named after."""

    name: str
    fingerprint: str


class Measured(Struct, frozen=True):
    """One measurement. `kind`: `speed`, `reading`, `needles`, `joins`, `eviction`, `premise`, `attention`, `selection`
    or `peers`; two files can be compared when theirs is the same. `program`: the version that measured. `options`: what
    it was told, but for places on this computer. `began`: the time, with its zone. `seconds` that it took. `results`:
    the kind's own."""

    format: int
    kind: str
    program: str
    versions: dict[str, str]
    machine: Machine
    model: MeasuredModel | None
    options: dict[str, str]
    began: str
    seconds: float
    results: Raw
