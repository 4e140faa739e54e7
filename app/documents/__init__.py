"""File or folder to text with pages and offsets, one format a file, in a short-lived process of its own.

The rest of the program calls `app.documents.run` alone: everything else here runs in the document process, which has a
memory limit, no network and no right to write files.
"""
