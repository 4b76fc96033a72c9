/** Everything that this client throws by itself. */
export class PosternError extends Error {
  override readonly name: string = "PosternError";
}

/** No answer came: the service could not be reached, or the connection broke off. */
export class ConnectionError extends PosternError {
  override readonly name: string = "ConnectionError";
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/** No email came in time. */
export class NoEmailError extends PosternError {
  override readonly name = "NoEmailError";
}

/** The email that came does not hold what was looked for in it. */
export class ContentError extends PosternError {
  override readonly name = "ContentError";
}

export interface ApiFailure {
  status: number;
  /** The stable name of the error, such as `NotFound`. */
  kind: string;
  message: string;
  /** Found again in the service's logs. */
  id?: string | undefined;
  retryAfterS?: number | undefined;
}

/** The service answered that it does not do this. */
export class ApiError extends PosternError {
  override readonly name: string = "ApiError";
  readonly status: number;
  /** The stable name of the error, such as `NotFound`. */
  readonly kind: string;
  /** Found again in the service's logs. */
  readonly id: string | undefined;
  /** In how many seconds to ask again, where the service says so. */
  readonly retryAfterS: number | undefined;

  constructor({ status, kind, message, id, retryAfterS }: ApiFailure) {
    super(message);
    this.status = status;
    this.kind = kind;
    this.id = id;
    this.retryAfterS = retryAfterS;
  }
}

/** The request is not as it should be; the message names the member (400, 413, 415, 422). */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}

/** No credentials, or wrong or expired ones (401; 403 for a token that is unknown). */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** These credentials do not allow it (403): a scope is missing, or a quota is used up; `kind` says which. */
export class ForbiddenError extends ApiError {
  override readonly name = "ForbiddenError";
}

/** It is missing, or somebody else's (404). */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** In conflict with what is there (409). */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** Too many requests (429). */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError";
}

/** The service cannot do it right now (5xx). */
export class UnavailableError extends ApiError {
  override readonly name = "UnavailableError";
}

/** The error of a status, as the class that says what it is. */
export function apiError(failure: ApiFailure): ApiError {
  const { status, kind } = failure;
  if (status === 401 || kind === "TokenNotFound") return new AuthenticationError(failure);
  if (status === 403) return new ForbiddenError(failure);
  if (status === 404) return new NotFoundError(failure);
  if (status === 409) return new ConflictError(failure);
  if (status === 429) return new RateLimitedError(failure);
  if (status >= 500) return new UnavailableError(failure);
  return [400, 413, 415, 422].includes(status) ? new InvalidRequestError(failure) : new ApiError(failure);
}
