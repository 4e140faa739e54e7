"""Numbers as people read them, in the language's own form. Sizes count 1,024 bytes to a KB, as memory is sold."""

from PySide6.QtCore import QCoreApplication, QLocale

_UNITS = ("B", "KB", "MB", "GB", "TB")


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("quantities", sentence)


def locale() -> QLocale:
    """The person's, and English where the system names none: the C locale does not group digits."""
    default = QLocale()
    return default if default.language() != QLocale.Language.C else QLocale(QLocale.Language.English)


def number(value: int) -> str:
    return locale().toString(value)


def decimal(value: float, digits: int = 1) -> str:
    """With at most `digits` decimals: 32.0 is "32"."""
    rounded = round(value, digits)
    return locale().toString(rounded, "f", 0 if rounded == int(rounded) else digits)


def gigabytes(count: int) -> str:
    """Bytes as a number of GB without the unit: "21.4", and "32" from 32 on where a tenth says nothing."""
    value = count / 2**30
    return decimal(value, 0 if value >= 100 else 1 if value >= 0.1 or not count else 2)


def size(count: int) -> str:
    """Bytes with their unit: "92 MB", "9.5 GB"."""
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{decimal(value, 0 if (value >= 10 and unit < 3) or unit == 0 else 1)} {_UNITS[unit]}"


def tokens(count: int) -> str:
    return _tr("1 token") if count == 1 else _tr("{n} tokens").format(n=number(count))


def rate(per_second: float) -> str:
    """Tokens a second."""
    return _tr("{n} tok/s").format(n=decimal(per_second, 1 if per_second < 10 else 0))


def seconds(count: float, rough: bool = False) -> str:
    """ "0.9 s", "26 s", "2 min 20 s", "1 h 5 min"; `rough`: no seconds after ten minutes, for what is only expected."""
    if rough and count >= 600:
        count = 60 * round(count / 60)
    if count < 10:
        return _tr("{n} s").format(n=locale().toString(float(max(count, 0.0)), "f", 1))
    whole = round(count)
    if whole < 60:
        return _tr("{n} s").format(n=number(whole))
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return _tr("{m} min {s} s").format(m=minutes, s=rest) if rest else _tr("{m} min").format(m=minutes)
    hours, rest = divmod(round(count / 60), 60)
    return _tr("{h} h {m} min").format(h=number(hours), m=rest) if rest else _tr("{h} h").format(h=number(hours))


def whole_seconds(count: float) -> str:
    """As `seconds`, without tenths: for what counts up or down."""
    return seconds(count) if count >= 10 else _tr("{n} s").format(n=number(round(count)))


def roughly(count: float) -> str:
    """As `seconds`, for what is only expected: no tenths, and no seconds after ten minutes."""
    return whole_seconds(max(count, 1.0)) if count < 10 else seconds(count, rough=True)


def percent(fraction: float) -> str:
    """Rounded down, so that 100 % is said only of what is done."""
    return _tr("{n} %").format(n=int(min(max(fraction, 0.0), 1.0) * 100))


def percent_of(factor: float) -> str:
    """Of the usual size: "125 %"."""
    return _tr("{n} %").format(n=number(round(factor * 100)))


def window(count: int) -> str:
    """A window of `count` tokens in short, never more than it is: "512", "8K", "1.5M"."""
    if count >= 2**20:
        return f"{decimal(count * 10 // 2**20 / 10)}M"
    return f"{count // 2**10}K" if count >= 2**10 else str(count)


def parameters(count: int) -> str:
    """ "135M", "9B"."""
    if count >= 999_500_000:
        return f"{decimal(count / 1e9)}B"
    return f"{round(count / 1e6)}M"


def units(count: int, unit: str) -> str:
    """Pages, sections, files and the like (`Item.unit`)."""
    one, many = {
        "page": (_tr("1 page"), _tr("{n} pages")),
        "section": (_tr("1 section"), _tr("{n} sections")),
        "slide": (_tr("1 slide"), _tr("{n} slides")),
        "sheet": (_tr("1 sheet"), _tr("{n} sheets")),
        "message": (_tr("1 message"), _tr("{n} messages")),
        "cell": (_tr("1 cell"), _tr("{n} cells")),
        "file": (_tr("1 file"), _tr("{n} files")),
    }[unit]
    return one if count == 1 else many.format(n=number(count))


def documents(count: int) -> str:
    return _tr("1 document") if count == 1 else _tr("{n} documents").format(n=number(count))


def precision(name: str) -> str:
    return name.upper()
