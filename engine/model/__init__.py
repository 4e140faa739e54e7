"""The decoder: configuration, layers, positions, mixers."""
