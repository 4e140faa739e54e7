"""What of a text is kept when not all of its keys and values can be: policies, and the pruning that they decide.

Policies say how much each row is worth, every layer and key head for itself; `Pruning` says when rows go and which of
them may not. Every head keeps as many rows as every other, each of its own choice, so that tensors stay rectangular.
Rows go after the attention of what was read, between pieces and tokens, never while a cache is written to.
"""
