import type { Release } from "../../platform/concurrency/byte-budget.ts";
import type { AttemptResult } from "../../platform/jobs/attempt-result-writer.ts";
import type { Exchange } from "./exchange.ts";

/** What a URL is told, as a worker needs it. */
export interface Call {
  /** The webhook's id, the same at every attempt: of the email, or of the account event. */
  id: string;
  ownerId: string;
  /** "" where there is none any more. */
  url: string;
  /** When what it tells of came in. */
  receivedAt: Date;
  /** The URL's host and port. */
  host: string;
  /** The trace that it belongs to. */
  trace: Readonly<Record<string, string>>;
  /** Attempts that failed so far. */
  attemptCount: number;
  isOwnerDisabled: boolean;
}

/** A body in the pieces that it came in: a long one is in memory once. */
export type BodyPieces = readonly Buffer[];

/** A body, held in memory until it is released. */
export interface HeldBody {
  readonly pieces: BodyPieces;
  readonly release: Release;
}

/** By how much of itself a wait of the retry schedule may be longer or shorter. */
export const retryJitter = 0.2;

/** An attempt as it is kept and shown. */
export interface CallAttempt {
  /** ISO 8601, UTC. */
  at: string;
  /** The HTTP status; null when there was no response. */
  status: number | null;
  durationMs: number;
  /** One sentence; null when the target took it. */
  failure: string | null;
  /** What was asked and answered, where a request was made. */
  exchange?: Exchange | undefined;
}

/** How an attempt at a call ended, or a claim that led to none. */
export interface CallResult extends AttemptResult<"delivered" | "given_up" | "cancelled", CallAttempt> {
  /** The target's response (a status line) or what failed before there was one. */
  response: string;
  /** The target answered 410: no more callbacks are sent to it. */
  isTargetGone: boolean;
}

/** What calls are counted by: the URL's host and port; "" for what is no URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
