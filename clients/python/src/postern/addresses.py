"""Proxy addresses: make them, list them, change them, remove them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ._generated import CreateAddressData, ListAddressesData, ShowAddressData, UpdateAddressData
from ._transport import Transport
from .errors import NotFound
from .models import Address, address_of


def _given(**members: object) -> dict[str, object]:
    return {name: value for name, value in members.items() if value is not None}


class Addresses:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        address: str | None = None,
        *,
        targets: Sequence[str] | None = None,
        description: str | None = None,
        callback_url: str | None = None,
        is_browsable: bool = True,
        answers: bool | None = None,
        display_name: str | None = None,
    ) -> Address:
        """Makes an address; one that is your own already is given as it is. Scope: alias:create.

        Without ``targets`` nothing is forwarded: mail is kept and called back only.
        """
        settings = _given(
            proxyAddress=address,
            realAddresses=None if targets is None else list(targets),
            description=description,
            callbackUrl=callback_url,
            isBrowsable=is_browsable,
            answers=answers,
            displayName=display_name,
        )
        # One that has a name is given again; one that is made up would be another.
        data: CreateAddressData = self._transport.graph(
            "createAddress", {"input": settings}, repeatable=address is not None
        )
        return _shown((data["createProxyBinding"] or {}).get("proxyBinding"))

    def list(self, search: str | None = None) -> Iterator[Address]:
        """All of them, the newest first; ``search`` looks at addresses and descriptions. Scope: alias:read."""
        after: str | None = None
        while True:
            asked = {"first": 100, "after": after, "search": search}
            data: ListAddressesData = self._transport.graph("listAddresses", asked)
            page = data["proxyBindings"]
            if page is None:
                return
            yield from map(address_of, page["nodes"])
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def get(self, id_or_address: str) -> Address:
        """By its id, or by the address itself. Scope: alias:read. Raises NotFound."""
        id = id_or_address
        if "@" in id:
            id = self._transport.rest("showAddress", path={"id": id})["data"]["id"]
        data: ShowAddressData = self._transport.graph("showAddress", {"id": id})
        return _shown(data["proxyBinding"])

    def update(
        self,
        id: str,
        *,
        targets: Sequence[str] | None = None,
        description: str | None = None,
        callback_url: str | None = None,
        is_browsable: bool | None = None,
        answers: bool | None = None,
        display_name: str | None = None,
    ) -> Address:
        """Changes what is given, and leaves the rest as it is. ``targets`` is the whole new set. Scope: alias:write."""
        settings = _given(
            realAddresses=None if targets is None else [{"address": each} for each in targets],
            description=description,
            callbackUrl=callback_url,
            isBrowsable=is_browsable,
            answers=answers,
            displayName=display_name,
        )
        data: UpdateAddressData = self._transport.graph(
            "updateAddress", {"id": id, "input": settings}, repeatable=True
        )
        return _shown((data["updateProxyBinding"] or {}).get("proxyBinding"))

    def remove(self, id: str) -> None:
        """Removes it with all that is kept for it; mail to it is refused. Scope: alias:write. Raises NotFound."""
        self._transport.rest("deleteProxyBinding", path={"id": id})


def _shown(node: Any) -> Address:
    if node is None:
        raise NotFound("There is no such address.", status=404, kind="NotFound")
    return address_of(node)
