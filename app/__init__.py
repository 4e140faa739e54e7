"""Longread's window, its services and its command line. Never torch."""
