"""Models in Anthropic's form."""

from typing import Any

from app.gateway.names import Model

VERSION = "anthropic-version"
"""The header by which clients of that protocol are known, where the path is that of both."""
MADE = "2025-01-01T00:00:00Z"
"""Its `created_at`: nothing here has such a date."""


def described(model: Model) -> dict[str, Any]:
    """With the window where it is known."""
    about = {"type": "model", "id": model.name, "display_name": model.name, "created_at": MADE}
    return about | ({"max_input_tokens": model.window} if model.window else {})


def listed(models: list[Model]) -> dict[str, Any]:
    """All on one page."""
    return {
        "data": [described(model) for model in models],
        "has_more": False,
        "first_id": models[0].name if models else None,
        "last_id": models[-1].name if models else None,
    }
