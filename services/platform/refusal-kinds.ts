/**
 * Every kind of refusal, with the HTTP status that says it (interface decisions, "Errors").
 * The kind is what programs match on: it never changes its name.
 */
export const refusalStatuses = {
  // What was sent is not well formed, or well formed and wrong
  MalformedRequest: 400,
  RequestTimeout: 408,
  BodyTooLarge: 413,
  UnsupportedMediaType: 415,
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
  // What is asked for
  NotFound: 404,
  MethodNotAllowed: 405,
  NotBrowsable: 403,
  QuotaExceeded: 403,
  AddressTaken: 409,
  Conflict: 409,
  Gone: 410,
  RateLimited: 429,
  // Us
  Internal: 500,
  Unavailable: 503,
} as const;

export type RefusalKind = keyof typeof refusalStatuses;

/** Whether a string that came over a wire names a kind that we know. */
export function isRefusalKind(value: unknown): value is RefusalKind {
  return typeof value === "string" && Object.hasOwn(refusalStatuses, value);
}
