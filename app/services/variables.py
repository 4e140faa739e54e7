"""`${env:NAME}` in what a person wrote: the value of that environment variable, so that no file need hold a secret."""

import re
from collections.abc import Mapping

from app.data.fault import Fault, NotHonoured

BEGINS = "${"
VARIABLE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


def expanded(key: str, text: str, environment: Mapping[str, str]) -> str:
    """Raises `NotHonoured` under that key: "variable_unset", or "variable_form" where `${` begins no variable."""
    if BEGINS not in text:
        return text
    unset = [name for name in VARIABLE.findall(text) if not environment.get(name)]
    if unset:
        raise NotHonoured(Fault(key, "variable_unset", {"variable": unset[0]}))
    if BEGINS in VARIABLE.sub("", text):
        raise NotHonoured(Fault(key, "variable_form"))
    return VARIABLE.sub(lambda found: environment[found[1]], text)
