import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { messageOf } from "../errors.ts";
import type { Logger } from "./logger.ts";

type Export = SpanExporter["export"];

/**
 * Exports spans, and redacts every attribute with an @ in it. Our own code puts no address into a span; this is the second
 * line of defence, against what libraries put there. The first failure of a row is logged, and the recovery.
 */
export class RedactingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #logger: Logger;
  #isFailing = false;

  constructor(exporter: SpanExporter, logger: Logger) {
    this.#exporter = exporter;
    this.#logger = logger;
  }

  export(spans: Parameters<Export>[0], done: Parameters<Export>[1]): void {
    for (const span of spans) redact(span);
    this.#exporter.export(spans, (result) => {
      this.#note(result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  #note(error: Error | undefined): void {
    if (error && !this.#isFailing) this.#logger.warn({ err: error }, `cannot export traces: ${messageOf(error)}`);
    if (!error && this.#isFailing) this.#logger.info("traces are exported again");
    this.#isFailing = error !== undefined;
  }
}

function redact({ attributes }: ReadableSpan): void {
  for (const [name, value] of Object.entries(attributes))
    if (String(value).includes("@")) attributes[name] = "[redacted]";
}
