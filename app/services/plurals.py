"""One thing of many, in English words."""

IRREGULAR = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "criteria": "criterion", "phenomena": "phenomenon", "indices": "index", "matrices": "matrix",
    "appendices": "appendix", "analyses": "analysis", "theses": "thesis", "hypotheses": "hypothesis",
    "crises": "crisis", "parentheses": "parenthesis", "synopses": "synopsis", "buses": "bus", "statuses": "status",
    "viruses": "virus", "bonuses": "bonus", "wives": "wife", "lives": "life", "knives": "knife", "leaves": "leaf",
    "halves": "half", "shelves": "shelf", "thieves": "thief", "wolves": "wolf", "movies": "movie",
    "cookies": "cookie", "calories": "calorie", "ties": "tie", "shoes": "shoe", "toes": "toe", "these": "this",
    "those": "that", "are": "is", "were": "was", "have": "has", "do": "does",
}  # fmt: skip
"""Also the verbs that follow "that" or "who"."""

THE_SAME = {"news", "series", "species", "means", "data", "information", "evidence", "content"}


def one(word: str) -> str:
    """The singular of a word; of one that is singular already, or no plural that is known, the word itself."""
    low = word.lower()
    if low in THE_SAME or low.endswith(("ss", "us", "is", "'s", "’s")):
        return word
    if low in IRREGULAR:
        known = IRREGULAR[low]
        return known.capitalize() if word[0].isupper() else known
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return word[:-2]
    if low.endswith("s") and len(low) > 2 and not word.isupper():
        return word[:-1]
    return word[:-1] if len(word) > 2 and word[-1] == "s" and word[:-1].isupper() else word
