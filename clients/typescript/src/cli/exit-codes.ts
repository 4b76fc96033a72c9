import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  ContentError,
  ForbiddenError,
  NoEmailError,
  UnavailableError,
} from "../errors.ts";

/** Wrong arguments, or a setting that is absent. */
export class UsageError extends Error {}

export const exitCodes = { done: 0, failed: 1, usage: 2, nothingCame: 3, notAllowed: 4, unreachable: 5 } as const;

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof NoEmailError || error instanceof ContentError) return exitCodes.nothingCame;
  if (error instanceof AuthenticationError || error instanceof ForbiddenError) return exitCodes.notAllowed;
  if (error instanceof ConnectionError || error instanceof UnavailableError) return exitCodes.unreachable;
  return exitCodes.failed;
}

/** One line for a person, with what the service's logs know it by. */
export function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ApiError && error.id
    ? `${error.message} (${error.kind}, reference ${error.id})`
    : error.message;
}
