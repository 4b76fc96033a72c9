import { type Logger, SeverityNumber } from "@opentelemetry/api-logs";
import { withoutAddresses } from "./redaction.ts";

const severities: Readonly<Record<string, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

/** Sends lines of the log to a collector as well: what redaction left of them, in the trace that is active as they are written. */
export function lineForwarder(logger: Logger): (line: string) => void {
  return (line) => {
    const { time, level, msg, service, err, traceId: _trace, spanId: _span, ...rest } = JSON.parse(line);
    logger.emit({
      timestamp: new Date(time),
      severityNumber: severities[level] ?? SeverityNumber.UNSPECIFIED,
      severityText: level,
      body: withoutAddresses(String(msg)),
      attributes: {
        ...(service ? { "postern.service": service } : {}),
        ...(err ? exceptionOf(err) : {}),
        ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [`postern.${snake(name)}`, plain(value)])),
      },
    });
  };
}

function exceptionOf({ type, message, stack }: { type?: string; message?: string; stack?: string }) {
  return {
    "exception.type": String(type),
    "exception.message": withoutAddresses(String(message)),
    // An outage has none.
    ...(stack === undefined ? {} : { "exception.stacktrace": withoutAddresses(stack) }),
  };
}

/** emailIds as email_ids, which is how spans name it. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function plain(value: unknown): string | number | boolean {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return withoutAddresses(typeof value === "string" ? value : JSON.stringify(value));
}
