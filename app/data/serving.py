"""What `longread serve` serves, as a file of the person's says it."""

from msgspec import Struct
from msgspec.structs import replace

from app.data.gateway import GatewaySettings
from app.data.provider import Provider
from app.data.serve_config import ServeConfig
from app.data.settings import Settings, gateway


class Serving(Struct, frozen=True):
    """`settings`: of the model that is loaded at first, and where it is served. `named`: models under names of their
    own, each with the settings that it is loaded and read with. `api_key`: empty where the kept keys alone open it;
    `api_key_remote` as `Key.remote`. `config`: what it was made from, in which a fault is found by its line."""

    settings: Settings
    switch: bool = False
    request_timeout: float = 0.0
    providers: tuple[Provider, ...] = ()
    named: dict[str, Settings] = {}
    api_key: str = ""
    api_key_remote: bool = False
    config: ServeConfig = ServeConfig()

    @property
    def gateway(self) -> GatewaySettings:
        return replace(gateway(self.settings), request_timeout=self.request_timeout)

    def __repr__(self) -> str:
        """Without the key: it may come into a log."""
        return f"Serving({self.settings.model!r}, {self.settings.api_host!r}, {self.settings.api_port})"
