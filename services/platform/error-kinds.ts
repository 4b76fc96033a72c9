/**
 * Every kind of error that one service tells another, with its HTTP status.
 * Programs match on the kind: it never changes its name.
 */
export const errorStatuses = {
  // What was sent is not well formed, or well formed and wrong
  MalformedRequest: 400,
  RequestTimeout: 408,
  BodyTooLarge: 413,
  UnsupportedMediaType: 415,
  ExpectationFailed: 417,
  ValidationFailed: 422,
  HeadersTooLarge: 431,
  // Who is asking
  CredentialsMissing: 401,
  WrongUserOrPassword: 401,
  WrongPasskey: 401,
  BearerTokenInvalid: 401,
  TokenNotFound: 403,
  SecondFactorRequired: 403,
  WrongSecondFactor: 403,
  WrongPassword: 403,
  FreshProofRequired: 403,
  SecondFactorNotEnabled: 409,
  AccountDisabled: 403,
  Forbidden: 403,
  ScopeMissing: 403,
  // What is asked for
  NotFound: 404,
  MethodNotAllowed: 405,
  NotBrowsable: 403,
  SendingNotAllowed: 403,
  QuotaExceeded: 403,
  AddressTaken: 409,
  Conflict: 409,
  Gone: 410,
  AnswerTooLarge: 422,
  RateLimited: 429,
  // Faults of the service itself
  Internal: 500,
  Unavailable: 503,
} as const;

export type ErrorKind = keyof typeof errorStatuses;

/** The kinds that say what is wrong with a request, rather than with the service. */
export type RefusalKind = Exclude<ErrorKind, "Internal" | "Unavailable">;

/** Whether a string from the wire names a kind of refusal that this release knows. */
export function isRefusalKind(value: unknown): value is RefusalKind {
  return (
    typeof value === "string" && Object.hasOwn(errorStatuses, value) && value !== "Internal" && value !== "Unavailable"
  );
}
