"""What the program does for the person: asyncio where something waits, no Qt anywhere."""
