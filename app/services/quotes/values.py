"""What numbers, amounts and dates are, however they are written: 2,400 is 2.400,00, and 3 May 2024 is 2024-05-03."""

import re
from decimal import Decimal
from typing import NamedTuple

NUMBER = (
    r"(?:\d{1,3}(?:[,.'’\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d{1,3}(?:[ ]\d{3})+(?:[.,]\d+)?(?!\d)"
    r"|\d+(?:[.,]\d+)*)"
)
SCALES = {
    "thousand": 3, "k": 3, "million": 6, "millions": 6, "mio": 6, "m": 6, "mn": 6, "billion": 9, "bn": 9,
    "trillion": 12, "千": 3, "万": 4, "萬": 4, "百万": 6, "千万": 7, "亿": 8, "億": 8,
}  # fmt: skip
SCALE = r"(?:thousand|millions?|mio|billion|bn|mn|trillion|百万|千万|[千万萬亿億]|[mk](?![\w]))"
CURRENCIES = {
    "$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "美元": "usd",
    "€": "eur", "eur": "eur", "euro": "eur", "euros": "eur", "欧元": "eur",
    "£": "gbp", "gbp": "gbp", "pound": "gbp", "pounds": "gbp", "英镑": "gbp",
    "¥": "cny", "cny": "cny", "rmb": "cny", "yuan": "cny", "元": "cny", "人民币": "cny",
    "jpy": "jpy", "yen": "jpy", "円": "jpy", "日元": "jpy", "hk$": "hkd", "hkd": "hkd", "港元": "hkd",
    "chf": "chf", "francs": "chf", "₩": "krw", "₹": "inr", "a$": "aud", "aud": "aud", "c$": "cad", "cad": "cad",
}  # fmt: skip
BEFORE = r"(?:US\$|HK\$|A\$|C\$|[$£€¥￥₩₹]|(?:USD|EUR|GBP|CHF|CNY|RMB|JPY|HKD|AUD|CAD|人民币)\s?)"
AFTER = (
    r"(?:[$£€¥]|(?:USD|EUR|GBP|CHF|CNY|RMB|JPY|HKD|AUD|CAD|[Ee]uros?|(?:US\s)?[Dd]ollars?|[Pp]ounds?|[Yy]uan|[Yy]en"
    r"|[Ff]rancs)\b|元|円|美元|欧元|英镑|日元|港元)"
)
PERCENT = r"(?:[%％]|per\s?cent\b)"
UNITS = {
    **dict.fromkeys(("day", "days", "天", "日", "tag", "tage", "tagen", "jour", "jours"), "day"),
    **dict.fromkeys(("week", "weeks", "周", "星期", "wochen"), "week"),
    **dict.fromkeys(("month", "months", "月", "个月", "個月", "monat", "monate", "monaten", "mois"), "month"),
    **dict.fromkeys(("year", "years", "yr", "yrs", "年", "jahr", "jahre", "jahren", "ans"), "year"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h", "小时", "小時", "stunden"), "hour"),
    **dict.fromkeys(("minute", "minutes", "min", "分钟", "分鐘"), "minute"),
    **dict.fromkeys(("second", "seconds", "s", "sec", "秒"), "second"),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers", "公里", "千米"), "km"),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters", "米"), "m"),
    **dict.fromkeys(("cm", "厘米", "centimetres"), "cm"),
    **dict.fromkeys(("mm", "毫米", "millimetres"), "mm"),
    **dict.fromkeys(("kg", "kilogram", "kilograms", "公斤", "千克"), "kg"),
    **dict.fromkeys(("g", "gram", "grams", "克"), "g"),
    **dict.fromkeys(("mg", "毫克"), "mg"),
    **dict.fromkeys(("t", "tonne", "tonnes", "ton", "tons", "吨"), "t"),
    **dict.fromkeys(("m²", "m2", "sqm", "平方米"), "m²"),
    **dict.fromkeys(("page", "pages", "页"), "page"),
    **{one: one for one in ("ml", "l", "hz", "khz", "mhz", "ghz", "kb", "mb", "gb", "tb", "w", "kw", "mw", "kwh", "v")},
    **{one: one for one in ("°c", "°f", "mph", "km/h", "miles", "acres", "hectares", "inches", "feet", "shares")},
}
"""Units by what they are, so that "3 months" is "3个月"."""
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
IN_WORDS = {word: number for number, word in enumerate(WORDS)} | TENS
SPOKEN = "|".join(sorted(IN_WORDS, key=len, reverse=True))

AMOUNT = re.compile(
    rf"(?P<sign>(?<![\w\d])[-−–+](?=\S))?(?P<before>{BEFORE})?(?P<number>{NUMBER})(?:\s?(?P<scale>{SCALE}))?"
    rf"(?:\s?(?P<after>{AFTER})|\s?(?P<percent>{PERCENT}))?"
)


class Amount(NamedTuple):
    """`values`: what the number may be, since 2.400 is one thing here and another there."""

    values: frozenset[Decimal]
    negative: bool
    currency: str
    percent: bool


def amount(text: str) -> Amount | None:
    """What a number is worth, with all that stands at it; None for what is none."""
    found = AMOUNT.fullmatch(text.strip())
    return amount_of(found) if found else None


def amount_of(found: re.Match[str]) -> Amount:
    values = numbers(found["number"])
    if found["scale"]:
        values = frozenset(value.scaleb(SCALES[found["scale"].lower()]) for value in values)
    currency = (found["before"] or found["after"] or "").strip().lower().replace("￥", "¥").removeprefix("us ")
    return Amount(
        values, (found["sign"] or "") in ("-", "−", "–"), CURRENCIES.get(currency, currency), bool(found["percent"])
    )


def numbers(text: str) -> frozenset[Decimal]:
    """What a number in digits may be."""
    text = re.sub(r"['’\u00a0\u2009\u202f ]", "", text)
    marks = re.findall(r"[.,]", text)
    if not marks:
        return frozenset({Decimal(text)})
    if len(set(marks)) == 2:
        whole, _, rest = text.rpartition(marks[-1])
        return frozenset({Decimal(re.sub(r"[.,]", "", whole) + "." + rest)})
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text) is not None and not text.startswith("0")
    found = {Decimal(re.sub(r"[.,]", "", text))} if grouped else set()
    if len(marks) == 1:
        found.add(Decimal(text.replace(",", ".")))
    return frozenset(found)


def notations(value: Decimal) -> frozenset[str]:
    """The digits, without marks, in which a document may have the value."""
    made = set()
    for scale in (0, 3, 4, 6, 8, 9):
        if value < 10**scale and scale:
            break
        shown = format(value.scaleb(-scale).normalize(), "f")
        whole, _, rest = shown.partition(".")
        if len(rest) > 3 and scale:
            continue
        made |= {whole + rest + "0" * more for more in range(3) if not (scale and more)}
    return frozenset(each for each in made if each.strip("0"))


LANGUAGES = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
MONTHS = {name: number for names in LANGUAGES for number, name in enumerate(names.split(), 1)} | {"sept": 9}
VERBS = frozenset({"may", "march", "mar", "mai", "mars"})
"""Months that are other words as well, in small letters."""


def _spelled(month: str) -> str:
    return month.capitalize() if month in VERBS else f"[{month[0].upper()}{month[0]}]{month[1:]}"


MONTH = rf"(?:{'|'.join(map(_spelled, sorted(MONTHS, key=len, reverse=True)))})\b\.?"
DAY = r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?\b\.?"
DATE = re.compile(
    rf"""
      (?P<d1>{DAY})\s*(?:of\s|de\s)?\s*(?P<m1>{MONTH}),?\s*(?:de\s)?(?P<y1>\d{{4}})(?!\d)
    | (?P<m2>{MONTH})\s+(?P<d2>{DAY}),?\s+(?P<y2>\d{{4}})(?!\d)
    | (?<!\d)(?P<y3>\d{{4}})(?P<s3>[-/.])(?P<m3>\d{{1,2}})(?P=s3)(?P<d3>\d{{1,2}})(?!\d)
    | (?<!\d)(?P<d4>\d{{1,2}})(?P<s4>[-/.])(?P<m4>\d{{1,2}})(?P=s4)(?P<y4>\d{{4}})(?!\d)
    | (?<!\d)(?P<y5>\d{{4}})\s*年\s*(?P<m5>\d{{1,2}})\s*月(?:\s*(?P<d5>\d{{1,2}})\s*[日号])?
    | (?P<m6>{MONTH}),?\s+(?P<y6>\d{{4}})(?!\d)
    | (?P<d7>{DAY})\s+(?P<m7>{MONTH})(?!\s+\d)
    | (?P<m8>{MONTH})\s+(?P<d8>{DAY})(?![\d,]*\d)
    """,
    re.VERBOSE,
)

Date = tuple[int, int, int]
"""Year, month, day; 0 where it is not said."""


def dates(found: re.Match[str]) -> frozenset[Date]:
    """What a date may be, since 3/5/2024 is one day here and another there."""
    form = next(number for number in range(1, 9) if found.groupdict().get(f"m{number}"))
    parts = {letter: str(found.groupdict().get(f"{letter}{form}") or "") for letter in "ymd"}
    year = int(parts["y"] or 0)
    month = MONTHS[parts["m"].lower().rstrip(".")] if not parts["m"].isdigit() else int(parts["m"])
    day = int(re.sub(r"\D", "", parts["d"]) or 0)
    made = {(year, month, day)} | ({(year, day, month)} if form == 4 else set())
    return frozenset(each for each in made if 1 <= each[1] <= 12 and each[2] <= 31)


def written(date: Date) -> frozenset[str]:
    """The letters and digits, in small letters, in which a document may have the date."""
    year, month, day = date
    names = [name for name, number in MONTHS.items() if number == month]
    years = f"{year:04d}" if year else ""
    if not day:
        return frozenset({*(f"{name}{years}" for name in names), f"{years}年{month}月", f"{years}年{month:02d}月"})
    days = {str(day), f"{day:02d}", f"{day}{_ordinal(day)}"}
    made = {text for name in names for each in days for text in (f"{each}{name}{years}", f"{name}{each}{years}")}
    if year:
        made |= {f"{each}of{name}{years}" for name in names for each in days}
        for m in {str(month), f"{month:02d}"}:
            for d in {str(day), f"{day:02d}"}:
                made |= {f"{d}{m}{years}", f"{m}{d}{years}", f"{years}{m}{d}", f"{years}年{m}月{d}日"}
    return frozenset(made)


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
