"""A Hub engine in the test's own process."""

import pytest

from neche.protocols.hub_options import HubOptions
from neche.protocols.hub_session import HubSession
from tests.protocols.listener import Listener


class Interface(Listener):
    """The other side: sends lines and receives the answers."""

    def __init__(self):
        super().__init__()
        self.session = HubSession(HubOptions(), self)

    def say(self, *lines: str) -> list[str]:
        """Send lines; return all answers so far."""
        for line in lines:
            assert self.session.hear(line)
        return list(self.lines)

    def ask(self, *lines: str) -> list[str]:
        """Send lines; return the immediate answers, and discard these and all earlier ones."""
        self.take()
        self.say(*lines)
        return self.take()


@pytest.fixture
def interface():
    found = Interface()
    yield found
    found.session.close()
