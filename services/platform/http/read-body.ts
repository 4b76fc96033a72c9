import type { IncomingMessage } from "node:http";
import { createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { Refusal, ServiceError } from "../errors.ts";
import { connectionLost } from "../net/connection-lost.ts";

/** The content codings that bodies may come in (RFC 9110 section 8.4.1), besides none. */
export const contentCodings = ["gzip", "deflate"] as const;

/** Told of the bytes that come to be in memory, before they are kept: what it throws ends the reading. */
type Count = (bytes: number) => void;

/**
 * Reads a body of any content type, and undoes its content coding.
 * @param count told of each piece, and of what inflating adds
 * @throws Refusal BodyTooLarge as soon as more than `limitBytes` have come, or would come of inflating it;
 * UnsupportedMediaType for another coding than gzip and deflate; MalformedRequest for what is not in the coding that it names.
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  count: Count = () => undefined,
): Promise<Buffer> {
  const coding = codingOf(request);
  if (coding === undefined)
    throw new Refusal("UnsupportedMediaType", {
      public: `The request body may be coded with ${contentCodings.join(" or ")}, or not at all.`,
    });
  const body = await readRawBody(request, limitBytes, count);
  return coding === "" ? body : inflated(body, coding, limitBytes, count);
}

/** Pieces that are joined at a time: each, however short, takes some hundred octets of memory besides. */
const piecesAtOnce = 256;

/**
 * Reads a body as it comes.
 * @throws Refusal BodyTooLarge as soon as more than `limitBytes` have come
 */
async function readRawBody(request: IncomingMessage, limitBytes: number, count: Count): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  // Its client hung up before anything was read: no event will tell.
  if (request.destroyed) throw notWhole(connectionLost());
  const joined: Buffer[] = [];
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  await new Promise<void>((resolve, reject) => {
    const keep = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      count(chunk.length);
      pieces.push(chunk);
      if (pieces.length === piecesAtOnce) joined.push(Buffer.concat(pieces.splice(0)));
    };
    const read = (chunk: Buffer) => {
      try {
        keep(chunk);
      } catch (error) {
        // The rest of the body is ignored, and what was read is released.
        request.off("data", read);
        joined.length = 0;
        pieces.length = 0;
        reject(error);
      }
    };
    // Not by iteration: leaving that early would destroy the connection before the refusal is heard.
    request.on("data", read);
    request
      .once("end", resolve)
      .once("error", (cause) => reject(notWhole(cause)))
      // It comes after the end as well.
      .once("close", () => request.readableEnded || reject(notWhole(connectionLost())));
  });
  return Buffer.concat([...joined, ...pieces]);
}

/**
 * Reads a body, and undoes its content coding where it can be undone; otherwise it stays as it came.
 * @param count told of each piece, and of what inflating adds
 * @throws Refusal BodyTooLarge as soon as more than `limitBytes` have come, or have come of inflating it
 */
export async function readAnyBody(request: IncomingMessage, limitBytes: number, count: Count): Promise<Buffer> {
  const body = await readRawBody(request, limitBytes, count);
  const coding = codingOf(request) ?? "";
  if (coding === "" || body.length === 0) return body;
  try {
    return await inflated(body, coding, limitBytes, count);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "MalformedRequest") return body;
    throw error;
  }
}

/** @throws Refusal BodyTooLarge as soon as more than `limitBytes` have come of it; MalformedRequest */
async function inflated(body: Buffer, coding: string, limitBytes: number, count: Count): Promise<Buffer> {
  const decoder = coding === "gzip" ? createGunzip() : isZlib(body) ? createInflate() : createInflateRaw();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of decoder.end(body)) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      // The coded body was counted, and goes.
      if (sizeBytes > body.length) count(Math.min(chunk.length, sizeBytes - body.length));
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new Refusal("MalformedRequest", { public: `The request body is not ${coding}.`, cause });
  }
  return Buffer.concat(chunks);
}

/** "" where there is none; undefined for one that is not taken. */
function codingOf({ headers }: IncomingMessage): string | undefined {
  const coding = (headers["content-encoding"] ?? "")
    .trim()
    .toLowerCase()
    .replace(/^x-(?=gzip$)|^identity$/, "");
  return coding === "" || contentCodings.some((known) => known === coding) ? coding : undefined;
}

/** `deflate` is the zlib format (RFC 1950 section 2.2); some clients send the bare one (RFC 9110 section 8.4.1.2). */
function isZlib([method = 0, flags = 0]: Buffer): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

/** A limit in KiB or MiB, as a person reads it. */
export function formatBytes(limitBytes: number): string {
  return limitBytes < 1024 * 1024 ? `${limitBytes / 1024} KiB` : `${limitBytes / 1024 / 1024} MiB`;
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("BodyTooLarge", { public: `The request body is larger than ${formatBytes(limitBytes)}.` });
}

function notWhole(cause: Error): Refusal {
  return new Refusal("MalformedRequest", { public: "The request body is not whole.", cause });
}
