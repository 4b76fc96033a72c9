import type { authContract } from "../../auth/contract.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import { excerptsOf } from "../../message/extraction/codes-and-links.ts";
import type { MailWaiters } from "../../platform/concurrency/mail-waiters.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import type { Loader } from "../../platform/graph/loader.ts";
import type { Resolver } from "../../platform/graph/subgraph.ts";
import { isId } from "../../platform/ids.ts";
import type { Client, Implementation } from "../../platform/rpc/contract.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import { requireBrowsable } from "../browsing/browsable-bindings.ts";
import type { ContentReader } from "../browsing/content-reader.ts";
import type { ReceivedEmailRow } from "../browsing/owned-emails.ts";
import type { mailboxContract } from "../contract.ts";
import { maxWaitS } from "../contract.ts";

interface Question {
  binding?: string | null;
  recipient?: string | null;
  from?: string | null;
  subject?: string | null;
  since?: string | null;
  waiter?: string | null;
  take: boolean;
  waitS: number;
}

interface Dependencies {
  auth: Client<typeof authContract>;
  bindings: Client<typeof bindingsContract>;
  procedures: Implementation<typeof mailboxContract>;
  mailWaiters: MailWaiters;
}

interface Loaders {
  emails: Loader<ReceivedEmailRow>;
  contents: ContentReader;
}

const nothing = { receivedEmail: null, codes: [], links: [] };

/** Waits for an email as REST's /emails/next does. */
export function nextEmailMutation({ auth, bindings, procedures, mailWaiters }: Dependencies): Resolver<Loaders> {
  return async (_source: unknown, asked: Question, { ownerId, caller, loaders, disconnected }) => {
    const { since, waiter, waitS } = checked(asked);
    const bindingId = asked.binding ?? (await bindingAt(bindings, ownerId, asked.recipient));
    await requireBrowsable(bindings, ownerId, bindingId);
    const recipient = asked.recipient ?? undefined;
    const from = asked.from ?? undefined;
    const subject = asked.subject ?? undefined;
    const question = { ownerId, bindingId, recipient, from, subject, since, waiter, take: asked.take };
    const { sessionId, tokenId, key } = caller;
    const credential = { accountId: ownerId, sessionId, tokenId, keyId: key?.id, scope: "mail:read" };
    const waiting = {
      ownerId,
      bindingId,
      recipient,
      waiter,
      waitMs: waitS * 1_000,
      disconnected,
      contentionKey: asked.take ? JSON.stringify([bindingId, recipient, from, subject, since]) : undefined,
      requireCredential: async () => void (await auth.requireInForce(credential)),
    };
    const id = await mailWaiters.until(waiting, async (fromId) => {
      const { emailId } = await procedures.takeEmail({ ...question, fromId });
      return emailId ?? undefined;
    });
    return id === undefined ? nothing : shown(id, loaders);
  };
}

async function shown(id: string, { emails, contents }: Loaders) {
  const [receivedEmail, text, html] = await Promise.all([emails.load(id), contents.text(id), contents.html(id)]);
  const { subject } = receivedEmail;
  return { receivedEmail, ...excerptsOf({ subject: subject ?? "", text: text ?? "", html: html ?? "" }) };
}

/** @throws Refusal ValidationFailed */
function checked({ since, waiter, waitS }: Question) {
  const moment = since == null ? undefined : Moment.safeParse(since).data;
  if (since != null && !(moment !== undefined && Date.parse(moment) >= 0))
    throw invalidField("since", "must be a time as ISO 8601.");
  if (waiter != null && !isId(waiter)) throw invalidField("waiter", "must be a UUID.");
  if (waitS < 0 || waitS > maxWaitS) throw invalidField("waitS", `must be from 0 to ${maxWaitS}.`);
  return { since: moment, waiter: waiter ?? undefined, waitS };
}

/** @throws Refusal ValidationFailed; NotFound, for somebody else's as well */
async function bindingAt(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  recipient: string | null | undefined,
): Promise<string> {
  if (recipient == null) throw invalidField("binding", "is needed, or the address as recipient.");
  const [found] = await bindings.resolve({ addresses: [recipient], countsRefusals: false });
  if (found?.outcome !== "route" || found.route.ownerId !== ownerId)
    throw new Refusal("NotFound", { public: "There is no such proxy binding." });
  return found.route.bindingId;
}
