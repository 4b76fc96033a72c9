import type { Readable } from "node:stream";
import { Batcher } from "../concurrency/batcher.ts";

/** Up to this a stream shares a request with others of the same moment: the request costs more than its bytes. */
export const smallBytes = 64 * 1024;
/** With what it takes to ask for them, well below the 16 KiB of a request's headers. */
const togetherLimit = 16;
const requestsAtOnce = 4;

/** The bytes of one of several streams in an answer; null for one that has to be asked for by itself. */
type SmallStream = Buffer | null;

/** One of several streams in a request, with the trace that it belongs to. */
export interface AskedStream {
  readonly input: unknown;
  readonly trace: Readonly<Record<string, string>>;
}

/** Streams that are asked for in one turn of the event loop, in one request. Null is the answer to whoever asks alone. */
export function batchStreamRequests(
  name: string,
  ask: (streams: readonly AskedStream[]) => Promise<Buffer>,
): Batcher<AskedStream, SmallStream> {
  return new Batcher({
    name,
    slots: requestsAtOnce,
    maxItems: togetherLimit,
    onFailure: "isolate",
    run: async (streams) => {
      const none = streams.map(() => null);
      // Whatever went wrong, each hears of it by itself; so does who asks a release that does not know of this.
      return streams.length === 1 ? none : ask(streams).then(decodeSmallStreams, () => none);
    },
  });
}

/** The lengths as JSON in a line, then the bytes. */
export function encodeSmallStreams(streams: readonly SmallStream[]): Buffer {
  const lengths = streams.map((bytes) => bytes?.length ?? null);
  return Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...streams.flatMap((bytes) => bytes ?? [])]);
}

function decodeSmallStreams(answer: Buffer): SmallStream[] {
  const headBytes = answer.indexOf("\n") + 1;
  const lengths = JSON.parse(answer.toString("latin1", 0, headBytes)) as (number | null)[];
  let end = headBytes;
  return lengths.map((length) => {
    if (length === null) return null;
    end += length;
    return answer.subarray(end - length, end);
  });
}

/** Null for what is not small, or cannot be read. */
export async function readSmallStream(open: () => Promise<Readable>): Promise<SmallStream> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of await open()) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > smallBytes) return null;
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } catch {
    return null;
  }
}
