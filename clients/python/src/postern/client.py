"""One installation of Postern, with the credentials of one account."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from ._generated import SignInAnswer
from ._transport import Transport
from .addresses import Addresses
from .emails import Emails
from .errors import ContentMissing, PosternError
from .models import AccountEvent, Address, Email, account_event_of
from .resources import Contacts, Domains, Keys, Messages

_PAGE_SIZE = 1_000


class Inbox:
    """An inbox of its own within a proxy address: the address with a tag. It costs no quota, and needs no removal."""

    def __init__(self, emails: Emails, address: str) -> None:
        self._emails = emails
        #: What to sign up with.
        self.address = address

    def next(self, **query: Any) -> Email:
        """Waits for the next email here: ``sender``, ``subject``, ``since``, ``take``, ``timeout`` as ``Emails.next``."""
        return self._emails.next(self.address, **query)

    def code(self, **query: Any) -> str:
        """Waits for the next email, and gives the likeliest one-time code in it. Raises ContentMissing, NoEmail."""
        email = self.next(**query)
        if not email.codes:
            raise ContentMissing(f"The email {email.subject!r} holds no code.")
        return email.codes[0]

    def link(self, matching: str | re.Pattern[str] = "", **query: Any) -> str:
        """Waits for the next email, and gives the first link in it that holds or matches ``matching``.

        Raises ContentMissing, NoEmail.
        """
        email = self.next(**query)
        for link in email.links:
            if matching in link if isinstance(matching, str) else matching.search(link):
                return link
        raise ContentMissing(f"The email {email.subject!r} holds no such link.")


class Postern:
    """``Postern("https://postern.example", key="psk_…")``.

    ``timeout`` is that of one request in seconds, ``retries`` how often what may be repeated is tried again.
    """

    def __init__(
        self, url: str, *, key: str | None = None, bearer: str | None = None, timeout: float = 30.0, retries: int = 2
    ) -> None:
        #: Every operation of /openapi.json and of clients/graph by name, for what has no method here.
        self.transport = Transport(url, key=key, bearer=bearer, timeout=timeout, retries=retries)
        self.addresses = Addresses(self.transport)
        self.emails = Emails(self.transport)
        self.messages = Messages(self.transport)
        self.contacts = Contacts(self.transport)
        self.domains = Domains(self.transport)
        self.keys = Keys(self.transport)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Postern:
        """From POSTERN_URL and POSTERN_KEY. Raises PosternError naming what is absent."""
        missing = [name for name in ("POSTERN_URL", "POSTERN_KEY") if not environment.get(name)]
        if missing:
            raise PosternError(f"{' and '.join(missing)} must be set.")
        return cls(environment["POSTERN_URL"], key=environment["POSTERN_KEY"])

    @classmethod
    def sign_in(cls, url: str, username: str, password: str, *, code: str | None = None) -> Postern:
        """A client with a bearer token, which can make API keys.

        ``code`` is one of the authenticator, where the account has a second factor. Raises AuthenticationFailed.
        """
        credentials = {"username": username, "password": password}
        body = {"data": {"type": "auth-request", "attributes": credentials}}
        answer: SignInAnswer = Transport(url).rest("signIn", body=body)
        bearer = answer["data"]["attributes"]["token"]
        if code is not None:
            second = {"data": {"type": "second-factor", "attributes": {"code": code}}}
            granted: SignInAnswer = Transport(url, bearer=bearer).rest("grantSecondFactor", body=second)
            bearer = granted["data"]["attributes"]["token"]
        return cls(url, bearer=bearer)

    def events(self, after: str | None = None) -> Iterator[AccountEvent]:
        """Every event after a cursor that is known by now, at least once each; without one from the oldest that is kept.

        Keep the last one's ``cursor``, and go on with it later. Scope: mail:read. Raises ApiError: 410 where events after
        the cursor are gone.
        """
        while True:
            page = self.transport.rest("readEvents", query={"limit": _PAGE_SIZE, "after": after})
            for event in page:
                yield account_event_of(event)
            if len(page) < _PAGE_SIZE:
                return
            after = page[-1]["cursor"]

    def inbox(self, address: str | Address, tag: str | None = None) -> Inbox:
        """An inbox of its own within a browsable address; a tag is made up unless given."""
        base = address if isinstance(address, str) else address.address
        name, _, domain = base.rpartition("@")
        return Inbox(self.emails, f"{name}+{tag or str(uuid.uuid4())[:13]}@{domain}")
