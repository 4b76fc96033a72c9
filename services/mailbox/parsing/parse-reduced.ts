import { once } from "node:events";
import { Readable } from "node:stream";
import { readBeginning } from "../../platform/buffers.ts";
import type { ContentLimits } from "../limits.ts";
import { type ParsedContent, parseContent } from "./parse-content.ts";

/**
 * Parses the beginning of a message alone: its headers, and the first part of text in it. What it costs does not go with the
 * size of the message.
 */
export async function parseReduced(source: Readable, limits: ContentLimits): Promise<ParsedContent<never>> {
  const beginning = Readable.from([await readBeginning(source, limits.reducedBytes)], { objectMode: false });
  const leaveOut = async (bytes: Readable): Promise<never> => {
    await once(bytes.resume(), "end");
    return undefined as never;
  };
  const content = await parseContent(beginning, leaveOut, new AbortController().signal, limits);
  return { ...content, attachments: [], html: content.text === null ? content.html : null, isTruncated: true };
}
