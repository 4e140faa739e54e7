"""Makes answers that quote documents rightly, nearly and not at all, and says of each what it is.

The documents are written by rule from a seed, and typeset as printers do: with ligatures, divided words, curly marks
and narrow spaces. No two of their sentences are alike but those that are meant to be.
"""

import random
import re
from dataclasses import dataclass, field

WHO = ("Seller", "Buyer", "Tenant", "Landlord", "Borrower", "Agent", "Supplier", "Licensee", "Trustee", "Guarantor")
DOES = (
    *("deliver the final certificate to", "reimburse the filing expenses of", "notify in writing", "indemnify"),
    *("keep confidential the affairs of", "sufficiently insure the fixtures of", "file the official accounts with"),
    *("offset the outflow against the claims of", "waive the benefit of the undertaking given by", "first consult"),
)
WHEN = (
    *("within {n} days after the effective date", "before the office closes on day {n}", "no later than month {n}"),
    *("as soon as {n} shares are transferred", "upon the fulfilment of condition {n}", "if clause {n} so specifies"),
)
BUT = (
    *("unless the parties have agreed otherwise", "save in the case of fraud", "notwithstanding any course of dealing"),
    *("provided that the offer is not withdrawn", "except where the affiliate is insolvent", "subject to schedule {m}"),
)
BOILERPLATE = (
    "Nothing in this clause shall operate to limit or exclude any liability for fraud.",
    "This provision shall survive the termination of the agreement for whatever reason.",
)
INVENTED = (
    *(
        "The moon is leased to the orchestra for ninety-nine summers and a day.",
        "All cats of the borough vote by telegram.",
    ),
    *(
        "Payment is made in seashells counted by a retired admiral.",
        "The bakery guarantees sunshine to every passenger.",
    ),
    *("Every bridge must be sung to before it is crossed.", "No violin may be older than the lake it sails on."),
)
WHO_CHINESE = ("出租人", "承租人", "买方", "卖方", "保证人", "受托人", "供应商", "借款人")
DOES_CHINESE = ("支付全部租金", "交付房屋钥匙", "提供书面通知", "承担维修费用", "办理登记手续", "返还履约保证金")
WHEN_CHINESE = ("在签订之日起{n}日内", "于每季度第{n}日之前", "在收到发票后{n}个工作日内", "自验收合格满{n}个月时")
BUT_CHINESE = ("但双方另有书面约定的除外", "逾期应当支付违约金", "否则对方有权解除合同", "费用由违约方承担")

LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
MARKS = (("“", "”"), ('"', '"'), ("«\u00a0", "\u00a0»"), ("„", "“"), ("‘", "’"), ("「", "」"))
PAGE = 12
"""Sentences of a page."""


@dataclass
class Made:
    """`text` as it is read from a file; `sentences` as they were before they were typeset, each with its place."""

    name: str
    text: str = ""
    sentences: list[tuple[str, int, int]] = field(default_factory=list)
    pages: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """An answer with one quotation or fact. `exact`: it stands in document `document`, at characters `start` to `end`
    or inside of them, as `kind` says."""

    kind: str
    answer: str
    exact: bool
    document: int = 0
    start: int = 0
    end: int = 0


def documents(seed: int) -> list[Made]:
    """A contract that is typeset, one that is typed, and a Chinese one."""
    random_ = random.Random(seed)
    return [
        _made("contract.pdf", list(_english(random_, 0)), random_, _typeset),
        _made("letter.txt", list(_english(random_, 500)), random_, _typed),
        _made("合同.docx", list(_chinese(random_)), random_, _set_chinese),
    ]


def _english(random_: random.Random, first: int):
    for n in range(first + 11, first + 191):
        who, other = random_.sample(WHO, 2)
        when, but = random_.choice(WHEN).format(n=n), random_.choice(BUT).format(m=n + 1000)
        yield f"The {who} shall {random_.choice(DOES)} the {other} {when}, {but}; and the {who}'s costs are £{n},250."
        if n % 60 == 0:
            yield from BOILERPLATE


def _chinese(random_: random.Random):
    for n in range(11, 120):
        who, does, when = (random_.choice(each) for each in (WHO_CHINESE, DOES_CHINESE, WHEN_CHINESE))
        yield f"{who}应当{when.format(n=n)}{does}，{random_.choice(BUT_CHINESE)}，金额为{n},800元。"


def _made(name: str, sentences: list[str], random_: random.Random, set_) -> Made:
    made = Made(name)
    for number, sentence in enumerate(sentences):
        if number % PAGE == 0:
            made.text += "\n\n" if made.text else ""
            made.pages.append((len(made.text), 0))
        elif made.text:
            made.text += random_.choice((" ", "\n", "\n\n")) if name != "合同.docx" else random_.choice(("", "\n"))
        start = len(made.text)
        made.text += set_(sentence, random_)
        made.sentences.append((sentence, start, len(made.text)))
        made.pages[-1] = (made.pages[-1][0], len(made.text))
    return made


def _typeset(sentence: str, random_: random.Random) -> str:
    """Curly marks, ligatures in half of the places, lines with divided words."""
    text = sentence.replace("'", "’")
    for plain, one in LIGATURES.items():
        text = re.sub(plain, lambda found, one=one: one if random_.random() < 0.5 else found[0], text)
    words, line = [], 0
    for word in text.split(" "):
        line += len(word) + 1
        if line > 56:
            line = 0
            if word.isalpha() and len(word) > 6:
                half = len(word) // 2
                words.append(word[:half] + random_.choice("--\u00ad") + "\n" + word[half:] + " ")
            else:
                words.append(f"\n{word} ")
        else:
            words.append(word + random_.choice((" ", " ", " ", "\u00a0", "  ")))
    return "".join(words).strip()


def _typed(sentence: str, random_: random.Random) -> str:
    return "".join(random_.choice((" ", " ", " ", " ", "\n")) if letter == " " else letter for letter in sentence)


def _set_chinese(sentence: str, random_: random.Random) -> str:
    """Lines end anywhere; here and there a full-width digit or a space beside a number."""
    text = re.sub(r"[\d,]+", lambda found: random_.choice((found[0], f" {found[0]} ")), sentence)
    return "".join(
        letter + ("\n" if random_.random() < 0.04 and not letter.isdigit() and letter != "," else "") for letter in text
    ).strip()


def cases(made: list[Made], seed: int) -> list[Case]:
    """200 answers."""
    random_ = random.Random(seed)
    found: list[Case] = []
    for _ in range(44):
        found.append(_exact("exact", made, random_.choice((0, 1, 1)), random_))
    for _ in range(26):
        found.append(_exact("ligature", made, 0, random_, change=_with_ligatures))
    for _ in range(26):
        found.append(_exact("hyphenated", made, random_.choice((0, 1)), random_, change=_divided))
    for _ in range(20):
        found.append(_exact("chinese", made, 2, random_))
    for _ in range(16):
        found.append(_fact(made, random_))
    for _ in range(30):
        found.append(_off(made, random_.choice((0, 1)), random_))
    for _ in range(8):
        found.append(_off_chinese(made, random_))
    for number in range(20):
        words = INVENTED[number % len(INVENTED)]
        found.append(Case("invented", _told(words, random_), False))
    for number in range(10):
        found.append(Case("ambiguous", _told(BOILERPLATE[number % 2], random_, marks=MARKS[number % 4]), False))
    return found


def _told(words: str, random_: random.Random, marks: tuple[str, str] | None = None) -> str:
    if marks is None:
        marks = random_.choice(MARKS[:4] if "'" in words or "’" in words else MARKS)
    quoted = f"{marks[0]}{words}{marks[1]}"
    form = random_.choice(
        ("The text says {} in so many words.", "**Answer:** {}", "- yes, since {}", "> {}", "因此{}。")
    )
    if form == "> {}" and random_.random() < 0.5:
        quoted = words
    return form.format(quoted)


def _part(sentence: str, random_: random.Random) -> str:
    """Six words of it and more, without marks at its ends."""
    words = sentence.split(" ")
    if len(words) < 8:  # Chinese: letters, and no number in two
        first = random_.randrange(0, 4)
        return sentence[first : len(sentence) - 1].strip("，。 ")
    length = random_.randrange(8, min(20, len(words)))
    first = random_.randrange(0, len(words) - length + 1)
    part = " ".join(words[first : first + length]).strip(",;. ")
    return part if not part.endswith("'s") else f"{part} costs"


def _pick(made: Made, random_: random.Random) -> tuple[str, int, int]:
    return random_.choice([each for each in made.sentences if each[0] not in BOILERPLATE])


def _exact(kind: str, made: list[Made], document: int, random_: random.Random, change=None) -> Case:
    """A part of a sentence that holds a number, so that it stands nowhere else."""
    while True:
        sentence, start, end = _pick(made[document], random_)
        part = _part(sentence, random_)
        if re.search(r"\d", part) and sum(part in each for one in made for each, _, _ in one.sentences) == 1:
            break
    if change is not None:
        part = change(part, random_)
    if random_.random() < 0.2 and kind == "exact":
        words = part.split(" ")
        words[2] = f"**{words[2]}**"
        part = " ".join(words)
    return Case(kind, _told(part, random_), True, document, start, end)


def _with_ligatures(part: str, random_: random.Random) -> str:
    for plain, one in LIGATURES.items():
        part = part.replace(plain, one) if random_.random() < 0.6 else part
    return part


def _divided(part: str, random_: random.Random) -> str:
    """As a model copies a line's end: with its hyphen."""
    words = part.split(" ")
    long = [place for place, word in enumerate(words) if word.isalpha() and len(word) > 5]
    for place in random_.sample(long, min(2, len(long))):
        half = len(words[place]) // 2
        words[place] = words[place][:half] + random_.choice(("-\n", "\u00ad")) + words[place][half:]
    return " ".join(words)


def _off(made: list[Made], document: int, random_: random.Random) -> Case:
    """One thing is not as it stands: a word, a "not", a number, an order, a name, a currency."""
    sentence, start, end = _pick(made[document], random_)
    words = sentence.rstrip(".").split(" ")
    change = random_.choice(("put", "drop", "not", "number", "swap", "name", "currency", "case"))
    place = random_.randrange(2, len(words) - 2)
    if change == "put":
        words.insert(place, "always")
    elif change == "drop":
        del words[place]
    elif change == "not":
        words.insert(3, "not")
    elif change == "number":
        words = re.sub(r"\d+", lambda found: str(int(found[0]) + 1), " ".join(words), count=1).split(" ")
    elif change == "swap":
        words[1], words[-3] = words[-3], words[1]
    elif change == "name":
        words[1] = next(who for who in WHO if who not in sentence)
    elif change == "currency":
        words = " ".join(words).replace("£", random_.choice("€$")).split(" ")
    else:
        words[1] = words[1].upper()
    marks = MARKS[random_.randrange(4)]
    return Case(f"off: {change}", _told(" ".join(words), random_, marks), False, document, start, end)


def _off_chinese(made: list[Made], random_: random.Random) -> Case:
    sentence, start, end = _pick(made[2], random_)
    old, new = random_.choice((("应当", "不应当"), ("应当", "可以"), ("，金额", "，总额"), ("日", "月")))
    changed = sentence.replace(old, new, 1)
    if changed == sentence:
        changed = sentence.replace("元", "美元")
    return Case("off: chinese", _told(changed.rstrip("。"), random_), False, 2, start, end)


def _fact(made: list[Made], random_: random.Random) -> Case:
    """An amount that stands there, or one that is a part of another, in other money, or another number."""
    sentence, start, end = _pick(made[1], random_)
    amount = re.search(r"£(\d+,250)", sentence)
    change = random_.choice(("right", "right", "currency", "digits", "more"))
    number = amount[1]
    told = {"right": f"£{number}", "currency": f"€{number}", "digits": f"£9{number}", "more": f"£{number[:-1]}1"}[
        change
    ]
    return Case(f"fact: {change}", f"The costs are {told}.", change == "right", 1, start, end)
