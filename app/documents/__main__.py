"""The document process: reads one request from stdin and says what it finds on stdout."""

from app.documents.worker import main

main()
