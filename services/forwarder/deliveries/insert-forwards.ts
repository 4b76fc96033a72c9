import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { domainOf } from "../../message/address/addr-spec.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";
import type { Lease } from "../../platform/jobs/job-worker.ts";
import { organisationalDomain } from "../../platform/net/organisational-domain.ts";
import { isDeliveryOwnerDisabled } from "../accounts/disabled-accounts.ts";
import { authenticationOf } from "./authentication.ts";
import type { Forward } from "./delivery.ts";
import { isNotPaused } from "./destinations.ts";

const forwardColumns = {
  id: "uuid",
  emailId: "uuid",
  ownerId: "uuid",
  bindingId: "uuid",
  addressId: "uuid",
  address: "text",
  domain: "text",
  organisationalDomain: "text",
  rawId: "uuid",
  refusedRawId: "uuid",
  sizeBytes: "integer",
  receivedAt: "timestamptz",
  envelopeSender: "text",
  recipient: "text",
  clientAddress: "text",
  clientName: "text",
  protocol: "text",
  tls: "text",
  smtpUtf8: "boolean",
  eightBitMime: "boolean",
  authenticationResults: "text",
  authentication: "jsonb",
  proxyAddress: "text",
  answers: "boolean",
  subjectTag: "text",
  isRefused: "boolean",
  trace: "jsonb",
} as const;
const newForwards = recordSet(forwardColumns);
const leasedForwards = recordSet({ ...forwardColumns, dueAt: "timestamptz", workerId: "uuid", leaseS: "float8" });

/** One delivery for each real address of each email, and one to nowhere for what a rule refused beside others: it ends in a report. */
export function forwardsOf(events: readonly IncomingEvent<MailAccepted>[]): Forward[] {
  return events.flatMap((event) => {
    const { targets, rule, bindingId: addressId, proxyAddress: address } = event.message;
    const isRefused = rule?.effects.includes("refused") === true;
    const refused = isRefused ? [{ ...forwardOf(event, { addressId, address }), isRefused }] : [];
    return [...targets.map((target) => forwardOf(event, target)), ...refused];
  });
}

/**
 * Inserts those of (email, address) that are not there yet; those to a paused destination or of a disabled account without a
 * lease. Gives the ids of those that are new and leased.
 */
export async function insertForwards(
  tx: Transaction,
  forwards: readonly (Forward & Partial<Lease> & { dueAt?: Date })[],
): Promise<string[]> {
  if (forwards.length === 0) return [];
  const { rows } = await tx.query<{ id: string; workerId: string | null }>(
    `insert into delivery (${newForwards.columns}, due_at, worker_id, lease_until)
     select ${newForwards.columns}, coalesce(due_at, now()), case when is_leased then worker_id end,
            case when is_leased then now() + lease_s * interval '1 second' end
       from (select delivery.*, ${isNotPaused} and not ${isDeliveryOwnerDisabled} as is_leased
               from (select null::uuid as notice_id, forward.* from ${leasedForwards.from("forward")}) as delivery) as forward
     on conflict (email_id, address) do nothing returning id, worker_id`,
    leasedForwards.params(
      forwards.map((forward) => ({ dueAt: null, workerId: null, leaseS: null, ...forward, ...rawIdsOf(forward) })),
    ),
    { name: "schedule_forwards" },
  );
  return rows.flatMap(({ id, workerId }) => (workerId === null ? [] : [id]));
}

/** A release that knows no such refusals would send what it finds in raw_id. */
function rawIdsOf({ rawId, isRefused }: Forward) {
  return isRefused ? { rawId: null, refusedRawId: rawId } : { rawId, refusedRawId: null };
}

/** A delivery of an email to one of its targets. */
export function forwardOf(
  { message: email, trace }: IncomingEvent<MailAccepted>,
  target: Pick<MailAccepted["targets"][number], "addressId" | "address">,
): Forward {
  return {
    kind: "forward",
    id: newId(),
    emailId: email.emailId,
    ownerId: email.ownerId,
    bindingId: email.bindingId,
    addressId: target.addressId,
    address: target.address,
    domain: domainOf(target.address),
    organisationalDomain: organisationalDomain(domainOf(target.address)),
    rawId: email.rawId,
    sizeBytes: email.sizeBytes,
    receivedAt: email.receivedAt ? timestampDate(email.receivedAt) : new Date(),
    envelopeSender: email.envelopeSender,
    recipient: email.recipient,
    proxyAddress: email.proxyAddress,
    clientAddress: email.clientAddress,
    clientName: email.clientName,
    protocol: email.protocol,
    tls: email.tls,
    smtpUtf8: email.smtpUtf8,
    eightBitMime: email.eightBitMime,
    authenticationResults: email.authenticationResults,
    authentication: authenticationOf(email),
    answers: email.answers,
    subjectTag: email.rule?.subjectTag ?? "",
    isRefused: false,
    isOwnerDisabled: false,
    trace,
    attemptCount: 0,
    heldUntil: null,
  };
}
