"""Questions that need all of a text: which they are, and how they are put to one part of it.

A small model asked to list everything in a part finds little there; asked for the one thing that the part may hold, it
finds it. What is made here is a proposal: the person sees it and may change it.
"""

import re

from app.services.plurals import one

WHOLE = r"(?:text|texts|document|documents|book|books|file|files|paper|papers|contract|report|pages?|chapters?)"

TIMES = r"(?:day|week|month|quarter|year|hour|minute|second|morning|evening|night|time|other|so|now|bit)"
"""After "every" or "each" they say how often, not of how many things."""

ASKS_FOR_ALL = re.compile(
    rf"""
      \b(?:every|each)\b (?!\s{TIMES}\b)
    | \beverything\b | \beveryone\b | \bevery\s(?:single|one)\b
    | (?<!\bat\s)(?<!\bafter\s)(?<!\babove\s)(?<!\bof\s) \ball\b (?!\s(?:right|day|night|of\sa\ssudden))
    | \bhow\s(?:many|often)\b | \bcount\s(?:the|how)\b | \bnumber\sof\stimes\b | \bin\stotal\b | \baltogether\b
    | \b(?:list|enumerate)\s(?:out|any|the|up)\b
    | ^(?:[^.?!]*\b(?:please|you|to|and|then)\s)? (?:list|enumerate|count|tally)\b
    | \b(?:summar[iy]\w*|synops[ie]s|tl;?dr|overview|recap|digest|abstract\sof|outline\s(?:the|of|this|what))\b
    | \b(?:main|key|central|major|chief)\s(?:points|ideas|topics|themes|arguments|findings|messages?|takeaways|facts)\b
    | \bcompar(?:e|es|ed|ing|ison|isons)\b | \bcontrast\b | \bdiffer(?:ences?\sbetween)?\b | \bsimilarit(?:y|ies)\b
    | \bthroughout\b | \b(?:whole|entire)\s{WHOLE}\b | \bgo\s(?:through|over)\b
    | \b(?:what|which)\s(?:\w+\s){{0,4}}?(?!does\b|is\b|was\b|has\b|this\b)(?:\w+s|people|(?:wo)?men|children)\s
      (?:are\sthere|(?:are|were)\s(?:mentioned|named|listed|given|described|discussed)|do(?:es)?\s(?:the|this|these)\s{WHOLE})\b
    """,
    re.IGNORECASE | re.VERBOSE,
)

KINDS = "个条项位名章节处种份段家篇件款类点次"
SPANS = "(?:月|星期|小时|钟头|工作日|自然日|季度|礼拜)"
"""After a measure word they make it a length of time."""

ASKS_FOR_ALL_CHINESE = re.compile(
    rf"""
      列出|列举|罗列|枚举|清单|所有的?|全部|统统|逐[一{KINDS}]|一一
    | 每(?:一)?[{KINDS}页](?!{SPANS}) | 各[{KINDS}页](?!{SPANS}) | 各自
    | (?:多少|几)[{KINDS}页人](?!{SPANS}) | 一共|总共|合计|统计
    | 总结|概括|概述|归纳|摘要|综述|梳理|概要|大意|要点|主旨
    | 对比|异同|区别|差异|不同之处|相同之处
    | 比较 (?=[^。？！?!]*(?:和|与|跟|同|及|、|异同|一下|两))
    | 哪些 | 全文|通篇|整[篇本个](?:文|书|合同|报告)?
    """,
    re.VERBOSE,
)


def wants_all(question: str) -> bool:
    """Whether a question, in English or Chinese, asks for something that may stand anywhere and several times."""
    words = " ".join(question.split())
    return bool(ASKS_FOR_ALL.search(words) or ASKS_FOR_ALL_CHINESE.search(words))


def singular(question: str) -> str:
    """The question as it is put to one part: "List every magic number" becomes "What is the magic number mentioned in
    the text?". A question that none of the rules knows comes back as it was, without space at its ends."""
    words = " ".join(question.split())
    if re.search(r"[\u4e00-\u9fff]", words):
        return _chinese(words) or words
    return _english(words) or words


POLITE = re.compile(
    r"^(?:(?:please|kindly|now|then|so|and|also|ok|okay|hello|hi)\b,?\s"
    r"|(?:can|could|would|will)\syou\s(?:please\s)?|i\s(?:want|need|would\slike|'d\slike)\s(?:you\sto\s|to\s(?:know|see)\s)?"
    r"|help\sme\s(?:to\s)?)+",
    re.IGNORECASE,
)
THE = r"(?:(?:all|every|each|any|single|of|and|the|these|those|different|various|distinct)\s)*"
LISTS = re.compile(
    r"^(?:list|enumerate|name|give|find|show|extract|collect|identify|mention|count|write\sdown|pick\sout|go\sthrough"
    r"|tell\sme|what\s(?:are|were)|which\s(?:are|were)|who\s(?:are|were)|get)\s(?:me\s|us\s|out\s|up\s|down\s)*"
    rf"(?P<all>{THE})(?P<what>.+)$",
    re.IGNORECASE,
)
COUNTS = re.compile(
    r"^(?:(?:how\smany)\s(?:(?:different|distinct|various)\s)?|(?:what|which)\s)(?P<what>(?:[\w'’-]+\s){0,5}?[\w'’-]+?)"
    r"\s(?:(?:are|were)\s(?:there\b\s?|(?=mentioned|named|listed|given|described|discussed|in\b))"
    rf"|do(?:es)?\s(?:the|this|these)\s{WHOLE}\s(?:mention|name|list|give|describe|discuss|have|contain)\b\s?)(?P<rest>.*)$",
    re.IGNORECASE,
)
ABOUT = re.compile(
    rf"^(?:summar\w+|outline|recap|give\s(?:me\s)?an?\s(?:\w+\s)?(?:summary|overview|outline)\sof)\s"
    rf"(?:(?:everything|what)\s(?:(?:the|this)\s{WHOLE}\ssays?|is\ssaid)\s(?:about|on)\s"
    rf"|(?:the|this)\s{WHOLE}\son\s)(?P<what>.+)$",
    re.IGNORECASE,
)
SUMMARY = re.compile(
    r"\b(?:summar[iy]\w*|overview|synopsis|recap|tl;?dr|outline"
    r"|(?:main|key|central|major)\s(?:points|ideas|topics|themes|arguments|findings|takeaways))\b",
    re.IGNORECASE,
)
COMPARES = re.compile(
    r"^(?:compare|contrast|compare\sand\scontrast|what\s(?:is|are)\sthe\s(?:differences?|similarit(?:y|ies))\sbetween"
    r"|how\s(?:do|does|did)\s(?=.*\s(?:compare|differ)\b))\s*(?P<what>.+?)(?:\s(?:compare|differ)\b(?P<other>.*))?$",
    re.IGNORECASE,
)

QUALIFIERS = {
    "that", "which", "who", "whose", "whom", "where", "when", "in", "on", "from", "for", "mentioned", "named", "listed",
    "given", "described", "discussed", "found", "used", "with", "without", "by", "about", "within", "at", "under",
    "above", "over", "below", "between", "during", "after", "before", "until", "since", "to", "as", "per", "than",
}  # fmt: skip
"""Words that end the name of a thing and begin what is said of it."""
SAID_WHERE = re.compile(
    rf"\b(?:that|which|who|mentioned|named|listed|given|described|discussed|(?:of|in|from)\s(?:the|this|these)\s{WHOLE})\b",
    re.IGNORECASE,
)
PERSONS = {
    "person", "man", "woman", "child", "character", "author", "witness", "employee", "member", "participant", "speaker",
    "student",
}  # fmt: skip


def _english(words: str) -> str | None:
    said = POLITE.sub("", words.rstrip(" .?!:;")).strip()
    if found := ABOUT.match(said):
        return f"What does the text say about {found['what']}?"
    if SUMMARY.search(said):
        return "What is the main point of the text?"
    if found := COMPARES.match(said):
        other = re.sub(r"^\s(?:with|to|from|against)\s", " and ", found["other"] or "")
        return f"What does the text say about {found['what']}{other}?"
    if (found := COUNTS.match(said)) and found["what"].split()[-1].lower() != "times":
        return _what_is(found["what"], found["rest"])
    if (found := LISTS.match(said)) and _several(found["all"], found["what"]):
        return _what_is(found["what"], "")
    return None


def _several(every: str, what: str) -> bool:
    """Not "tell me the rent" or "find the house": those ask for one thing already."""
    head = _head(_divided(what)[0])
    return bool({"all", "every", "each", "any"} & set(every.lower().split())) or one(head) != head


def _divided(what: str) -> tuple[list[str], list[str]]:
    """The name of the thing, of at least one word, and what is said of it."""
    words = what.split()
    for place, word in enumerate(words):
        if place and (word.lower() in QUALIFIERS or words[place - 1].endswith(",")):
            return words[:place], words[place:]
    return words, []


def _head(name: list[str]) -> str:
    """The thing itself: "name" of "name of the witness"."""
    place = next((place for place, word in enumerate(name) if place and word.lower() == "of"), len(name))
    return name[place - 1]


def _what_is(what: str, more: str) -> str:
    name, rest = _divided(f"{what} {more}".strip())
    name = [
        one(word) if place + 1 == len(name) or name[place + 1].lower() in ("and", "or", "of") else word
        for place, word in enumerate(name)
    ]
    if rest and rest[0].lower() in ("that", "which", "who") and len(rest) > 1:
        rest[1] = one(rest[1]) if rest[1].lower() in ("are", "were", "have", "do") else rest[1]
    told = " ".join([*name, *rest])
    if not SAID_WHERE.search(told):
        told += " mentioned in the text"
    return f"{'Who' if _head(name).lower() in PERSONS else 'What'} is the {told}?"


WHERE = r"(?:这[本篇份部]|该|本|全|整[本篇份个])?(?:文[中里章本档]?|书[中里]?|合同[中里]?|报告[中里]?|文件[中里]?|上文)"
MENTIONS = r"(?:中|里|内)?(?:所|都|一共|总共)?(?:提到|提及|出现|列出|包含|说到|涉及|有)(?:了|过|的)*"
LISTS_CHINESE = re.compile(
    rf"^(?:{WHERE})?(?:{MENTIONS})?(?:中|里)?(?:列出|列举|罗列|枚举|找出|说出|给出|有|统计|提取)?(?:一下)?(?:{WHERE}{MENTIONS})?"
    rf"(?:哪些|所有的?|全部的?|每(?:一)?[{KINDS}]|各[{KINDS}]|(?:多少|几)[{KINDS}]?)(?!{SPANS})(?P<what>.+?)$"
)
ABOUT_CHINESE = re.compile(
    r"^(?:总结|概括|概述|归纳|梳理)(?:一下)?(?:(?:文中|书中|合同中|全文)?(?:关于|有关|对于?)(?P<what>.+?)(?:的(?:内容|部分|说法|规定))?)?$"
)
SUMMARY_CHINESE = re.compile(r"总结|概括|概述|归纳|摘要|综述|概要|大意|要点|主旨|梳理")
COMPARES_CHINESE = re.compile(
    r"^(?:对比|比较)(?:一下)?(?P<what>.+?)(?:的(?:异同|区别|差异|不同))?$"
    r"|^(?P<other>.+?)(?:之间)?(?:的|有什么|有哪些|有何)+(?:异同|区别|差异|不同)(?:是什么)?$"
)


def _chinese(words: str) -> str | None:
    said = re.sub(r"^(?:请你?|麻烦你?|帮我|能否|可以|能不能|你能)+", "", words.rstrip(" 。？！?!.：:；;吗")).strip()
    if (found := ABOUT_CHINESE.match(said)) and found["what"]:
        return f"这段文字关于{found['what']}说了什么？"
    if SUMMARY_CHINESE.search(said):
        return "这段文字的要点是什么？"
    if found := COMPARES_CHINESE.match(said):
        return f"这段文字关于{found['what'] or found['other']}说了什么？"
    if found := LISTS_CHINESE.match(said):
        what = re.sub(rf"^(?:{WHERE})?{MENTIONS}", "", found["what"])
        return f"文中提到的{what.removeprefix('的') or found['what']}是什么？"
    return None
