"""A made-up text with facts in it, and questions about them: what retrieval heads are known by. The same everywhere."""

from itertools import cycle

from msgspec import Struct

SUBJECTS = ["amber", "copper", "frozen", "gentle", "hollow", "ivory", "marble", "purple"]
PLACES = ["abbey", "harbour", "quarry", "bridge", "orchard", "tower", "meadow", "castle"]
FORMS = (
    ("The keeper of the {} is called {}.", "What is the keeper of the {} called?"),
    ("The code for the {} is {}.", "What is the code for the {}?"),
    ("The {} was built by {}.", "Who built the {}?"),
    ("The roof of the {} is made of {}.", "What is the roof of the {} made of?"),
)
VALUES = (
    ("Tobias Marlow", "Edwina Quill"),
    ("40718", "95263"),
    ("Clara Dunmore", "the monks of Selby"),
    ("slate", "straw"),
)
FILLING = (
    "In spring the road is wet and carts go slowly, so that most people wait for the first warm week. ",
    "Visitors often ask about the weather, and the answer is that it changes from one hour to the next. ",
    "There is a path along the water that leads past three old oaks and a wall covered with moss. ",
    "Bread is baked on two days of the week, and on the others it is bought from the village below. ",
    "Letters arrive late when the ferry does not run, which nobody minds except for those who wait. ",
    "Every few years somebody proposes a new plan for the market, and then it is forgotten again. ",
    "At night one hears the wind in the chimneys and, far off, the bells of a town on the coast. ",
    "Some say that the best view is from the hill behind the school, at the end of a clear day. ",
)


class Probe(Struct, frozen=True):
    """The fact stands at characters `start` to `end` of the text and is, word for word, the answer."""

    start: int
    end: int
    question: str
    answer: str


def probes() -> tuple[str, tuple[Probe, ...]]:
    """The text, and a question about each fact in it, other facts of the same form being beside it."""
    text, found, filling = "", [], cycle(FILLING)
    for number, (subject, place) in enumerate(zip(SUBJECTS, PLACES, strict=True)):
        text += "".join(next(filling) for _ in range(2))
        form = number % len(FORMS)
        (fact, question), name = FORMS[form], f"{subject} {place}"
        told = fact.format(name, VALUES[form][number // len(FORMS)])
        found.append(Probe(len(text), len(text) + len(told), question.format(name), told))
        text += told + " "
    return text + next(filling).strip(), tuple(found)
