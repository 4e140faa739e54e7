"""What the program speaks of: frozen structures, without Qt and without files."""
