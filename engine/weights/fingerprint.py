"""What names a model's weights in a saved reading, without hashing gigabytes at each load.

sha256 over: the configuration; for every file with tensors its name, its size and its whole header (names, dtypes,
shapes, places; in a GGUF file the tokenizer as well); for every tensor `SAMPLE` bytes at its start, middle and end.
Training or quantising again changes all of a matrix, so it changes the samples. A file altered on purpose elsewhere
keeps its fingerprint: it tells checkpoints apart, it is no proof against forgery.
"""

import hashlib

import msgspec

from engine.weights.checkpoint import Checkpoint

SAMPLE = 1024


def fingerprint(checkpoint: Checkpoint) -> str:
    """64 hex digits."""
    digest = hashlib.sha256(msgspec.json.encode(checkpoint.config))
    for path, header in sorted(checkpoint.headers.items()):
        digest.update(f"\n{path.name} {path.stat().st_size} {len(header)}\n".encode())
        digest.update(header)
        with path.open("rb") as file:
            for stored in sorted(checkpoint.tensors.values(), key=lambda tensor: tensor.start):
                if stored.file != path:
                    continue
                last = max(stored.start, stored.end - SAMPLE)
                for at in (stored.start, (stored.start + last) // 2, last):
                    file.seek(at)
                    digest.update(file.read(min(SAMPLE, stored.end - at)))
    return digest.hexdigest()
