import { SpanKind, trace } from "@opentelemetry/api";
import type { DatabaseCall, DatabaseObserver } from "../db/observe.ts";
import { withSpan } from "./spans.ts";

const tablePattern = /\b(?:from|into|update)\s+([a-z_]+)/i;

/**
 * Statements and transactions as spans of the work that they belong to; what polls for work belongs to none, and what a
 * BEGIN takes is seen as it is. A statement is identified by its name, or by its verb and table: never by its text.
 */
export const observeStatements: DatabaseObserver = (call, run) => {
  if (!trace.getActiveSpan()?.isRecording() || call.sql?.startsWith("begin")) return run();
  const name = nameOf(call);
  const attributes = { "db.system.name": "postgresql", "db.namespace": call.schema, "db.query.summary": name };
  return withSpan(`${call.schema} ${name}`, { kind: SpanKind.CLIENT, attributes }, run);
};

function nameOf({ operation, name, sql = "" }: DatabaseCall): string {
  if (operation === "tx") return name ? `transaction ${name}` : "transaction";
  if (name) return name;
  const [verb = ""] = sql.trimStart().split(/\s/, 1);
  return `${verb} ${tablePattern.exec(sql)?.[1] ?? ""}`.trim().toLowerCase();
}
