"""`python -m engine logits`: the logits of every position of a list of tokens, for comparison with other programs."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import torch

from engine.memory.sparse_rows import SparseRows
from engine.protocol import Precision
from engine.weights import BadModel, load

PRECISIONS: dict[str, Precision] = {
    "float32": "fp32",
    "bfloat16": "bf16",
    "int8": "int8",
    "int4": "int4",
    "auto": "auto",
}


def main(argv: list[str]) -> int:
    """Write float32 [T, vocab]; 0, or 1 with a line on stderr. No tokenizer is needed."""
    parser = argparse.ArgumentParser(prog="python -m engine logits", description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="a folder with a checkpoint, or a .gguf file")
    parser.add_argument("--tokens", type=Path, required=True, help="a JSON list of token ids")
    parser.add_argument("--out", type=Path, required=True, help="the .npy file to write")
    parser.add_argument("--piece", type=int, default=512, help="tokens read at once; 1 writes them one by one")
    parser.add_argument("--dtype", choices=sorted(PRECISIONS), default="float32")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="cpu")
    parser.add_argument(
        "--normaliser", choices=("coarse", "exact"), default="coarse", help="of the scores of sparse layers' blocks"
    )
    args = parser.parse_args(argv)
    if args.piece < 1:
        parser.error("--piece must be at least 1")
    try:
        ids = _tokens(args.tokens)
        model = load(args.model, PRECISIONS[args.dtype], args.device)
        if max(ids) >= model.config.vocab:
            raise ValueError(f"a token of {max(ids)} is beyond the vocabulary of {model.config.vocab}")
    except BadModel as error:
        print(f"{error.subject}: {error.message}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    decoder = model.decoder
    caches = decoder.make_caches(len(ids))
    for rows in caches.rows:
        if isinstance(rows, SparseRows):
            rows.normaliser = args.normaliser
    out = np.lib.format.open_memmap(args.out, mode="w+", dtype=np.float32, shape=(len(ids), model.config.vocab))
    for start in range(0, len(ids), args.piece):
        piece = torch.tensor([ids[start : start + args.piece]], device=decoder.device)
        if args.piece == 1:
            logits = decoder.write(piece[0], caches, prompt=len(ids))[:, None]
        else:
            read = decoder.read(piece, caches, logits="all", prompt=len(ids))
            assert read is not None
            logits = read
        out[start : start + piece.shape[1]] = logits[0].cpu().numpy()
    out.flush()
    return 0


def _tokens(path: Path) -> list[int]:
    ids = json.loads(path.read_bytes())
    if not isinstance(ids, list) or not ids or not all(type(id) is int and id >= 0 for id in ids):
        raise ValueError(f"{path.name} is no JSON list of token ids")
    return ids
