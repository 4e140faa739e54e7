"""What Triton kernels of several operations share. Imported by them alone, which dispatch alone imports."""

import triton
import triton.language as tl

INTERPRETED = tl.constexpr(bool(triton.knobs.runtime.interpret))
"""The interpreter has no arithmetic in bf16: there products are of the same numbers in fp32."""
HIDDEN = tl.constexpr(-1e30)
"""A score that weighs nothing."""


@triton.jit
def product(one, two):
    if INTERPRETED:
        one, two = one.to(tl.float32), two.to(tl.float32)
    return tl.dot(one, two, input_precision="tf32x3")
