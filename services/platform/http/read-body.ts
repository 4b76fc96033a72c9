import type { IncomingMessage } from "node:http";
import { Refusal } from "../errors.ts";

const wentAway = () =>
  new Refusal("MalformedRequest", { public: "The request body is not whole.", operator: "the client went away" });

/**
 * Reads a body, whatever its content type says it is.
 * @throws Refusal BodyTooLarge as soon as more than `limitBytes` have come.
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new Refusal("BodyTooLarge", { public: `The request body is larger than ${limitBytes / 1024 / 1024} MiB.` });
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  await new Promise<void>((resolve, reject) => {
    // Not by iteration: leaving that early would destroy the connection before the refusal is heard.
    request.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= limitBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request
      .once("end", resolve)
      .once("error", reject)
      // It comes after the end as well.
      .once("close", () => request.readableEnded || reject(wentAway()));
  });
  return Buffer.concat(chunks);
}
