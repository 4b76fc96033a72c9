import { type Logger as PinoLogger, pino } from "pino";
import { ConfigurationError, isOutageAlone, outageText } from "../errors.ts";
import { currentTrace } from "./spans.ts";

export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "fatal"> & {
  child(bindings: Record<string, unknown>): Logger;
};

interface LogSettings {
  LOG_LEVEL: string;
  LOG_FORMAT: "auto" | "json" | "text";
}

/** Header and member names whose values are secrets wherever they appear in what is logged. */
const secretNames = ["token", "password", "authorization", "secret"];
const censor = "[secret]";

let observer: ((line: string) => void) | undefined;

/** Where telemetry hooks in: it is given every line of JSON, within the trace that it is written in. */
export function observeLines(next: ((line: string) => void) | undefined): void {
  observer = next;
}

/**
 * The process's logger: one JSON object a line on standard output, with the trace that it belongs to.
 * Never given a message's content, and secrets are struck out by name as a second line of defence.
 */
export function createLogger(settings: LogSettings): Logger {
  const options = {
    level: settings.LOG_LEVEL,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withoutNestedSecrets },
    serializers: { err: serializeError },
    redact: { paths: secretNames, censor },
    mixin: () => currentTrace() ?? {},
  };
  const isText = settings.LOG_FORMAT === "text" || (settings.LOG_FORMAT === "auto" && process.stdout.isTTY);
  // Lines that come while one is being written leave together; what is still held is written when the process exits.
  const output = isText ? process.stdout : pino.destination({ sync: false });
  return pino(options, {
    write(line: string) {
      output.write(isText ? asText(line) : line);
      observer?.(line);
    },
  });
}

/** What its operator can mend in a line, since every process may tell of it, and an outage is waited out: of a bug, also where it is. */
function serializeError(error: Error): object {
  if (error instanceof ConfigurationError) return { type: error.name, message: error.faults.join("; ") };
  if (!isOutageAlone(error)) return pino.stdSerializers.err(error);
  return { type: "Outage", message: outageText(error) };
}

/**
 * Strikes secrets out of the objects that are logged, one level down. Pino's own paths with a wildcard copy all of every line, which took
 * more than the rest of its work.
 */
function withoutNestedSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  let struck: Record<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== "object" || value === null) continue;
    const secrets = secretNames.filter((secret) => secret in value);
    if (secrets.length > 0) struck = { ...(struck ?? fields), [name]: withoutSecrets(value, secrets) };
  }
  return struck ?? fields;
}

/** Inherits all else, so that an error is still one to its serializer. */
function withoutSecrets(value: object, names: readonly string[]): object {
  const isError = value instanceof Error;
  const copy = isError ? Object.assign(Object.create(value), { stack: value.stack }) : { ...value };
  for (const name of names) Object.defineProperty(copy, name, { value: censor, enumerable: true });
  return copy;
}

/** A line of JSON as a person reads it: time, level, service, message, the rest, and the trace that leads to what else was done. */
function asText(line: string): string {
  const { time, level, service, msg, err, traceId, spanId: _span, ...rest } = JSON.parse(line);
  const extras = Object.entries({ ...rest, ...(traceId ? { traceId } : {}) }).map(
    ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const outage = err?.message && !err.stack ? `: ${err.message}` : "";
  const stack = err?.stack ? `\n${err.stack}` : "";
  return `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${service ?? "postern"}: ${msg}${outage}${extras.join("")}${stack}\n`;
}
