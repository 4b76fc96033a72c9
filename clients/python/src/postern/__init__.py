"""Postern's client: make proxy addresses, and wait for mail in tests."""

from .client import Inbox, Postern
from .errors import (
    ApiError,
    AuthenticationFailed,
    Conflict,
    ConnectionFailed,
    ContentMissing,
    Forbidden,
    InvalidRequest,
    NoEmail,
    NotFound,
    PosternError,
    RateLimited,
    Unavailable,
)
from .models import AccountEvent, Address, Attachment, Email, EmailSummary, Target

__version__ = "0.1.0"

__all__ = [
    "AccountEvent",
    "Address",
    "ApiError",
    "Attachment",
    "AuthenticationFailed",
    "Conflict",
    "ConnectionFailed",
    "ContentMissing",
    "Email",
    "EmailSummary",
    "Forbidden",
    "Inbox",
    "InvalidRequest",
    "NoEmail",
    "NotFound",
    "Postern",
    "PosternError",
    "RateLimited",
    "Target",
    "Unavailable",
]
