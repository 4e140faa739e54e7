"""What is checked and timed: MiniCPM-SALA's layers as released, or small ones that show that the script works."""

from dataclasses import dataclass, replace

from kernels.block_scores import Blocks


@dataclass(frozen=True)
class Shapes:
    lengths: tuple[int, ...]
    """Odd ones: none, one or several tiles of a kernel, and one token more or less."""
    heads: int
    kv_heads: int
    width: int
    hidden: int
    inner: int
    """Columns of the widest product."""
    rows: int
    """Of weights, where the reference goes through them one by one."""
    piece: int
    """Tokens read at once."""
    text: int
    """Rows of a long text, whose last piece is compared on some of its queries."""
    pieces: tuple[int, ...]
    """Lightning attention reads a text in these."""
    long: int
    """Beyond what lightning attention reads at once."""
    blocks: Blocks
    reach: int
    """Elements between the first and the last row of a cache."""
    texts: tuple[int, ...]
    """Lengths at which kernels are timed."""
    prompts: tuple[int, ...]
    """Of the small hybrid model."""


RELEASED = Shapes(
    lengths=(1, 63, 64, 65, 257, 1000),
    heads=32,
    kv_heads=2,
    width=128,
    hidden=4096,
    inner=16384,
    rows=1000,
    piece=4096,
    text=32768,
    pieces=(1000, 63, 1, 64, 2968),
    long=8192 + 70,
    blocks=Blocks(kernel=32, stride=16, block=64, initial=1, local=33, count=96),
    reach=1 << 31,
    texts=(8192, 32768, 65536),
    prompts=(100, 700),
)

CARD = replace(RELEASED, lengths=(1, 65, 257), text=16384, texts=(8192,), prompts=(700,))
"""`--quick` on a card: the released widths, fewer of everything."""

SMALL = Shapes(
    lengths=(1, 65),
    heads=4,
    kv_heads=2,
    width=32,
    hidden=96,
    inner=192,
    rows=48,
    piece=48,
    text=400,
    pieces=(70, 1, 9),
    long=150,
    blocks=Blocks(kernel=8, stride=4, block=16, initial=1, local=3, count=6),
    reach=1 << 14,
    texts=(256,),
    prompts=(300,),
)
"""`--quick` on a CPU: seconds."""
