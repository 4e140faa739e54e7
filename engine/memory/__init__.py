"""What the model remembers: caches, and the plan of what fits."""
