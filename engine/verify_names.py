"""What verifications are called, for those who must not load them: a command line's help and mistakes."""

from typing import Literal

Tier = Literal["quick", "standard", "full"]
TestName = Literal[
    "tokens",
    "canaries",
    "needles",
    "decoys",
    "ending",
    "recital",
    "turns",
    "updates",
    "coverage",
    "nested",
    "precision",
    "policy",
    "layers",
    "saved",
    "leak",
    "memory",
    "latency",
]
