/** One statement or transaction as telemetry sees it. Parameters are never part of it. */
export interface DatabaseCall {
  operation: "query" | "tx";
  schema: string;
  /** The statement's or transaction's name, where it has one. */
  name: string | undefined;
  /** The statement's text; undefined for a whole transaction. */
  sql: string | undefined;
}

/** Runs the call, and looks at how long it took and how it ended. Must give back what `run` gives. */
export type DatabaseObserver = <T>(call: DatabaseCall, run: () => Promise<T>) => Promise<T>;

const unobserved: DatabaseObserver = (_call, run) => run();
let observer = unobserved;

/** The one place where telemetry hooks in: spans and metrics of everything that goes to any database. */
export function observeDatabases(next: DatabaseObserver | undefined): void {
  observer = next ?? unobserved;
}

export function observed<T>(call: DatabaseCall, run: () => Promise<T>): Promise<T> {
  return observer(call, run);
}
