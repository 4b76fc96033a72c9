"""Fixtures for pytest: ``postern``, ``postern_address`` and ``postern_inbox``.

POSTERN_URL and POSTERN_KEY say which installation and account: an API key with alias:create, alias:write and
mail:read. With POSTERN_ADDRESS a browsable address that is there is used, and mail:read is enough.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from .client import Inbox, Postern


@pytest.fixture(scope="session")
def postern() -> Postern:
    """The client of POSTERN_URL and POSTERN_KEY."""
    return Postern.from_environment()


@pytest.fixture(scope="session")
def postern_address(postern: Postern) -> Iterator[str]:
    """A browsable proxy address: POSTERN_ADDRESS, or one that is made, and removed after the session."""
    given = os.environ.get("POSTERN_ADDRESS")
    if given:
        yield given
        return
    made = postern.addresses.create(description="Made by tests")
    try:
        yield made.address
    finally:
        postern.addresses.remove(made.id)


@pytest.fixture
def postern_inbox(postern: Postern, postern_address: str) -> Inbox:
    """An inbox of the test's own."""
    return postern.inbox(postern_address)
