"""Against the Postern at POSTERN_URL, whose mail comes in at SMTP_PORT, as the account POSTERN_USER."""

import os
import smtplib
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from postern import (
    AccountEvent,
    Address,
    AuthenticationFailed,
    ConnectionFailed,
    ContentMissing,
    Forbidden,
    Inbox,
    InvalidRequest,
    NoEmail,
    NotFound,
    Postern,
    PosternError,
    Unavailable,
)

URL = os.environ["POSTERN_URL"]


def send(to: str, subject: str, text: str = "Hello.") -> None:
    message = EmailMessage()
    message["From"] = "Ann <ann@example.com>"
    message["To"] = to
    message["Subject"] = subject
    message.set_content(text)
    with smtplib.SMTP("127.0.0.1", int(os.environ["SMTP_PORT"])) as smtp:
        smtp.send_message(message)


@pytest.fixture
def owner() -> Postern:
    return Postern.sign_in(URL, os.environ["POSTERN_USER"], os.environ["POSTERN_PASSWORD"])


@pytest.fixture
def address(postern: Postern) -> Iterator[Address]:
    made = postern.addresses.create()
    yield made
    postern.addresses.remove(made.id)


def test_events(postern: Postern, address: Address) -> None:
    known: list[AccountEvent] = []
    while not any(event.kind == "address.made" and event.binding_id == address.id for event in known):
        known += postern.events(known[-1].cursor if known else None)
    assert known == list(postern.events())[: len(known)]


def test_addresses(postern: Postern) -> None:
    made = postern.addresses.create(description="a shop for Python", targets=["jane@example.net"])
    assert (made.description, made.is_browsable, made.answers) == ("a shop for Python", True, False)
    assert [(each.address, each.is_verified) for each in made.targets] == [("jane@example.net", False)]
    assert [each.id for each in postern.addresses.list("a shop for Python")] == [made.id]
    assert postern.addresses.get(made.address.upper()) == made
    assert postern.addresses.create(made.address).id == made.id
    changed = postern.addresses.update(made.id, description="the shop", answers=True)
    assert (changed.description, changed.answers, changed.is_browsable) == ("the shop", True, True)
    postern.addresses.remove(made.id)
    with pytest.raises(NotFound):
        postern.addresses.get(made.id)


def test_waiting(postern: Postern, address: Address) -> None:
    inbox, other = postern.inbox(address), postern.inbox(address, "other")
    assert other.address == address.address.replace("@", "+other@")
    send(other.address, "Confirm", "Your code is 111222.")
    send(inbox.address, "Confirm", "Your code is 482913.\n\nhttps://shop.example/confirm?t=1")
    email = inbox.next(subject="confirm")
    assert (email.subject, email.recipient) == ("Confirm", address.address)
    assert email.from_ == "Ann <ann@example.com>"
    assert (email.codes, email.links) == (("482913",), ("https://shop.example/confirm?t=1",))
    assert postern.emails.get(email.id).text == email.text
    assert other.code() == "111222"
    assert [each.subject for each in postern.emails.list(address.id)] == ["Confirm", "Confirm"]


def test_what_does_not_come(postern_inbox: Inbox) -> None:
    send(postern_inbox.address, "Hello")
    with pytest.raises(ContentMissing):
        postern_inbox.link("confirm")
    with pytest.raises(NoEmail):
        postern_inbox.next(timeout=0)
    with pytest.raises(NoEmail):
        postern_inbox.next(subject="x", timeout=0.1)


def test_contacts(postern: Postern, address: Address) -> None:
    made = postern.contacts.create(address.id, "ann@shop.example", "Ann")
    assert (made["address"], made["name"], made["isBlocked"]) == ("ann@shop.example", "Ann", False)
    assert postern.contacts.update(made["id"], is_blocked=True)["isBlocked"]
    assert [each["id"] for each in postern.contacts.list(address.id)] == [made["id"]]
    postern.contacts.remove(made["id"])
    assert list(postern.contacts.list(address.id)) == []


def test_domains(owner: Postern) -> None:
    added = owner.domains.add("python.example")
    assert (added["name"], added["state"]) == ("python.example", "unverified")
    assert added["id"] in [each["id"] for each in owner.domains.list()]
    assert [each["glob"] for each in owner.domains.set_patterns(added["id"], [{"glob": "news-*"}])] == ["news-*"]
    assert owner.domains.patterns(added["id"])[0].get("perHour") == 20
    owner.domains.remove(added["id"])
    with pytest.raises(NotFound):
        owner.domains.get(added["id"])


def test_messages(owner: Postern) -> None:
    made = owner.addresses.create(answers=True)
    with pytest.raises(Forbidden) as refused:
        owner.messages.send({"from": made.address, "to": ["ann@shop.example"], "text": "Hello."})
    assert refused.value.kind == "SendingNotAllowed"
    owner.addresses.remove(made.id)


def test_keys(owner: Postern) -> None:
    key, made = owner.keys.create({"name": "a reader", "scopes": ["alias:read"]})
    reader = Postern(URL, key=key)
    list(reader.addresses.list())
    with pytest.raises(Forbidden):
        reader.addresses.create()
    assert made["id"] in [each["id"] for each in owner.keys.list()]
    owner.keys.revoke(made["id"])
    with pytest.raises(AuthenticationFailed):
        list(reader.addresses.list())


def test_errors(postern: Postern) -> None:
    with pytest.raises(InvalidRequest) as refused:
        postern.addresses.create("no address")
    assert (refused.value.status, refused.value.kind) == (422, "ValidationFailed")
    assert refused.value.id
    with pytest.raises(NotFound):
        postern.emails.next("nobody@example.net")
    with pytest.raises(ConnectionFailed):
        Postern("http://127.0.0.1:1", key="psk_x", retries=0).domains.list()
    with pytest.raises(PosternError, match="POSTERN_KEY must be set"):
        Postern.from_environment({"POSTERN_URL": URL})


class Scripted(BaseHTTPRequestHandler):
    """Answers with the statuses of its server in turn, the last one for all that follow."""

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        server = self.server
        assert isinstance(server, ScriptedServer)
        status = server.statuses[min(server.asked, len(server.statuses) - 1)]
        server.asked += 1
        if status == 0:
            self.close_connection = True
            return
        content = b'{"data": []}' if status == 200 else b""
        self.send_response(status)
        self.send_header("location", "http://127.0.0.1:1/")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, format: str, *args: object) -> None:
        """Keeps quiet."""


class ScriptedServer(HTTPServer):
    def __init__(self, *statuses: int) -> None:
        super().__init__(("127.0.0.1", 0), Scripted)
        self.statuses = statuses
        self.asked = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def client(self) -> Postern:
        return Postern(f"http://127.0.0.1:{self.server_address[1]}/", key="psk_x")


def test_repetition() -> None:
    with ScriptedServer(503, 0, 200) as server:
        assert server.client.domains.list() == []
        assert server.asked == 3
        server.shutdown()
    with ScriptedServer(503) as server:
        with pytest.raises(Unavailable):
            server.client.domains.list()
        assert server.asked == 3
        server.shutdown()
    with ScriptedServer(0) as server:
        with pytest.raises(ConnectionFailed):
            server.client.addresses.create()
        assert server.asked == 1
        server.shutdown()
    with ScriptedServer(0, 404) as server:
        server.client.addresses.remove("1")
        server.shutdown()
    with ScriptedServer(302) as server:
        with pytest.raises(PosternError):
            server.client.domains.list()
        assert server.asked == 1
        server.shutdown()
