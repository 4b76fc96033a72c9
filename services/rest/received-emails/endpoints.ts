import { z } from "zod";
import { isId } from "../../platform/ids.ts";
import { endpoint, respond } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";
import { allPages, arrayDocument } from "../http/send.ts";
import { validate } from "../http/validate.ts";
import type { Services } from "../services.ts";
import { detailsJson, linkResource } from "./document.ts";
import { downloadAttachment } from "./download-attachment.ts";
import { ReceivedEmailDocument, ReceivedEmailLinksDocument } from "./schema.ts";

type EmailPage = Awaited<ReturnType<Services["mailbox"]["list"]>>;

/** In decimal digits: a number as the language reads it could be 0x10, 1e2 or nothing at all. */
const PageSize = z
  .string()
  .regex(/^([1-9]\d{0,2}|1000)$/, { error: "expected a whole number from 1 to 1000" })
  .transform(Number)
  .meta({ override: { type: "integer", minimum: 1, maximum: 1_000 } });

/** Cursors are ids of emails. */
const After = z.string().refine(isId, { error: "expected the cursor of a former page" });

const PageQuery = z.object({ "page[size]": PageSize.optional(), "page[after]": After.optional() });

/** Newest first; all that are kept, or a page of them. */
const listReceivedEmailLinks = endpoint({
  name: "listReceivedEmailLinks",
  tag: "Received emails",
  summary: "List the received emails of a browsable proxy binding",
  description: "Newest first; all that are kept, or a page of them where page[size] is given.",
  method: "GET",
  path: "/api/v1/received-emails-links/{proxyBindingId}",
  credentials: "token or bearer",
  scope: "mail:read",
  query: {
    "page[size]": { schema: PageSize, field: "first", description: "How many at most; absent: all that are kept" },
    "page[after]": {
      schema: After,
      field: "after",
      description: "Those after this cursor; the answer's links.next has it",
    },
  },
  responses: {
    200: ReceivedEmailLinksDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, path, query }) {
    const { proxyBindingId: bindingId = "" } = path;
    const asked = {
      "page[size]": query.get("page[size]") ?? undefined,
      "page[after]": query.get("page[after]") ?? undefined,
    };
    const { "page[size]": size, "page[after]": after } = validate(PageQuery, asked);
    const question = { ownerId: caller.accountId, bindingId };
    if (size === undefined && after === undefined) {
      const pages = allPages((asked) => services.mailbox.list({ ...question, ...asked }));
      const parts = { head: () => ({}), items: (page: EmailPage) => page.emails.map(linkResource) };
      return { status: 200, json: arrayDocument("data", pages, parts) };
    }
    const first = size ?? 100;
    const { emails, nextCursor } = await services.mailbox.list({ ...question, first, after });
    const data = emails.map(linkResource);
    const next =
      nextCursor === null
        ? null
        : `/api/v1/received-emails-links/${bindingId}?${new URLSearchParams({ "page[size]": String(first), "page[after]": nextCursor })}`;
    return respond(200, { data, links: { next } });
  },
});

const showReceivedEmail = endpoint({
  name: "showReceivedEmail",
  tag: "Received emails",
  summary: "Show a received email of a browsable proxy binding",
  description:
    "payload is in the widely used inbound-parse dialect: every header under its own name, and beside them the sender, the recipient and the text and HTML, one made from the other where it is missing.",
  method: "GET",
  path: "/api/v1/received-emails/{receivedEmailId}",
  credentials: "token or bearer",
  scope: "mail:read",
  responses: {
    200: ReceivedEmailDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, path: { receivedEmailId: emailId = "" } }) {
    const details = await services.mailboxStreams.details({ ownerId: caller.accountId, emailId });
    return { status: 200, json: detailsJson(emailId.toLowerCase(), details) };
  },
});

const deleteReceivedEmail = endpoint({
  name: "deleteReceivedEmail",
  tag: "Received emails",
  summary: "Remove a received email",
  method: "DELETE",
  path: "/api/v1/received-emails/{receivedEmailId}",
  credentials: "token or bearer",
  scope: "admin",
  responses: { 204: undefined, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller, path: { receivedEmailId: emailId = "" } }) {
    await services.mailbox.remove({ ownerId: caller.accountId, emailId });
    return respond(204);
  },
});

export const receivedEmailEndpoints = [
  listReceivedEmailLinks,
  showReceivedEmail,
  deleteReceivedEmail,
  downloadAttachment,
] as const;
