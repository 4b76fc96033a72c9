"""Messages, contacts, domains and keys. What they give is as /openapi.json and the graph have it."""

from __future__ import annotations

import builtins
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from ._generated import (
    CreateApiKeyInput,
    CreateContactDataCreateContactContact,
    Domain,
    ListKeysDataApiKeys,
    NewMessage,
    Pattern,
)
from ._transport import Transport

Contact = CreateContactDataCreateContactContact
ApiKey = ListKeysDataApiKeys


class Messages:
    """Mail from proxy addresses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, message: NewMessage, *, idempotency_key: str | None = None) -> str:
        """Sends it once, however often the connection breaks off; the id of its email. Scope: mail:send.

        The same ``idempotency_key`` within 7 days sends nothing again. Raises Forbidden of kind SendingNotAllowed.
        """
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        answer = self._transport.rest("sendMessage", body=message, headers=headers, repeatable=True)
        return str(answer["data"]["id"])


class Contacts:
    """Whom proxy addresses know."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, address_id: str, search: str | None = None) -> Iterator[Contact]:
        """Those of an address, the last seen first. Scope: alias:read."""
        after: str | None = None
        while True:
            asked = {"address": address_id, "first": 100, "after": after, "search": search}
            binding = self._transport.graph("listContacts", asked)["proxyBinding"]
            page = binding and binding["contacts"]
            if not page:
                return
            yield from page["nodes"]
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def create(self, address_id: str, address: str, name: str | None = None) -> Contact:
        """Makes a contact, or gives the one that is there. Write to its ``reverseAddress``. Scope: alias:write."""
        variables = {"bindingId": address_id, "address": address, "name": name}
        made: Contact = self._transport.graph("createContact", variables, repeatable=True)["createContact"]["contact"]
        return made

    def update(self, id: str, *, name: str | None = None, is_blocked: bool | None = None) -> Contact:
        """Names or blocks a contact: mail from a blocked one is refused. Scope: alias:write."""
        variables = {"id": id, "name": name, "isBlocked": is_blocked}
        changed: Contact = self._transport.graph("updateContact", variables, repeatable=True)["updateContact"]["contact"]
        return changed

    def remove(self, id: str) -> None:
        """Its reverse address leads nowhere from then on. Scope: alias:write. Raises NotFound."""
        self._transport.graph("removeContact", {"id": id})


class Domains:
    """Domains of one's own."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _data(self, name: str, **asked: Any) -> Any:
        return self._transport.rest(name, **asked)["data"]

    def list(self) -> list[Domain]:
        """All of them with their DNS records. Scope: alias:read."""
        domains: list[Domain] = self._data("listDomains")
        return domains

    def add(self, name: str) -> Domain:
        """Adds a domain; one that is there already is given as it is. Publish its ``records``. Scope: admin."""
        domain: Domain = self._data("addDomain", body={"name": name}, repeatable=True)
        return domain

    def get(self, id: str) -> Domain:
        """Scope: alias:read. Raises NotFound."""
        domain: Domain = self._data("showDomain", path={"id": id})
        return domain

    def check(self, id: str) -> Domain:
        """Looks at its DNS records now, 20 times an hour. Scope: admin. Raises Conflict, RateLimited."""
        domain: Domain = self._data("checkDomain", path={"id": id})
        return domain

    def remove(self, id: str) -> None:
        """Its addresses take no mail any more. Scope: admin. Raises NotFound."""
        self._transport.rest("removeDomain", path={"id": id})

    def patterns(self, id: str) -> builtins.list[Pattern]:
        """What takes mail to addresses that nobody made. Scope: alias:read. Raises NotFound."""
        patterns: list[Pattern] = self._data("listPatterns", path={"id": id})
        return patterns

    def set_patterns(self, id: str, patterns: Sequence[Pattern]) -> builtins.list[Pattern]:
        """They become exactly those given, in their order. Scope: admin. Raises NotFound, InvalidRequest."""
        kept: list[Pattern] = self._data("setPatterns", path={"id": id}, body={"patterns": list(patterns)})
        return kept


class Keys:
    """API keys. They take a bearer token, as ``Postern.sign_in`` gets it, within 10 minutes after the sign-in."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> list[ApiKey]:
        keys: list[ApiKey] = self._transport.graph("listKeys", {})["apiKeys"] or []
        return keys

    def create(self, input: CreateApiKeyInput) -> tuple[str, ApiKey]:
        """The key, which is shown this once, and what is known of it. Raises Forbidden of kind FreshProofRequired."""
        made = self._transport.graph("createKey", {"input": input})["createApiKey"]
        return str(made["key"]), made["apiKey"]

    def revoke(self, id: str) -> None:
        """It is worth nothing from then on. Raises NotFound."""
        self._transport.graph("revokeKey", {"id": id})
