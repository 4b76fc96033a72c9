import { types } from "node:util";
import { type ErrorKind, errorStatuses, type RefusalKind } from "./error-kinds.ts";
import { newId } from "./ids.ts";

export type { ErrorKind, RefusalKind } from "./error-kinds.ts";

interface ErrorDetail {
  /** One sentence for the caller; never somebody else's address, a path or a query. */
  public: string;
  /** The field of the contract's input that is wrong, such as `realAddresses[1]`; `public` then says what is wrong with it. */
  field?: string | undefined;
  /** Further detail, for the log alone. */
  operator?: string;
  /** After how many seconds a retry makes sense. */
  retryAfterS?: number;
  /** The service that raised it; filled in by its router when it leaves the service. */
  service?: string;
  /** The id that logs and traces have it under; made up when absent. */
  id?: string;
  cause?: unknown;
}

/**
 * An error that crosses service boundaries as it is, with one message for the caller and one for the operator. It is one of
 * three: a Refusal (the request cannot be met), an Outage (a dependency is down) or an InternalError (a bug).
 */
export abstract class ServiceError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly publicMessage: string;
  /** The field of the contract's input that is wrong, and what is wrong with it: REST and the graph each name it as their callers do. */
  readonly fieldFault: { readonly field: string; readonly fault: string } | undefined;
  readonly operatorMessage: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly id: string;
  service: string | undefined;

  constructor(kind: ErrorKind, detail: ErrorDetail) {
    const message = detail.field === undefined ? detail.public : `${detail.field}: ${detail.public}`;
    super(detail.operator ? `${message} (${detail.operator})` : message, { cause: detail.cause });
    this.name = kind;
    this.kind = kind;
    this.status = errorStatuses[kind];
    this.publicMessage = message;
    this.fieldFault = detail.field === undefined ? undefined : { field: detail.field, fault: detail.public };
    this.operatorMessage = detail.operator;
    this.retryAfterS = detail.retryAfterS;
    this.service = detail.service;
    this.id = detail.id ?? newId();
  }
}

/** The request was understood and cannot be met; asking again in the same way gives the same answer. Status 4xx. */
export class Refusal extends ServiceError {
  declare readonly kind: RefusalKind;

  constructor(kind: RefusalKind, detail: ErrorDetail) {
    super(kind, detail);
  }
}

interface OutageDetail extends Partial<ErrorDetail> {
  /** The database's own code where it gave one (SQLSTATE). */
  sqlState?: string;
}

/**
 * A dependency cannot be reached, or cannot do its work now. Never reported as "not found" and never counted as a failed
 * attempt: the caller answers 503 or 451, or tries again.
 */
export class Outage extends ServiceError {
  /** The dependency: "database", "broker", "bindings" … */
  readonly what: string;
  readonly sqlState: string | undefined;

  constructor(what: string, detail: OutageDetail = {}) {
    super("Unavailable", {
      ...detail,
      public: detail.public ?? "The service cannot do this right now; please try again shortly.",
      operator: detail.operator ?? `${what} is out of reach${detail.cause ? `: ${messageOf(detail.cause)}` : ""}`,
      retryAfterS: detail.retryAfterS ?? 5,
    });
    this.what = what;
    this.sqlState = detail.sqlState;
  }
}

/** What JavaScript itself throws: a bug of ours, whatever it came wrapped in. */
const bugNames: ReadonlySet<string> = new Set([
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
]);

/** Whether an error is an outage and nothing else, of which the place in our code says nothing. */
export function isOutageAlone(error: unknown): error is Outage {
  return error instanceof Outage && !bugNames.has(rootOf(error).name);
}

/** Everything that is known of an outage, in a line: what is out of reach, then its causes unless they stand there already. */
export function outageText(outage: Outage): string {
  let text = outage.operatorMessage ?? outage.message;
  for (let { cause } = outage as Error; types.isNativeError(cause); cause = cause.cause) {
    const message = messageOf(cause);
    if (!text.includes(message)) text += `: ${message}`;
  }
  return text.replaceAll(/\s*\n\s*/g, " ");
}

function rootOf(error: Error): Error {
  return types.isNativeError(error.cause) ? rootOf(error.cause) : error;
}

/** What the log is told of an error that was answered: the outage with what it knows of its cause, or where the bug is. */
export function faultOf(refusal: ServiceError): unknown {
  return isOutageAlone(refusal) ? refusal : (refusal.cause ?? refusal);
}

/** A bug: an error that the service itself did not expect. */
export class InternalError extends ServiceError {
  constructor(detail: Partial<ErrorDetail>) {
    super("Internal", { ...detail, public: detail.public ?? "Something went wrong on our side." });
  }
}

/** What was thrown, as a ServiceError; anything that is none is a bug. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new InternalError({ operator: messageOf(error), cause: error });
}

/** sysexits.h EX_CONFIG: how a process ends whose configuration is wrong. */
export const exitConfiguration = 78;

/** The environment is not valid: all faults at once. The process exits with 78 (EX_CONFIG of sysexits.h). */
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

/** What cannot be kept under DATA_DIR is mostly a folder that is somebody else's, or none at all. */
export function unusableDataDir(cause: unknown): ConfigurationError {
  return Object.assign(new ConfigurationError([`DATA_DIR: cannot be used: ${messageOf(cause)}`]), { cause });
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && !thrown.message) return thrown.errors.map(messageOf).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of an error of Node's or of a library, such as ECONNREFUSED; "" where it has none. */
export function errorCode(thrown: unknown): string {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : "";
}

/** What was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** A field of the contract's input that is wrong. @param fault what is wrong with it, to follow the field's name */
export function invalidField(field: string, fault: string): Refusal {
  return new Refusal("ValidationFailed", { field, public: fault });
}
