import { newId } from "./ids.ts";
import { type RefusalKind, refusalStatuses } from "./refusal-kinds.ts";

export type { RefusalKind } from "./refusal-kinds.ts";

export interface RefusalDetail {
  /** One sentence for the person who asked; never an address of somebody else, a path or a query. */
  public: string;
  /** The field of the contract's input that is wrong, such as `realAddresses[1]`; `public` then says what is wrong with it. */
  field?: string | undefined;
  /** The rest, for whoever reads the logs. */
  operator?: string;
  /** After how many seconds asking again makes sense. */
  retryAfterS?: number;
  /** The service that raised it; filled in by its router when it leaves the service. */
  service?: string;
  /** Found again in the logs and the trace; made up when absent. */
  id?: string;
  cause?: unknown;
}

/** An answer that the caller must hear: what was asked cannot be done, and why, to both readers. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly status: number;
  readonly publicMessage: string;
  /** The field of the contract's input that is wrong, and what is wrong with it: each front names it as its callers do. */
  readonly fieldFault: { readonly field: string; readonly fault: string } | undefined;
  readonly operatorMessage: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly id: string;
  service: string | undefined;

  constructor(kind: RefusalKind, detail: RefusalDetail) {
    const message = detail.field === undefined ? detail.public : `${detail.field}: ${detail.public}`;
    super(detail.operator ? `${message} (${detail.operator})` : message, { cause: detail.cause });
    this.name = kind;
    this.kind = kind;
    this.status = refusalStatuses[kind];
    this.publicMessage = message;
    this.fieldFault = detail.field === undefined ? undefined : { field: detail.field, fault: detail.public };
    this.operatorMessage = detail.operator;
    this.retryAfterS = detail.retryAfterS;
    this.service = detail.service;
    this.id = detail.id ?? newId();
  }
}

/**
 * A dependency is out of reach. Never reported as "not found", never counted as a failed attempt at
 * poison: whoever meets it answers 503 or 451, or tries again.
 */
export class Outage extends Refusal {
  /** What is out of reach: "database", "broker", "bindings" … */
  readonly what: string;
  /** The database's own code where it gave one (SQLSTATE). */
  readonly sqlState: string | undefined;

  constructor(
    what: string,
    detail: {
      cause?: unknown;
      operator?: string;
      retryAfterS?: number;
      sqlState?: string;
      service?: string;
      id?: string;
    } = {},
  ) {
    super("Unavailable", {
      public: "The service cannot do this right now; please try again shortly.",
      operator: detail.operator ?? `${what} is out of reach${detail.cause ? `: ${messageOf(detail.cause)}` : ""}`,
      retryAfterS: detail.retryAfterS ?? 5,
      cause: detail.cause,
      service: detail.service,
      id: detail.id,
    });
    this.what = what;
    this.sqlState = detail.sqlState;
  }
}

/** The environment cannot be run with: all faults at once. The process exits with 78 (EX_CONFIG of sysexits.h). */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
    );
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && !thrown.message) return thrown.errors.map(messageOf).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
