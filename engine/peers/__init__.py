"""Other programs that run the same models, to measure beside ours. None of them comes along: they are looked for."""
