"""The inference program of Longread: a process of its own that reads documents and writes answers. Never Qt."""
