import { type Logger as PinoLogger, pino } from "pino";
import { currentTrace } from "./spans.ts";

export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "fatal"> & {
  child(bindings: Record<string, unknown>): Logger;
};

interface LogSettings {
  LOG_LEVEL: string;
  LOG_FORMAT: "auto" | "json" | "text";
}

/** Header and member names whose values are secrets wherever they appear in what is logged. */
const secretPaths = [
  "token",
  "password",
  "authorization",
  "secret",
  "*.token",
  "*.password",
  "*.authorization",
  "*.secret",
];

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
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths, censor: "[secret]" },
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

/** A line of JSON as a person reads it: time, level, service, message, the rest. */
function asText(line: string): string {
  const { time, level, service, msg, err, traceId: _trace, spanId: _span, ...rest } = JSON.parse(line);
  const extras = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const stack = err?.stack ? `\n${err.stack}` : "";
  return `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${service ?? "postern"}: ${msg}${extras.join("")}${stack}\n`;
}
