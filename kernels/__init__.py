"""Attention and low-bit products: one folder an operation, each with its contract, reference, cpu and gpu form."""
