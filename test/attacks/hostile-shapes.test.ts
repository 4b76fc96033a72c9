import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { type ContentLimits, contentLimits } from "../../services/mailbox/limits.ts";
import { parseContent } from "../../services/mailbox/parsing/parse-content.ts";
import { htmlToText } from "../../services/mailbox/payload/html-to-text.ts";
import { buildPayload } from "../../services/mailbox/payload/payload.ts";
import { payloadJson } from "../../services/mailbox/payload/payload-json.ts";
import { StepBudget } from "../../services/mailbox/payload/step-budget.ts";
import { hostileShapes } from "./support/hostile-shapes.ts";

// What a message may become is bounded, whatever its shape: counted in octets and steps. What it may cost is for bench/hostile.

const limits: ContentLimits = { ...contentLimits(1), htmlSteps: 20_000 };
const sizeBytes = 700_000;
/** The budget is looked at after this many characters. */
const stepsBetween = 2 * 8_192;

const received = { receivedAt: new Date(0), sender: "a@example.org", recipient: "b@example.org", attachments: [] };

async function discard(bytes: Readable): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += (chunk as Buffer).length;
  return size;
}

test.each(hostileShapes)("$name: what is stored and shown of it stays within the limits", async ({ message }) => {
  const source = Readable.from(message(sizeBytes), { objectMode: false });
  const content = await parseContent(source, discard, AbortSignal.timeout(120_000), limits);
  const headerBytes = content.headers.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value), 0);
  expect(headerBytes).toBeLessThanOrEqual(limits.headerBytes);
  expect(content.text?.length ?? 0).toBeLessThanOrEqual(limits.textBytes);
  expect(content.html?.length ?? 0).toBeLessThanOrEqual(limits.textBytes);
  const bodies = { text: content.text?.toString() ?? null, html: content.html?.toString() ?? null };
  const { payload } = buildPayload({ ...received, headers: content.headers, ...bodies }, limits);
  const json = [...payloadJson(payload)].join("");
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(limits.payloadBytes);
  expect(JSON.parse(json)).toEqual(payload);
  const budget = new StepBudget(limits.htmlSteps);
  htmlToText(bodies.html ?? "", budget);
  expect(budget.spent).toBeLessThanOrEqual(limits.htmlSteps + stepsBetween);
});
