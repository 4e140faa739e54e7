"""One look for all tests of these widgets: a style sheet is costly to apply, and none of them looks at colours."""

import pytest

from app.views import theme


@pytest.fixture(autouse=True, scope="session")
def _look(qapp):
    theme.apply(qapp, "light")
