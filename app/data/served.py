"""What `longread serve` serves, as a file of the person's says it."""

from msgspec import Struct

from app.data.gateway import GatewaySettings
from app.data.provider import Provider
from app.data.settings import Settings


class Served(Struct, frozen=True):
    """`settings`: of the model that is loaded at first. `models`: under names of their own, each with the settings that
    it is loaded and read with. `api_key`: empty where only the kept keys open it; `api_key_remote` as `Key.remote`."""

    settings: Settings
    gateway: GatewaySettings = GatewaySettings()
    providers: tuple[Provider, ...] = ()
    models: dict[str, Settings] = {}
    api_key: str = ""
    api_key_remote: bool = False
