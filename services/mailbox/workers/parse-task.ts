import { Readable } from "node:stream";
import type { ContentLimits } from "../limits.ts";
import { type ParsedContent, parseContent } from "../parsing/parse-content.ts";
import type { Call } from "./tasks.ts";

/** Parses a message in the worker. It calls the service to read the bytes and to store attachments; their `stored` is their number. */
export function parseTask(limits: ContentLimits, call: Call): Promise<ParsedContent<number>> {
  const store = async (bytes: Readable): Promise<number> => {
    await call("beginAttachment", undefined);
    for await (const chunk of bytes) await call("writeAttachment", chunk);
    return (await call("endAttachment", undefined)) as number;
  };
  const source = Readable.from(chunks(call), { objectMode: false });
  // It has no deadline of its own: the service ends the worker.
  return parseContent(source, store, new AbortController().signal, limits);
}

async function* chunks(call: Call): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = (await call("read", undefined)) as Buffer | undefined;
    if (!chunk) return;
    yield chunk;
  }
}
