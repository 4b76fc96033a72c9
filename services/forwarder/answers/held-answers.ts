import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Channel,
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";
import type { AnswerContent } from "./answer.ts";
import type { LeakPlace } from "./search/find-leaks.ts";

/** How long an owner may take to say that a held answer is to be sent. */
const heldDays = 7;

/** What a link to a held answer is about. */
interface HeldAnswer {
  proxyAddress: string;
  recipients: string[];
  places: string[];
}

interface Parts {
  publicUrl: string;
  serviceName: string;
}

interface Peers {
  db: Database;
  bindings: Pick<Client<typeof bindingsContract>, "contactFaults">;
}

/** Of what is held, by what is wrong with a contact. */
const faultSentences = {
  removed: "A contact that this answer goes to, or its proxy address, was removed, so the answer is not sent.",
  blocked: "A contact that this answer goes to is blocked, so the answer is not sent.",
  "answers-off": "Answering from this answer's proxy address is switched off, so the answer is not sent.",
};

/** Holds an answer, puts that on its timeline, and asks its author by mail. */
export async function holdAnswer(
  tx: Transaction,
  { answer, places, trace }: { answer: AnswerContent; places: readonly LeakPlace[]; trace: Record<string, string> },
  { publicUrl, serviceName }: Parts,
): Promise<void> {
  const token = randomToken();
  const { rowCount } = await tx.query(
    `update answer set state = 'held', hold_digest = $2, places = $3::jsonb, due_at = now() + make_interval(days => $4), attempt_count = 0
      where email_id = $1 and state = 'waiting'`,
    [answer.emailId, tokenDigest(token), JSON.stringify(places), heldDays],
  );
  if (rowCount === 0) return;
  const at = timestampFromDate(new Date());
  const deferred = answer.recipients.map(({ contactId, address }) =>
    event(
      topics.deliveryDeferred,
      create(DeliveryDeferredSchema, {
        emailId: answer.emailId,
        channel: Channel.ANSWER,
        targetId: contactId,
        target: address,
        response: `it has, or may have, a real address or a reverse address ${places.join(", ")}`,
        deferredAt: at,
        isHeld: true,
      }),
      { trace },
    ),
  );
  const text = `Your answer to

${indented(answer.recipients.map(({ address }) => address))}

was not sent yet. Your real address, or an address that only you should use, stands or may stand

${indented(places)}

and ${answer.proxyAddress} is there so that nobody learns it. If you want it to be sent all the same, as it is, open this link within ${heldDays} days and confirm:

    ${publicUrl}/answers/${token}

Otherwise there is nothing to do: the answer is not sent. You can write another one without the address.
`;
  const notice = noticeTo(answer, `Your answer was not sent yet`, text, "answer-held", serviceName);
  await publish(tx, [...deferred, notice]);
}

/** The answer is not sent: its author is told, and its deliveries end. */
export async function expireAnswer(
  tx: Transaction,
  { answer, trace }: { answer: AnswerContent; trace: Record<string, string> },
  { serviceName }: Parts,
): Promise<void> {
  const { rowCount } = await tx.query(
    "update answer set state = 'expired', hold_digest = null, due_at = 'infinity' where email_id = $1 and state = 'held'",
    [answer.emailId],
  );
  if (rowCount === 0) return;
  const text = `Your answer to

${indented(answer.recipients.map(({ address }) => address))}

was not sent: for ${heldDays} days nobody confirmed that it may leave with your address in it.
`;
  const notice = noticeTo(answer, "Your answer was not sent", text, "answer-not-sent", serviceName);
  await publish(tx, [...cancelled(answer, `held for ${heldDays} days and not confirmed`, trace), notice]);
}

/** Ends the deliveries of an answer that is not sent. */
export function cancelled(answer: AnswerContent, response: string, trace: Record<string, string>): OutgoingEvent[] {
  const settledAt = timestampFromDate(new Date());
  return answer.recipients.map(({ contactId, address }) =>
    event(
      topics.deliverySettled,
      create(DeliverySettledSchema, {
        emailId: answer.emailId,
        channel: Channel.ANSWER,
        targetId: contactId,
        target: address,
        outcome: Outcome.CANCELLED,
        response,
        settledAt,
      }),
      { trace },
    ),
  );
}

/**
 * What a link is about; changes nothing. The link of an answer that may not be sent works again once that has changed.
 * @throws Refusal NotFound, SendingNotAllowed, Gone; Outage
 */
export async function describeHeld({ db, bindings }: Peers, token: string): Promise<HeldAnswer> {
  const { rows } = await db.query<{ content: AnswerContent; places: string[] }>(
    "select content, places from answer where hold_digest = $1 and state = 'held' and due_at > now()",
    [tokenDigest(token)],
  );
  if (!rows[0]) throw noSuchLink();
  const { content, places } = rows[0];
  await refuseUnwritable(bindings, content);
  return {
    proxyAddress: content.proxyAddress,
    recipients: content.recipients.map(({ address }) => address),
    places,
  };
}

/** Uses a link up: the answer is sent as it is. @throws Refusal NotFound, SendingNotAllowed, Gone; Outage */
export async function sendHeld(peers: Peers, token: string): Promise<HeldAnswer> {
  const described = await describeHeld(peers, token);
  const { rowCount } = await peers.db.query(
    `update answer set state = 'waiting', is_forced = true, hold_digest = null, due_at = now(), attempt_count = 0
      where hold_digest = $1 and state = 'held' and due_at > now()`,
    [tokenDigest(token)],
  );
  if (rowCount === 0) throw noSuchLink();
  return described;
}

/** What was admitted when it came may have been forbidden in the days that it was held. */
async function refuseUnwritable(bindings: Peers["bindings"], { recipients, direction }: AnswerContent): Promise<void> {
  const faults = await bindings.contactFaults({ contactIds: recipients.map(({ contactId }) => contactId) });
  // What an owner composes needs no proxy address that answers.
  const found = faults.map(({ fault }) => fault).filter((fault) => fault !== "answers-off" || direction === "answer");
  // Of one that was removed nothing comes back: a contact that is made again is another.
  if (found.includes("removed")) throw new Refusal("Gone", { public: faultSentences.removed });
  if (found[0]) throw new Refusal("SendingNotAllowed", { public: faultSentences[found[0]] });
}

function noSuchLink(): Refusal {
  return new Refusal("NotFound", {
    public: "This link has expired or has already been used.",
  });
}

function noticeTo(
  { author, ownerId }: AnswerContent,
  subject: string,
  text: string,
  kind: string,
  serviceName: string,
): OutgoingEvent {
  return event(
    topics.noticeRequested,
    create(NoticeRequestedSchema, {
      noticeId: newId(),
      accountId: ownerId,
      recipient: author,
      subject: `${serviceName}: ${subject}`,
      text,
      requestedAt: timestampFromDate(new Date()),
      kind,
    }),
  );
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join("\n");
}
