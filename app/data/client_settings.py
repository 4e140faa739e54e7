"""A client's settings.json, as several programs keep it: one server, its key and its models."""

from msgspec import Struct

from app.data.provider import Provider


class ClientSettings(Struct, frozen=True):
    """What such a file says to us. `default_model`: `<provider>/<model>`; empty where it names none."""

    provider: Provider
    default_model: str = ""
