import { z } from "zod";
import { maxWaitS } from "../../mailbox/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import { identify } from "../http/credentials.ts";
import { absentIfNull, wellFormedText } from "../http/schemas.ts";
import type { JsonPieces } from "../http/send.ts";
import { attributesJson } from "../received-emails/document.ts";
import { ReceivedEmailDocument } from "../received-emails/schema.ts";
import type { Services } from "../services.ts";
import { dataOf, posternEndpoint } from "./endpoint.ts";

const optionalText = absentIfNull(wellFormedText("a string"));

const moment = Moment.refine((text) => Date.parse(text) >= 0, { error: "expected a time since 1970" });

const NextEmailQuestion = z
  .object(
    {
      binding: optionalText.meta({ description: "The id of a browsable proxy binding" }),
      recipient: optionalText.meta({ description: "Or its proxy address; with a tag, mail to that tag alone" }),
      from: optionalText.meta({ description: "What the envelope sender or From holds" }),
      subject: optionalText.meta({ description: "What the subject holds" }),
      since: absentIfNull(moment),
      waiter: absentIfNull(z.uuid({ error: "expected a UUID" })).meta({
        description: "The same one gets the same email again",
      }),
      take: absentIfNull(z.boolean({ error: "expected true or false" })).meta({
        description: "Default true: nobody else gets it",
      }),
      waitS: absentIfNull(
        z
          .number({ error: "expected a number" })
          .min(0)
          .max(maxWaitS, { error: `must be ${maxWaitS} at most` }),
      ).meta({ description: "Default 30" }),
    },
    { error: "expected an object" },
  )
  .meta({
    id: "NextEmailQuestion",
    example: { recipient: "shop+run42@postern.localhost", subject: "Confirm", waitS: 30 },
  });

const NextEmail = z
  .object({
    id: z.string(),
    attributes: ReceivedEmailDocument.shape.data.shape.attributes,
    codes: z.array(z.string()).meta({ description: "One-time codes, the likeliest first" }),
    links: z.array(z.string()).meta({ description: "http and https URLs, each once" }),
  })
  .meta({ id: "NextEmail" });

/** Looked at again while a request waits: a key that was revoked meanwhile gets nothing. */
const needed = { credentials: "token or bearer", scope: "mail:read" } as const;

export const nextEmail = posternEndpoint({
  name: "nextEmail",
  summary: "Wait for the next email of a browsable proxy binding",
  description:
    "The oldest one that matches and that nobody has taken; one that came before is found. 204 when none came in time. At most 50 requests of an account wait at once.",
  method: "POST",
  path: "/emails/next",
  scope: needed.scope,
  body: NextEmailQuestion,
  responses: { 200: dataOf(NextEmail), 204: undefined },
  refusals: [404, 429],
  async handle({ services, caller, body, request, response }) {
    const { accountId: ownerId } = caller;
    const { from, subject, since, waiter, take = true, waitS = 30 } = body;
    const disconnected = new AbortController();
    response.once("close", () => disconnected.abort());
    const { bindingId, recipient } = await inboxOf(services, ownerId, body);
    const question = { ownerId, bindingId, recipient, from, subject, since, waiter, take };
    const waiting = {
      ownerId,
      bindingId,
      recipient,
      waiter,
      waitMs: waitS * 1_000,
      disconnected: disconnected.signal,
      contentionKey: take ? JSON.stringify([bindingId, recipient, from, subject, since]) : undefined,
      requireCredential: async () => void (await identify(request.headers, needed, services.auth)),
    };
    const id = await services.mailWaiters.until(waiting, async (fromId) => {
      const { emailId } = await services.mailbox.takeEmail({ ...question, fromId });
      return emailId ?? undefined;
    });
    return id === undefined ? { status: 204 } : { status: 200, json: shown(services, { ownerId, emailId: id }) };
  },
});

interface Inbox {
  binding?: string | undefined;
  recipient?: string | undefined;
}

/** @throws Refusal ValidationFailed, NotFound for somebody else's too, NotBrowsable */
async function inboxOf({ bindings }: Services, ownerId: string, { binding, recipient }: Inbox) {
  const bindingId = binding ?? (await routeOf({ bindings }, ownerId, recipient));
  const { isBrowsable, id } = await bindings.get({ ownerId, id: bindingId });
  if (!isBrowsable)
    throw new Refusal("NotBrowsable", {
      public: "The emails of this proxy binding are not kept for reading: it is not browsable.",
    });
  return { bindingId: id, recipient };
}

async function routeOf(
  { bindings }: Pick<Services, "bindings">,
  ownerId: string,
  recipient: string | undefined,
): Promise<string> {
  if (recipient === undefined)
    throw new Refusal("ValidationFailed", {
      public: "binding: expected the id of a proxy binding, or its address as recipient.",
    });
  const [resolution] = await bindings.resolve({ addresses: [recipient], countsRefusals: false });
  if (resolution?.outcome !== "route" || resolution.route.ownerId !== ownerId)
    throw new Refusal("NotFound", { public: "There is no such proxy binding." });
  return resolution.route.bindingId;
}

/** Never whole in memory: many may be waited for at once. */
async function* shown(services: Services, email: { ownerId: string; emailId: string }): JsonPieces {
  const [details, excerpts] = await Promise.all([
    services.mailboxStreams.details(email),
    services.mailbox.excerpts(email),
  ]);
  yield `{"data":{"id":${JSON.stringify(email.emailId)},"attributes":`;
  yield* attributesJson(details);
  yield `,${JSON.stringify(excerpts).slice(1)}}`;
}
