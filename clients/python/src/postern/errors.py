"""What the client raises."""

from __future__ import annotations


class PosternError(Exception):
    """Everything that this client raises by itself."""


class ConnectionFailed(PosternError):
    """No answer came: the service could not be reached, or the connection broke off, or the time was over."""


class NoEmail(PosternError):
    """No email came in time."""


class ContentMissing(PosternError):
    """The email that came does not hold what was looked for in it."""


class ApiError(PosternError):
    """The service answered that it does not do this."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        kind: str = "Unknown",
        id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        #: The stable name of the error, such as ``NotFound``.
        self.kind = kind
        #: Found again in the service's logs.
        self.id = id
        #: In how many seconds to ask again, where the service says so.
        self.retry_after = retry_after


class InvalidRequest(ApiError):
    """The request is not as it should be; the message names the member (400, 413, 415, 422)."""


class AuthenticationFailed(ApiError):
    """No credentials, or wrong or expired ones (401; 403 for a token that is unknown)."""


class Forbidden(ApiError):
    """These credentials do not allow it (403): a scope is missing, or a quota is used up; ``kind`` says which."""


class NotFound(ApiError):
    """It is missing, or somebody else's (404)."""


class Conflict(ApiError):
    """In conflict with what is there (409)."""


class RateLimited(ApiError):
    """Too many requests (429)."""


class Unavailable(ApiError):
    """The service cannot do it right now (5xx)."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: AuthenticationFailed,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
}


def api_error(
    message: str, *, status: int, kind: str = "Unknown", id: str | None = None, retry_after: float | None = None
) -> ApiError:
    """The error of a status, as the class that says what it is."""
    if kind == "TokenNotFound":
        kind_of_error: type[ApiError] = AuthenticationFailed
    else:
        kind_of_error = _BY_STATUS.get(status, Unavailable if status >= 500 else ApiError)
    return kind_of_error(message, status=status, kind=kind, id=id, retry_after=retry_after)
