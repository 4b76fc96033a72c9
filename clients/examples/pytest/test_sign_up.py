"""Signs up with the service at SIGN_UP_URL, and opens the link in its mail. POSTERN_URL and POSTERN_KEY say which Postern."""

import os
import urllib.parse
import urllib.request

import pytest

from postern import Inbox, NoEmail

PAGE = os.environ.get("SIGN_UP_URL", "http://127.0.0.1:4173")


def sign_up(address: str) -> None:
    form = urllib.parse.urlencode({"email": address}).encode()
    with urllib.request.urlopen(f"{PAGE}/sign-up", data=form) as answer:
        assert "Look into your mail" in answer.read().decode()


def test_link(postern_inbox: Inbox) -> None:
    sign_up(postern_inbox.address)
    email = postern_inbox.next(subject="Confirm", timeout=120)
    with urllib.request.urlopen(email.links[0]) as answer:
        assert f"<output>{email.codes[0]}</output>" in answer.read().decode()


def test_another_inbox(postern_inbox: Inbox) -> None:
    sign_up(postern_inbox.address)
    with urllib.request.urlopen(postern_inbox.link("/confirm", timeout=120)) as answer:
        assert "Welcome" in answer.read().decode()
    with pytest.raises(NoEmail):
        postern_inbox.next(timeout=0)
