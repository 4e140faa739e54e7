"""Checkpoints on disk to tensors in memory. A checkpoint's own names are known here and nowhere else."""
