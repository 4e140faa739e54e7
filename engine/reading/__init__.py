"""How texts longer than the model's window are read and asked."""
