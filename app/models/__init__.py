"""Qt item models over `app.data`."""
