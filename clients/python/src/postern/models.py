"""What the client gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, cast

from ._generated import NextEmail, ReceivedEmailDataAttributes


@dataclass(frozen=True)
class Target:
    """Where a proxy address leads. Mail is forwarded only if it is enabled and verified."""

    address: str
    is_enabled: bool
    is_verified: bool


@dataclass(frozen=True)
class Address:
    """A proxy address with its settings."""

    id: str
    address: str
    description: str
    callback_url: str
    #: Whether emails are kept for reading.
    is_browsable: bool
    is_automatic: bool
    #: Whether its owner answers from it.
    answers: bool
    display_name: str
    received_emails: int
    targets: tuple[Target, ...]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class Attachment:
    filename: str
    mime: str
    size: int
    content_id: str | None
    #: Downloads it without credentials, for a day.
    url: str


@dataclass(frozen=True)
class Email:
    """An email that came to a proxy address."""

    id: str
    #: The envelope sender; empty for a bounce.
    sender: str
    #: From, as it stands in the header.
    from_: str
    #: The proxy address that it came to, without a tag.
    recipient: str
    subject: str
    #: As text; made from the HTML where there is none.
    text: str
    #: As its sender wrote it: not safe to show as it is.
    html: str
    received_at: datetime
    attachments: tuple[Attachment, ...] = ()
    #: The header's fields by name, and what the service makes of the body.
    payload: dict[str, Any] = field(default_factory=dict, repr=False)
    #: One-time codes, the likeliest first. Only of an email that was waited for.
    codes: tuple[str, ...] = ()
    #: http and https URLs, each once. Only of an email that was waited for.
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class EmailSummary:
    id: str
    sender: str
    recipient: str
    subject: str
    received_at: datetime


@dataclass(frozen=True)
class AccountEvent:
    """What happened to an address or an email of the account."""

    #: Where to go on after it.
    cursor: str
    id: str
    #: email.arrived, delivery.settled, delivery.bounced, address.made or address.removed.
    kind: str
    at: datetime
    binding_id: str | None
    email_id: str | None
    #: Of address.made and address.removed.
    address: str | None
    #: Of delivery.settled, such as forwarded or given_up.
    outcome: str | None


def account_event_of(line: Any) -> AccountEvent:
    return AccountEvent(
        cursor=line["cursor"],
        id=line["id"],
        kind=line["kind"],
        at=datetime.fromisoformat(line["at"]),
        binding_id=line["bindingId"],
        email_id=line["emailId"],
        address=line["address"],
        outcome=line["outcome"],
    )


def rest_time(text: str) -> datetime:
    """REST writes times as ``YYYY-MM-DD HH:MM:SS``, UTC."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)


def address_of(node: Any) -> Address:
    return Address(
        id=node["id"],
        address=node["proxyAddress"],
        description=node["description"],
        callback_url=node["callbackUrl"],
        is_browsable=node["isBrowsable"],
        is_automatic=node["isAutomatic"],
        answers=node["answers"],
        display_name=node["displayName"],
        received_emails=node["receivedEmails"],
        targets=tuple(Target(each["address"], each["isEnabled"], each["isVerified"]) for each in node["realAddresses"]),
        created_at=datetime.fromisoformat(node["createdAt"]),
        updated_at=datetime.fromisoformat(node["updatedAt"]),
    )


def awaited_email(found: NextEmail) -> Email:
    return email_of(found["id"], cast(ReceivedEmailDataAttributes, found["attributes"]), found["codes"], found["links"])


def email_of(
    id: str, attributes: ReceivedEmailDataAttributes, codes: list[str] | None = None, links: list[str] | None = None
) -> Email:
    payload = attributes["payload"]

    def text_of(name: str) -> str:
        value = payload.get(name)
        return value if isinstance(value, str) else ""

    return Email(
        id=id,
        sender=attributes["sender_email"],
        from_=text_of("from"),
        recipient=attributes["recipient_email"],
        subject=attributes["subject"],
        text=text_of("body-plain"),
        html=text_of("body-html"),
        received_at=rest_time(attributes["created_at"]),
        attachments=tuple(
            Attachment(each["filename"], each["mime"], each["size"], each["content_id"], each["url"])
            for each in attributes["attachments"]
        ),
        payload=payload,
        codes=tuple(codes or ()),
        links=tuple(links or ()),
    )
