"""From a file or folder to text with pages and offsets. One file a format; run in a short-lived process."""
