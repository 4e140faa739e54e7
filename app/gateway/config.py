"""What the keys of config.toml mean: settings of the model and of the server, providers, models under own names.

A file stands for itself: what it does not say is as in a new installation, whatever the window's settings are. Where
readings are kept, and how many threads there are, is this computer's and stays. What only the model can tell is looked
at by `config_check`.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from app.data.fault import Fault, NotHonoured
from app.data.provider import NAME, Provider
from app.data.serve_config import ModelSection, ProviderSection, ServeConfig
from app.data.serving import Serving
from app.data.settings import Settings
from app.gateway import config_file
from app.services import methods
from app.services.keys import SOUND, WRAPPED
from app.services.methods import Methods
from app.services.variables import expanded
from engine import catalogue
from engine.remote import BadAddress, address, key_fault

_SECTIONS = {
    **dict.fromkeys(("impl", "compress_ratio", "score_window", "adaptive_weight"), "attention"),
    **dict.fromkeys(("chunk_size", "eviction_strategy", "extrapolation"), "long_context"),
}
METHODS = {name: f"{section}.{name}" for name, section in _SECTIONS.items()}
"""By the fields of `Methods`: keys."""
OWN = {"impl": "policy", "compress_ratio": "keep", "chunk_size": "chunk_size", "extrapolation": "mode"}
"""The same, of those that a model under a name of its own has."""
PRECISIONS = {"gptq_int4": "int4", "int8": "int8"}
SHORTEST_KEY = 16
"""Characters."""
OF_THIS_COMPUTER = ("device", "threads", "save_readings", "readings_folder", "readings_quota")
"""Settings that are kept, whatever is served."""


def read(path: Path, kept: Settings, environment: Mapping[str, str]) -> Serving:
    """As `serving`, of the file there."""
    return serving(config_file.read(path), kept, environment)


def serving(config: ServeConfig, kept: Settings, environment: Mapping[str, str]) -> Serving:
    """`kept`: the window's settings. Raises `NotHonoured` with every fault."""
    meaning = _Meaning(config, environment)
    settings = meaning.settings(kept)
    found = Serving(
        settings=settings,
        switch=config.server.switch,
        request_timeout=config.server.request_timeout or 0.0,
        providers=meaning.providers(),
        named={name: meaning.model(name, section, settings) for name, section in config.models.items()},
        api_key=meaning.api_key(),
        api_key_remote=config.server.api_key_remote,
        config=config,
    )
    if meaning.faults:
        raise NotHonoured(*meaning.faults)
    return found


class _Meaning:
    def __init__(self, config: ServeConfig, environment: Mapping[str, str]) -> None:
        self._config = config
        self._environment = environment
        self.faults: list[Fault] = []

    def _fault(self, key: str, code: str, **values: str) -> None:
        self.faults.append(Fault(key, code, values, self._config.given.get(key) or None))

    def _faulty(self, refused: NotHonoured) -> None:
        self.faults += (replace(one, line=self._config.given.get(one.key) or None) for one in refused.faults)

    def _expanded(self, key: str, text: str) -> str:
        try:
            return expanded(key, text, self._environment)
        except NotHonoured as refused:
            self._faulty(refused)
            return ""

    def _switched(self, switch: str, *keys: str) -> None:
        """What waits for a switch that the file does not hold would be passed over in silence."""
        for key in keys:
            if key in self._config.given and switch not in self._config.given:
                self._fault(key, "switch_off", switch=switch)

    def settings(self, kept: Settings) -> Settings:
        server, attention, long = self._config.server, self._config.attention, self._config.long_context
        self._switched("quantization.enabled", "quantization.method")
        self._switched("long_context.kv_eviction", "long_context.eviction_strategy")
        if long.auto_truncate:
            self._fault("long_context.auto_truncate", "never_cut")
        quantization = self._config.quantization
        precision = PRECISIONS[quantization.method] if quantization.enabled else "auto"
        model = self._expanded("server.model_path", server.model_path)
        settings = replace(
            Settings(**{name: getattr(kept, name) for name in OF_THIS_COMPUTER}),
            model=_absolute(model) if model else Settings().model,
            precision=precision,
            window=server.context_length,
            memory_share=server.mem_fraction_static,
            sparse_kernel=attention.sparse_impl,
            linear_kernel=attention.linear_impl,
            extension=long.rope_scaling,
            api_host=server.host,
            api_port=server.port,
            api_names=server.names,
            api_tls=server.tls,
            api_tls_certificate=_absolute(server.tls_certificate),
            api_tls_key=_absolute(server.tls_key),
        )
        self._certificate()
        wanted = Methods(
            impl=attention.impl,
            compress_ratio=attention.compress_ratio,
            score_window=attention.score_window,
            adaptive_weight=attention.adaptive_weight,
            chunk_size=long.chunk_size,
            eviction_strategy=long.eviction_strategy if long.kv_eviction else None,
            extrapolation=long.extrapolation if "long_context.extrapolation" in self._config.given else None,
        )
        return self._changed(settings, wanted, METHODS)

    def _changed(self, settings: Settings, wanted: Methods, names: Mapping[str, str]) -> Settings:
        try:
            return methods.changed(settings, wanted, names)
        except NotHonoured as refused:
            self._faulty(refused)
            return settings

    def _certificate(self) -> None:
        server = self._config.server
        if bool(server.tls_certificate) != bool(server.tls_key):
            self._fault("server.tls_certificate" if server.tls_certificate else "server.tls_key", "tls_two_files")
        for key, file in (("server.tls_certificate", server.tls_certificate), ("server.tls_key", server.tls_key)):
            if file and not Path(file).expanduser().is_file():
                self._fault(key, "file_missing")
            elif file and "server.tls" not in self._config.given:
                self._fault(key, "switch_off", switch="server.tls")

    def api_key(self) -> str:
        server, key = self._config.server, "server.api_key"
        secret = self._expanded(key, server.api_key)
        if secret and (SOUND.fullmatch(secret) is None or WRAPPED.search(secret)):
            self._fault(key, "key_characters")
        elif secret and len(secret) < SHORTEST_KEY:
            self._fault(key, "key_short", least=str(SHORTEST_KEY))
        if server.api_key_remote:
            for needs, there in (("api_key", bool(server.api_key)), ("[providers.NAME]", bool(self._config.providers))):
                if not there:
                    self._fault("server.api_key_remote", "key_for_nothing", needs=needs)
        return secret

    def providers(self) -> tuple[Provider, ...]:
        return tuple(self._provider(name, section) for name, section in self._config.providers.items())

    def _provider(self, name: str, section: ProviderSection) -> Provider:
        prefix = f"providers.{name}"
        if NAME.match(name) is None:
            self._fault(prefix, "bad_name")
        if section.base_url and section.api_base and section.base_url != section.api_base:
            self._fault(f"{prefix}.api_base", "address_twice")
        written = "api_base" if section.api_base and not section.base_url else "base_url"
        where = f"{prefix}.{written}"
        url = self._expanded(where, section.base_url or section.api_base)
        if not section.base_url and not section.api_base:
            self._fault(where, "address_missing")
        elif url:
            try:
                address(url)
            except BadAddress as error:
                self._fault(where, "address_form", value=str(error))
        if section.api_key and section.api_key_env:
            self._fault(f"{prefix}.api_key_env", "key_twice")
        if section.api_key_env and not self._environment.get(section.api_key_env):
            self._fault(f"{prefix}.api_key_env", "variable_unset", variable=section.api_key_env)
        secret = self._expanded(f"{prefix}.api_key", section.api_key)
        if key_fault(secret) is not None:
            self._fault(f"{prefix}.api_key", "key_characters")
        return Provider(
            name=name,
            base_url=url,
            api_key=secret,
            api_key_env=section.api_key_env,
            timeout_seconds=section.timeout_seconds,
            max_retries=section.max_retries,
            models=section.models,
        )

    def model(self, name: str, section: ModelSection, settings: Settings) -> Settings:
        prefix = f"models.{name}"
        if not section.model:
            self._fault(f"{prefix}.model", "model_missing")
        if catalogue.find(name) is not None:
            self._fault(prefix, "name_taken")
        own = replace(
            settings,
            model=_absolute(self._expanded(f"{prefix}.model", section.model)),
            window=section.window if section.window is not None else settings.window,
            precision=section.precision or settings.precision,
            extension=section.rope_scaling or settings.extension,
        )
        wanted = Methods(
            impl=None if section.policy is None else "auto" if section.policy == "none" else section.policy,
            compress_ratio=section.keep,
            chunk_size=section.chunk_size,
            extrapolation=None if section.mode is None else "none" if section.mode == "whole" else section.mode,
        )
        return self._changed(own, wanted, names(name))


def names(model: str) -> dict[str, str]:
    """What the fields of `Methods` are called for a model under a name of its own."""
    return METHODS | {field: f"models.{model}.{key}" for field, key in OWN.items()}


def _absolute(name: str) -> str:
    """A path in full; a name of the catalogue stays as it is."""
    if not name or catalogue.find(name) is not None:
        return name
    return str(Path(name).expanduser().absolute())
