"""Where a model runs that is not the engine's here, in words."""

from PySide6.QtCore import QCoreApplication

from engine.remote import BadAddress, address


def where(host: str) -> str:
    """ "leaves this computer: gpu.example", or that another program here is asked."""
    said = _tr("another program here: {host}") if is_here(host) else _tr("leaves this computer: {host}")
    return said.format(host=host)


def is_here(host: str) -> bool:
    """`host` as it is shown, with or without a port."""
    try:
        return address(f"http://{host}").local
    except BadAddress:
        return False


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("elsewhere_words", sentence)
