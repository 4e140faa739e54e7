"""Views are tested in the light colours; each test is given the made-up documents and messages of the gallery."""

import pytest

from app.views import theme
from app.views.window import MainWindow
from tests.app.views import gallery


@pytest.fixture(autouse=True)
def _light(qapp):
    theme.apply(qapp, "light")


@pytest.fixture
def window(qtbot):
    """A shown window, furnished as in the gallery."""
    made = MainWindow()
    qtbot.addWidget(made)
    gallery.furnish(made)
    with qtbot.waitExposed(made):
        made.show()
    return made
