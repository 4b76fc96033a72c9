import type { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { DotUnstuffing } from "./dot-unstuffing.ts";

/**
 * Has smtp-server's parser read DATA by DotUnstuffing. Its own way hands on each line that begins with a dot by itself, in a turn of the
 * event loop of its own: 4 MB of such lines took 15 s of CPU, and all other mail waited.
 */
export function readDataAtOnce(parser: SMTPStream): SMTPStream {
  let stream: SMTPStream["_dataStream"] = null;
  let unstuffing = new DotUnstuffing();
  parser._feedDataStream = (chunk, done) => {
    if (stream !== parser._dataStream) {
      stream = parser._dataStream;
      unstuffing = new DotUnstuffing();
    }
    const { content, rest } = unstuffing.push(chunk);
    parser._countDataBytes(content.length);
    if (rest) parser._endDataMode(content, rest, done);
    else if (!stream?.writable || content.length === 0 || stream.write(content) || stream.destroyed) done();
    else onceReady(stream, done);
  };
  return parser;
}

/** A stream that is destroyed never drains, it only closes. */
function onceReady(stream: NonNullable<SMTPStream["_dataStream"]>, done: () => void): void {
  const onReady = () => {
    stream.off("drain", onReady).off("close", onReady);
    done();
  };
  stream.once("drain", onReady).once("close", onReady);
}
