"""What `blocks` means in config.toml is for the models' layers to say."""

from pathlib import Path

import pytest

from app.gateway import config_check
from app.services.requests import reading_settings
from engine.protocol import Eviction
from tests.app.gateway.config_meaning import DENSE, by_the_model, meant, planned

HALF = "compress_ratio = 0.5"
SPARSE, LINEAR, MOBA = ({"layers": layers} for layers in ({"sparse": 32}, {"lightning": 8}, {"full": 2, "moba": 2}))


@pytest.mark.parametrize(
    ("said", "about", "eviction", "selection"),
    [
        ("impl = 'blocks'", {}, Eviction("blocks"), "none"),
        ("impl = 'blocks'\ncompress_ratio = 1", {}, Eviction("blocks", 1.0), "none"),
        (f"impl = 'blocks'\n{HALF}", SPARSE, Eviction("blocks", 0.5), "none"),
        ("impl = 'blocks'", DENSE, None, "blocks"),
        ("impl = 'blocks'\ncompress_ratio = 1", DENSE, None, "blocks"),
        (f"impl = 'hybrid'\n{HALF}", {}, Eviction("blocks", 0.5), "none"),
        (f"impl = 'sala'\n{HALF}", SPARSE, Eviction("blocks", 0.5), "none"),
        ("impl = 'sala'\ncompress_ratio = 1", {}, None, "none"),
        ("impl = 'sala'", LINEAR, None, "none"),
    ],
)
def test_what_blocks_are_is_the_models(said, about, eviction, selection):
    """Of the first model as of one under a name of its own; named so in as many words, or as the sections say."""
    plans = {name: planned(**about) for name in ("", "own", "as-above")}
    own = said.replace("impl", "policy").replace("compress_ratio", "keep")
    text = f"[attention]\n{said}\n[models.own]\nmodel = '/m'\n{own}\n[models.as-above]\nmodel = '/m'"
    served = config_check.checked(meant(text), Path("/m"), plans)
    for settings in (served.settings, *served.named.values()):
        found = reading_settings(settings)
        assert (found.eviction, found.selection.kind) == (eviction, selection)


@pytest.mark.parametrize(
    ("said", "about", "sentence"),
    [
        (f"impl = 'blocks'\n{HALF}", DENSE, "attention.compress_ratio (line 3): blocks is a selection for this model"),
        (f"impl = 'blocks'\n{HALF}", MOBA, "attention.impl (line 2): This model's layers are 2 full, 2 moba: none"),
        ("impl = 'blocks'", MOBA, "attention.impl (line 2): This model's layers are 2 full, 2 moba: none"),
        (f"impl = 'sala'\n{HALF}", LINEAR, "attention.impl (line 2): This model's layers are 8 lightning: none"),
        (f"impl = 'sala'\n{HALF}", DENSE, "attention.impl (line 2): This model is not sala: its layers are 30 full."),
    ],
)
def test_blocks_that_a_model_does_not_have(said, about, sentence):
    (told,) = by_the_model(f"[attention]\n{said}", **about)
    assert told.startswith(sentence)


def test_what_the_first_model_is_need_not_be_another():
    """As long as nothing follows from it."""
    text = "[models.x]\nmodel = '/m'"
    dense = planned(**DENSE)
    assert by_the_model(f"[attention]\nimpl = 'sala'\n{text}", named=dense) == []
    (told,) = by_the_model(f"[attention]\nimpl = 'sala'\n{HALF}\n{text}", named=dense)
    assert told.startswith("models.x.policy: This model is not sala")
    (told,) = by_the_model(f"{text}\npolicy = 'sala'", named=dense)
    assert told.startswith("models.x.policy (line 3): This model is not sala")
    assert by_the_model(f"[attention]\nimpl = 'sala'\n{HALF}\n{text}\npolicy = 'none'", named=dense) == []
