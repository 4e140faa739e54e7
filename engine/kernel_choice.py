"""How a model's attention is computed, where the settings say so: names of theirs to forms of the kernels."""

import torch

from engine.model.config import MixerKind, ModelConfig
from engine.protocol import Kernel, ModelSettings
from kernels import dispatch

SPARSE: dict[MixerKind, tuple[str, ...]] = {
    "sparse": ("block_scores", "block_sparse_attention"),
    "moba": ("moba",),
    "nsa": ("nsa", "block_scores"),
}
LINEAR: dict[MixerKind, tuple[str, ...]] = {"lightning": ("lightning_attention",)}
"""Operations by the kind of layer that computes them."""

FORMS: dict[Kernel, str] = {"native": "native", "triton": "gpu", "torch": dispatch.PLAIN}
NAMES = {form: name for name, form in FORMS.items()}


class NoKernel(Exception):
    """`str()`: the reason, and what can be chosen."""


def choose(settings: ModelSettings, config: ModelConfig, device: torch.device) -> None:
    """Compute the attention of this model so from now on. Raises NoKernel, and then nothing is changed."""
    wanted: dict[str, str] = {}
    for what, kernel, kinds in (("sparse", settings.sparse, SPARSE), ("linear", settings.linear, LINEAR)):
        if kernel == "auto":
            continue
        operations = [name for kind, names in kinds.items() if kind in config.mixers for name in names]
        if not operations:
            raise NoKernel(f"the model has no {what} layers, which {kernel} could compute")
        wanted |= dict.fromkeys(operations, FORMS[kernel])
    try:
        dispatch.prefer(wanted, device)
    except dispatch.Unavailable as error:
        known = ", ".join(NAMES[form] for form in error.known if form in NAMES)
        message = (
            f"{error.operation} cannot be computed by {NAMES[error.form]} on this {device.type}; known are {known}"
        )
        raise NoKernel(message) from None
