"""A visitor of the pages, without a network."""

import pytest

from tools.fuzz.pages import Visitor


@pytest.fixture
def visitor():
    found = Visitor()
    yield found
    found.close()
