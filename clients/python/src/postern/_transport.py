"""Asks Postern: credentials, deadlines, repetitions, errors."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from email.message import Message
from typing import IO, Any, NamedTuple

from ._generated import GRAPH, REST
from .errors import ApiError, ConnectionFailed, NotFound, api_error

#: Longer than that is left to the caller.
_LONGEST_RETRY_AFTER = 30.0
_REPEATABLE_METHODS = {"GET", "PUT", "DELETE"}
_GRAPH_STATUSES = {
    "BAD_USER_INPUT": 422,
    "BAD_REQUEST": 400,
    "GRAPHQL_PARSE_FAILED": 400,
    "GRAPHQL_VALIDATION_FAILED": 400,
    "UNAUTHENTICATED": 401,
    "FORBIDDEN": 403,
    "NOT_FOUND": 404,
    "CONFLICT": 409,
    "RATE_LIMITED": 429,
}


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Else the key would go along to wherever that leads."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> None:
        return None


class Answer(NamedTuple):
    status: int
    retry_after: float | None
    #: A list where it is lines of JSON; None for what is no JSON.
    body: Any


class Transport:
    """Every operation of /openapi.json and of clients/graph by name."""

    def __init__(
        self, url: str, *, key: str | None = None, bearer: str | None = None, timeout: float = 30.0, retries: int = 2
    ) -> None:
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is no http or https URL")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.retries = retries
        self._headers = {"accept": "application/json"}
        if key:
            self._headers["token"] = key
        if bearer:
            self._headers["authorization"] = f"Bearer {bearer}"
        self._opener = urllib.request.build_opener(_NoRedirects)

    def rest(
        self,
        name: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Any:
        """One operation of /openapi.json; its answer, or None where there is none.

        Raises ApiError, ConnectionFailed.
        """
        place = REST[name]
        target = re.sub(r"\{(\w+)\}", lambda part: urllib.parse.quote((path or {})[part[1]], safe=""), place.path)
        asked = {key: value for key, value in (query or {}).items() if value is not None}
        if asked:
            target += "?" + urllib.parse.urlencode(asked)
        is_repeatable = place.method in _REPEATABLE_METHODS if repeatable is None else repeatable

        def attempt(number: int) -> Answer:
            answer = self._once(place.method, target, body, headers, timeout)
            if answer.status < 300:
                return answer
            error = _rest_error(answer)
            # What was to be removed and is gone was removed by the attempt before.
            if place.method == "DELETE" and number > 0 and isinstance(error, NotFound):
                return answer._replace(body=None)
            raise error

        return self._repeated(attempt, is_repeatable, self.retries if retries is None else retries).body

    def graph(self, name: str, variables: Mapping[str, object], *, repeatable: bool | None = None) -> Any:
        """One operation of the graph; its data. Raises ApiError, ConnectionFailed."""
        document = GRAPH[name]
        is_repeatable = not document.is_mutation if repeatable is None else repeatable

        def attempt(_number: int) -> Answer:
            answer = self._once("POST", "/graphql", {"query": document.text, "variables": variables}, None, None)
            error = _graph_error(answer)
            if error:
                raise error
            return answer

        return self._repeated(attempt, is_repeatable, self.retries).body["data"]

    def _repeated(self, attempt: Any, is_repeatable: bool, retries: int) -> Answer:
        number = 0
        while True:
            try:
                answer: Answer = attempt(number)
                return answer
            except (ApiError, ConnectionFailed) as error:
                delay = delay_before(error, number, is_repeatable) if number < retries else None
                if delay is None:
                    raise
            time.sleep(delay)
            number += 1

    def _once(
        self, method: str, target: str, body: object, headers: Mapping[str, str] | None, timeout: float | None
    ) -> Answer:
        sent = None if body is None else json.dumps(body).encode()
        every = {**self._headers, **({} if sent is None else {"content-type": "application/json"}), **(headers or {})}
        request = urllib.request.Request(self.url + target, data=sent, headers=every, method=method)
        try:
            with self._opener.open(request, timeout=timeout or self.timeout) as response:
                return _read(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            with error:
                return _read(error.code, error.headers, _rest_of(error))
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailed(f"Postern did not answer: {error}") from error


def _rest_of(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read()
    except (OSError, http.client.HTTPException):
        return b""


def _read(status: int, headers: Message, content: bytes) -> Answer:
    retry_after, media_type = headers.get("retry-after"), headers.get("content-type", "")
    seconds = float(retry_after) if retry_after and retry_after.isdecimal() else None
    try:
        if media_type.startswith("application/x-ndjson"):
            return Answer(status, seconds, [json.loads(line) for line in content.splitlines()])
        return Answer(status, seconds, json.loads(content) if content else None)
    except ValueError:
        # A proxy in front of the service may answer with a page of its own.
        return Answer(status, seconds, None)


def _member(value: object, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _rest_error(answer: Answer) -> ApiError:
    return api_error(
        _member(answer.body, "data", "attributes", "message") or f"The service answered {answer.status}.",
        status=answer.status,
        kind=_member(answer.body, "data", "attributes", "exception") or "Unknown",
        id=_member(answer.body, "data", "id"),
        retry_after=answer.retry_after,
    )


def _graph_error(answer: Answer) -> ApiError | None:
    errors = _member(answer.body, "errors")
    if not errors:
        return None if answer.status == 200 and answer.body is not None else _rest_error(answer)
    extensions = _member(errors[0], "extensions") or {}
    # What has no code of its own is a fault or an outage of the service.
    otherwise = 503 if answer.status == 200 else answer.status
    return api_error(
        _member(errors[0], "message") or "The service gave no reason.",
        status=_GRAPH_STATUSES.get(str(extensions.get("code")), otherwise),
        kind=extensions.get("kind") or "Unknown",
        id=extensions.get("id"),
        retry_after=extensions.get("retryAfterS", answer.retry_after),
    )


def delay_before(error: Exception, number: int, is_repeatable: bool) -> float | None:
    """In how many seconds to try again; None where that is not safe, or no use."""
    backoff = 0.25 * 2**number * (0.5 + random.random())
    if isinstance(error, ConnectionFailed):
        return backoff if is_repeatable else None
    if not isinstance(error, ApiError):
        return None
    # 429 was refused before anything was done; 5xx may come after it.
    is_safe = error.status == 429 or (is_repeatable and error.status in (502, 503, 504))
    retry_after = error.retry_after or 0.0
    if not is_safe or retry_after > _LONGEST_RETRY_AFTER:
        return None
    return max(backoff, retry_after)
