import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { messageOf } from "../errors.ts";
import type { Logger } from "./logger.ts";

type Export = SpanExporter["export"];

/**
 * Sends spans on, says once when that fails and once when it goes on, and strikes out whatever has an @ in it: no address is
 * put into a span here, and this is the second line of defence against what libraries put there.
 */
export class CarefulExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #logger: Logger;
  #isFailing = false;

  constructor(exporter: SpanExporter, logger: Logger) {
    this.#exporter = exporter;
    this.#logger = logger;
  }

  export(spans: Parameters<Export>[0], done: Parameters<Export>[1]): void {
    for (const span of spans) strike(span);
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
    if (error && !this.#isFailing) this.#logger.warn({ err: error }, `traces are lost: ${messageOf(error)}`);
    if (!error && this.#isFailing) this.#logger.info("traces are taken again");
    this.#isFailing = error !== undefined;
  }
}

function strike({ attributes }: ReadableSpan): void {
  for (const [name, value] of Object.entries(attributes))
    if (String(value).includes("@")) attributes[name] = "[struck out]";
}
