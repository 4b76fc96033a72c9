import type { Socket } from "node:net";
import type { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { DotUnstuffing } from "./dot-unstuffing.ts";

/** What is read and handed on costs by the piece: a shorter one costs more than its octets. */
const shortBytes = 2_048;
/** So many short pieces in a row are passed on at once: most messages have no more. */
const promptPieces = 16;
const gatherMs = 5;

/**
 * Has smtp-server's parser read DATA by DotUnstuffing. Its own way hands on each line that begins with a dot by itself, in a turn of the
 * event loop of its own: 4 MB of such lines took 15 s of CPU, and all other mail waited. What comes in many short pieces is gathered, by the
 * system while its socket is not read: who sends line by line made a message cost four times as much as its octets do.
 */
export function readDataAtOnce(parser: SMTPStream, socket: () => Pick<Socket, "pause" | "resume">): SMTPStream {
  let stream: SMTPStream["_dataStream"] = null;
  let unstuffing = new DotUnstuffing();
  let shortPieces = 0;
  const gather = (next: () => void) => {
    const paused = socket();
    paused.pause();
    setTimeout(() => {
      paused.resume();
      // In a later turn: what the socket holds comes in pieces, of TLS a record each, and is to be one.
      setImmediate(next);
    }, gatherMs);
  };
  // What has come while the parser was busy, up to its high-water mark.
  parser._writev = (pieces, done) =>
    parser._write(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), "buffer", done);
  parser._feedDataStream = (chunk, next) => {
    if (stream !== parser._dataStream) {
      stream = parser._dataStream;
      unstuffing = new DotUnstuffing();
      shortPieces = 0;
    }
    shortPieces = chunk.length < shortBytes ? shortPieces + 1 : 0;
    const done = shortPieces > promptPieces ? () => gather(next) : next;
    const { content, rest } = unstuffing.push(chunk);
    parser._countDataBytes(content.length);
    if (rest) parser._endDataMode(content, rest, next);
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
