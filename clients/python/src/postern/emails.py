"""What came to browsable proxy addresses."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

from ._generated import ListReceivedEmailLinksAnswer, NextEmailAnswer, ShowReceivedEmailAnswer
from ._transport import Transport, delay_before
from .errors import ApiError, ConnectionFailed, NoEmail
from .models import Email, EmailSummary, awaited_email, email_of, rest_time

#: One request waits so long: proxies cut off what takes a minute.
_SLICE = 25.0
#: How much longer than its wait a request may take.
_MARGIN = 15.0


class Emails:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def next(
        self,
        address: str | None = None,
        *,
        address_id: str | None = None,
        sender: str | None = None,
        subject: str | None = None,
        since: datetime | None = None,
        take: bool = True,
        timeout: float = 60.0,
    ) -> Email:
        """Waits for the next email, one that came before the wait included; the oldest first. Scope: mail:read.

        It is taken once, however often the connection breaks off. ``address`` may have a tag (``name+tag@domain``):
        then mail to that tag alone counts. ``sender`` and ``subject`` are parts of them, without regard to case.
        ``timeout`` is in seconds; 0 looks once. Raises NoEmail, ApiError, ConnectionFailed.
        """
        question = {
            "recipient": address,
            "binding": address_id,
            "from": sender,
            "subject": subject,
            "since": None if since is None else since.astimezone().isoformat(),
            "take": take,
            # The same waiter gets the same email again, so that an answer that was lost loses no email.
            "waiter": str(uuid.uuid4()) if take else None,
        }
        deadline = time.monotonic() + timeout
        failures = 0
        while True:
            started = time.monotonic()
            wait = min(_SLICE, max(0.0, deadline - started))
            try:
                answer: NextEmailAnswer | None = self._transport.rest(
                    "nextEmail", body={**question, "waitS": wait}, timeout=wait + _MARGIN, retries=0
                )
            except (ApiError, ConnectionFailed) as error:
                delay = delay_before(error, min(failures, 4), True)
                failures += 1
                if delay is None or time.monotonic() + delay >= deadline:
                    raise
                time.sleep(delay)
                continue
            if answer:
                return awaited_email(answer["data"])
            failures = 0
            if time.monotonic() >= deadline:
                raise NoEmail(f"No email came in time to {address or address_id}.")
            if time.monotonic() - started < 0.5:
                # A server that stops answers at once.
                time.sleep(min(0.25, wait))

    def list(self, address_id: str) -> Iterator[EmailSummary]:
        """Those that are kept, the newest first. Scope: mail:read."""
        after: str | None = None
        while True:
            page: ListReceivedEmailLinksAnswer = self._transport.rest(
                "listReceivedEmailLinks",
                path={"proxyBindingId": address_id},
                query={"page[size]": 100, "page[after]": after},
            )
            for each in page["data"]:
                of = each["attributes"]
                received_at = rest_time(of["created_at"])
                yield EmailSummary(each["id"], of["sender_email"], of["recipient_email"], of["subject"], received_at)
            following = page["links"]["next"] if "links" in page else None
            if following is None:
                return
            after = parse_qs(urlsplit(following).query)["page[after]"][0]

    def get(self, id: str) -> Email:
        """Scope: mail:read. Raises NotFound."""
        answer: ShowReceivedEmailAnswer = self._transport.rest("showReceivedEmail", path={"receivedEmailId": id})
        return email_of(answer["data"]["id"], answer["data"]["attributes"])

    def remove(self, id: str) -> None:
        """Removes what is kept of it. Scope: admin. Raises NotFound."""
        self._transport.rest("deleteReceivedEmail", path={"receivedEmailId": id})
