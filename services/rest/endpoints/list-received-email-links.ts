import { z } from "zod";
import { isId } from "../../platform/ids.ts";
import { linkResource } from "../documents/received-email-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { validate } from "../http/validate.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { ReceivedEmailLinksDocument } from "../schemas/received-emails.ts";

/** In decimal digits: a number as the language reads it could be 0x10, 1e2 or nothing at all. */
const PageSize = z
  .string()
  .regex(/^([1-9]\d{0,2}|1000)$/, { error: "expected a whole number from 1 to 1000" })
  .transform(Number)
  .meta({ override: { type: "integer", minimum: 1, maximum: 1_000 } });

/** Cursors are ids of emails. */
const After = z.string().refine(isId, { error: "expected the cursor of a former page" });

/** Interface specification 4.6. Newest first; all that are kept, or a page of them. */
export const listReceivedEmailLinks = endpoint({
  name: "listReceivedEmailLinks",
  tag: "Received emails",
  summary: "List the received emails of a browsable proxy binding",
  description: "Newest first; all that are kept, or a page of them where page[size] is given.",
  method: "GET",
  path: "/api/v1/received-emails-links/{proxyBindingId}",
  credentials: "token or bearer",
  query: {
    "page[size]": { schema: PageSize, description: "How many at most; absent: all that are kept" },
    "page[after]": { schema: After, description: "Those after this cursor; the answer's links.next has it" },
  },
  answers: {
    200: ReceivedEmailLinksDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, caller, path, query }) {
    const { proxyBindingId: bindingId = "" } = path;
    const asked = {
      "page[size]": query.get("page[size]") ?? undefined,
      "page[after]": query.get("page[after]") ?? undefined,
    };
    const page = validate(z.object({ "page[size]": PageSize.optional(), "page[after]": After.optional() }), asked);
    const isPaged = page["page[size]"] !== undefined || page["page[after]"] !== undefined;
    const first = isPaged ? (page["page[size]"] ?? 100) : undefined;
    const { emails, nextCursor } = await peers.mailbox.links({
      ownerId: caller.accountId,
      bindingId,
      first,
      after: page["page[after]"],
    });
    const data = emails.map(linkResource);
    if (!isPaged) return answer(200, { data });
    const next =
      nextCursor === null
        ? null
        : `/api/v1/received-emails-links/${bindingId}?${new URLSearchParams({ "page[size]": String(first), "page[after]": nextCursor })}`;
    return answer(200, { data, links: { next } });
  },
});
