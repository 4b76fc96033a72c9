import { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { posternEndpoint } from "./endpoint.ts";

const maxEvents = 1_000;

/** For programs that would rather ask than be called. */
export const readEvents = posternEndpoint({
  name: "readEvents",
  summary: "Read what happened since a former event, a line of JSON each",
  description:
    "email.arrived, delivery.settled, delivery.bounced, address.made and address.removed, as {cursor, id, kind, at, bindingId, emailId, address, outcome}. Ask again with the last line's cursor; without one from the oldest event that is kept. Each comes at least once, none is passed over. Kept for 7 days, 20,000 of an account; 410 where events after the cursor are gone.",
  method: "GET",
  path: "/events",
  scope: "mail:read",
  query: {
    after: { schema: z.string(), description: "The cursor of the last event that was read", field: "after" },
    limit: { schema: z.int().min(1).max(maxEvents), description: `Events at most; ${maxEvents} if absent` },
  },
  responses: { 200: "application/x-ndjson" },
  refusals: [410],
  async handle({ services, caller, query, response }) {
    const after = query.get("after") ?? undefined;
    const events = await services.mailbox.events({
      ownerId: caller.accountId,
      after,
      first: limitOf(query.get("limit")),
    });
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    response.writeHead(200, { "content-type": "application/x-ndjson", "content-length": Buffer.byteLength(lines) });
    response.end(lines);
    return undefined;
  },
});

/** @throws Refusal ValidationFailed */
function limitOf(limit: string | null): number {
  if (limit === null) return maxEvents;
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > maxEvents)
    throw new Refusal("ValidationFailed", { public: `limit: must be from 1 to ${maxEvents}.` });
  return Number(limit);
}
