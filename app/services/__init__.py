"""Services: asyncio, no Qt. Each does one thing for the window and the command line alike."""
