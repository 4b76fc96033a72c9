import type { tracing } from "@opentelemetry/sdk-node";

const address = /[^\s<>"'/]+@[^\s<>"']+/g;

/** The same text without what looks like an address. */
export const withoutAddresses = (text: string): string => text.replaceAll(address, "[redacted]");

/** Attributes of Apollo's gateway that have other names in OpenTelemetry's conventions, or none. */
const renamed: Readonly<Record<string, string>> = {
  operationName: "graphql.operation.name",
  service: "postern.service",
};

/**
 * Hands spans on without the attributes that have an @ in them. Our own code puts no address into a span; this is the second
 * line of defence, against what libraries put there.
 */
export class RedactingProcessor implements tracing.SpanProcessor {
  readonly #next: tracing.SpanProcessor;

  constructor(next: tracing.SpanProcessor) {
    this.#next = next;
  }

  onStart(...begun: Parameters<tracing.SpanProcessor["onStart"]>): void {
    this.#next.onStart(...begun);
  }

  onEnd(span: tracing.ReadableSpan): void {
    for (const { attributes = {} } of [span, ...span.events])
      for (const [name, value] of Object.entries(attributes)) {
        if (name in renamed) delete attributes[name];
        attributes[renamed[name] ?? name] = String(value).includes("@") ? "[redacted]" : value;
      }
    this.#next.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }
}
