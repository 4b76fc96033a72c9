import type { ContentLimits } from "../limits.ts";
import { type CompleteBodies, completeBodies } from "../payload/bodies.ts";
import { buildPayload, type PayloadSource } from "../payload/payload.ts";
import { payloadJson } from "../payload/payload-json.ts";
import type { Call } from "./tasks.ts";

export interface BodiesTask {
  readonly limits: ContentLimits;
  /** In UTF-8; empty where there is no such body. */
  readonly text: Buffer;
  readonly html: Buffer;
}

export interface PayloadTask extends BodiesTask {
  readonly email: PayloadSource;
}

const pieceCharacters = 256 * 1024;

/** Completes bodies: see completeBodies. */
export async function renderBodies(task: BodiesTask): Promise<CompleteBodies> {
  return completeBodies(decoded(task), task.limits);
}

/** Builds a payload and writes it as JSON, in pieces. @returns whether a text was cut. */
export async function renderPayload(task: PayloadTask, call: Call): Promise<boolean> {
  const { payload, isTruncated } = buildPayload({ ...task.email, ...decoded(task) }, task.limits);
  let gathered = "";
  for (const piece of payloadJson(payload)) {
    gathered += piece;
    if (gathered.length < pieceCharacters) continue;
    await call("write", Buffer.from(gathered));
    gathered = "";
  }
  await call("write", Buffer.from(gathered));
  return isTruncated;
}

function decoded({ text, html }: BodiesTask): { text: string; html: string } {
  return { text: text.toString(), html: html.toString() };
}
