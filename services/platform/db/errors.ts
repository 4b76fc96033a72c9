import { types } from "node:util";
import pg from "pg";
import { Outage } from "../errors.ts";

/** The server understood and refused the statement: a constraint, a deadlock, or a fault in the statement. */
export class DatabaseError extends Error {
  /** SQLSTATE (PostgreSQL, appendix A). */
  readonly sqlState: string;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;

  constructor(sqlState: string, cause: pg.DatabaseError) {
    super(cause.message, { cause });
    this.name = "DatabaseError";
    this.sqlState = sqlState;
    this.constraint = cause.constraint;
    this.table = cause.table;
    this.column = cause.column;
  }
}

/** Deadlock, serialization failure or lock timeout: the same transaction may pass when run again. */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseError && ["40001", "40P01", "55P03"].includes(error.sqlState);
}

/** A statement of the same transaction had failed before: that one's error is what went wrong. */
export function isAfterFailure(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === "25P02";
}

/** The server cancelled a statement that ran too long: it may be overloaded, or the statement more than it can do. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Outage && error.sqlState === "57014";
}

/** Unique violation, of one constraint or index if it is named. */
export function isUniqueViolation(error: unknown, constraint?: string): error is DatabaseError {
  return (
    error instanceof DatabaseError &&
    error.sqlState === "23505" &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** The role may not do it, or its schema is not there for it. */
export function isForbidden(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && ["42501", "3F000"].includes(error.sqlState);
}

/** A value in the statement was none of its type, or out of its range (class 22). */
export function isDataException(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState.startsWith("22");
}

/**
 * SQLSTATEs that are the server's state, not the statement's fault: connection exceptions (08), refused logins (28),
 * missing database (3D), resources such as disk and connections (53), operator intervention and timeouts (57, 25P03),
 * system errors (58), and a server that is read-only (25006), as a standby is.
 */
const outageStates = /^(08...|28...|3D...|53...|57...|58...|25006|25P0[34])$/;

/** OpenSSL's and Node's names of what is wrong with a server's certificate, or with its TLS. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_|ERROR_IN_)/;

/** What pg and pg-pool say, with neither code nor class, when a connection could not be had or was lost. */
const outageMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|The server does not support SSL connections|There was an error establishing an SSL connection|timeout expired|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/;

/** Turns what the driver threw into Outage or DatabaseError; anything else is a bug and stays as it is. */
export function translateError(error: unknown): unknown {
  // Not instanceof: an error of Node's own is of another realm inside a vm context, as tests are.
  if (!types.isNativeError(error)) return error;
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    return outageStates.test(error.code)
      ? new Outage("database", { cause: error, sqlState: error.code })
      : new DatabaseError(error.code, error);
  }
  // Node's system errors (ECONNREFUSED, ECONNRESET, ENOENT of a socket …) carry the call that failed, or one error per address.
  const isSystemError = "syscall" in error || "errors" in error;
  const isTls = "code" in error && tlsCodes.test(String(error.code));
  return isSystemError || isTls || outageMessages.test(error.message)
    ? new Outage("database", { cause: error })
    : error;
}
