import { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import { codesIn } from "../../message/extraction/codes.ts";
import { linksIn } from "../../message/extraction/links.ts";
import type { LongPolls } from "../../platform/concurrency/long-polls.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Loader } from "../../platform/graph/loader.ts";
import type { Resolver } from "../../platform/graph/subgraph.ts";
import type { Client, Implementation } from "../../platform/rpc/contract.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import type { ContentReader } from "../browsing/content-reader.ts";
import type { ReceivedEmailRow } from "../browsing/contents.ts";
import { requireBrowsable } from "../browsing/email-rows.ts";
import type { mailboxContract } from "../contract.ts";

/** The gateway waits for a service of a fleet no longer than a call takes, and what services themselves ask outside. */
const longestWaitS = 15;

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
  bindings: Client<typeof bindingsContract>;
  procedures: Implementation<typeof mailboxContract>;
  longPolls: LongPolls;
}

interface Loaders {
  emails: Loader<ReceivedEmailRow>;
  contents: ContentReader;
}

const nothing = { receivedEmail: null, codes: [], links: [] };

/** Waits for an email as REST's /emails/next does. */
export function nextEmailMutation({ bindings, procedures, longPolls }: Dependencies): Resolver<Loaders> {
  return async (_source: unknown, asked: Question, { ownerId, loaders }) => {
    const { since, waiter, waitS } = checked(asked);
    const bindingId = asked.binding ?? (await bindingAt(bindings, ownerId, asked.recipient));
    await requireBrowsable(bindings, ownerId, bindingId);
    const recipient = asked.recipient ?? undefined;
    const from = asked.from ?? undefined;
    const subject = asked.subject ?? undefined;
    const question = { ownerId, bindingId, recipient, from, subject, since, waiter, take: asked.take };
    // The gateway does not say that its client has disconnected.
    const disconnected = new AbortController().signal;
    const id = await longPolls.until({ ownerId, bindingId, waitMs: waitS * 1_000, disconnected }, async () => {
      const { emailId } = await procedures.takeEmail(question);
      return emailId ?? undefined;
    });
    return id === undefined ? nothing : shown(id, loaders);
  };
}

async function shown(id: string, { emails, contents }: Loaders) {
  const [receivedEmail, text, html] = await Promise.all([emails.load(id), contents.text(id), contents.html(id)]);
  const plain = text ?? "";
  const codes = codesIn(`${receivedEmail.subject ?? ""}\n${plain}`);
  return { receivedEmail, codes, links: linksIn({ text: plain, html: html ?? "" }) };
}

/** @throws Refusal ValidationFailed */
function checked({ since, waiter, waitS }: Question) {
  const moment = since == null ? undefined : Moment.safeParse(since).data;
  if (since != null && !(moment !== undefined && Date.parse(moment) >= 0))
    throw invalid("since", "must be a time as ISO 8601.");
  if (waiter != null && !z.uuid().safeParse(waiter).success) throw invalid("waiter", "must be a UUID.");
  if (waitS < 0 || waitS > longestWaitS) throw invalid("waitS", `must be from 0 to ${longestWaitS}.`);
  return { since: moment, waiter: waiter ?? undefined, waitS };
}

/** @throws Refusal ValidationFailed; NotFound, for somebody else's as well */
async function bindingAt(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  recipient: string | null | undefined,
): Promise<string> {
  if (recipient == null) throw invalid("binding", "is needed, or the address as recipient.");
  const [found] = await bindings.resolve({ addresses: [recipient], countsRefusals: false });
  if (found?.outcome !== "route" || found.route.ownerId !== ownerId)
    throw new Refusal("NotFound", { public: "There is no such proxy binding." });
  return found.route.bindingId;
}

function invalid(field: string, fault: string): Refusal {
  return new Refusal("ValidationFailed", { field, public: fault });
}
