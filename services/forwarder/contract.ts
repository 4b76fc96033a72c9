import { z } from "zod";
import { GivenId } from "../platform/rpc/given-id.ts";

const DeliveryAttempt = z.object({ at: z.iso.datetime(), response: z.string().nullable() });

export const Delivery = z.object({
  id: z.uuid(),
  emailId: z.uuid(),
  realAddress: z.string(),
  state: z.enum(["waiting", "delivered", "bounced", "given_up", "cancelled"]),
  attempts: z.array(DeliveryAttempt),
  nextAttemptAt: z.iso.datetime().nullable(),
});

/** A domain that mail goes to, in lower case. */
export const Destination = z.object({
  domain: z.string(),
  waiting: z.number().int(),
  /** When the oldest waiting message was received. */
  oldestAt: z.iso.datetime().nullable(),
  pausedAt: z.iso.datetime().nullable(),
});

/** A delivery as an operator sees it: without its recipient. */
export const WaitingDelivery = z.object({
  id: z.uuid(),
  /** Null for a message of the service's own. */
  emailId: z.uuid().nullable(),
  domain: z.string(),
  receivedAt: z.iso.datetime(),
  nextAttemptAt: z.iso.datetime(),
  attemptCount: z.number().int(),
  /** The codes of the last answer. */
  lastReply: z.string().nullable(),
});

/** An answer that is held because it has a real address in it, as its owner sees it. */
const HeldAnswer = z.object({
  proxyAddress: z.string(),
  recipients: z.array(z.string()),
  /** Where it has the address, in words. */
  places: z.array(z.string()),
});

const domain = z.string().min(1).max(255);
const listLimit = z.number().int().min(1).max(10_000);

/** A record to publish: an absolute name without the final dot, and its data in the words of a zone file. */
const DnsRecord = z.object({ name: z.string(), type: z.string(), value: z.string() });

/** A key as it is to be published: the data of its TXT record, and the public key in it. */
const DomainKey = z.object({
  selector: z.string(),
  value: z.string(),
  publicKey: z.string(),
  /** next takes over from current once its record is found and its moment has come; former stays while mail that it signed is under way. */
  stage: z.enum(["current", "next", "former"]).default("current"),
  /** Of a former key: its record may go afterwards. */
  keepUntil: z.iso.datetime().nullable().default(null),
});

/** The procedures of forwarder. Errors: NotFound. */
export const forwarderContract = {
  service: "forwarder",
  procedures: {
    /** The deliveries of the owner's emails asked for. */
    deliveries: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), emailIds: z.array(z.uuid()).max(1_000) }),
      output: z.array(Delivery),
    },
    /** For operators: accounts whose sending is paused. */
    pausedSending: {
      kind: "query",
      input: z.object({}),
      output: z.array(
        z.object({ ownerId: z.uuid(), pausedAt: z.iso.datetime(), reason: z.string().default("failures") }),
      ),
    },
    /** For operators: complaints about what was sent, the latest first. */
    complaints: {
      kind: "query",
      input: z.object({ limit: z.number().int().min(1).max(10_000) }),
      output: z.array(
        z.object({
          ownerId: z.uuid(),
          emailId: z.uuid(),
          /** An answer or mail of the owner's; else mail that was forwarded to the owner. */
          isAnswer: z.boolean(),
          feedbackType: z.string(),
          /** The domain that the report is proved to come from; "" where it is not proved. */
          reporter: z.string(),
          complainedAt: z.iso.datetime(),
          /** Whether it counts towards a pause. */
          isCounted: z.boolean(),
        }),
      ),
    },
    /** Errors: NotFound if it is not paused. */
    resumeSending: { kind: "mutation", input: z.object({ ownerId: z.uuid() }), output: z.object({}) },
    /** What the link to a held answer is about; changes nothing. Errors: SendingNotAllowed where a contact may not be written to, Gone where one was removed. */
    describeHeldAnswer: { kind: "query", input: z.object({ token: z.string() }), output: HeldAnswer },
    /** Uses the link up: the answer is sent as it is. Errors: as above; the link is not used up then. */
    sendHeldAnswer: { kind: "mutation", input: z.object({ token: z.string() }), output: HeldAnswer },
    /** Tries a waiting or given-up delivery again at once. */
    retry: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), emailId: GivenId, realAddress: z.string() }),
      output: z.object({}),
    },
    /** The same for all failed and waiting deliveries of these emails; those of others are left out. */
    retryMany: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), emailIds: z.array(GivenId).max(100) }),
      output: z.object({ count: z.number().int() }),
    },
    /** What SERVICE_DOMAIN has to publish: MX, SPF, DKIM per key, DMARC, MTA-STS, TLS-RPT; and the MTA-STS policy with its address. */
    dnsRecords: {
      kind: "query",
      input: z.object({}),
      output: z.object({
        records: z.array(DnsRecord),
        mtaStsPolicy: z.object({ url: z.string(), text: z.string() }),
      }),
    },
    /** The DKIM keys of an account's own domain, by its id in bindings; made when they are asked for first. */
    domainKeys: { kind: "mutation", input: z.object({ domainId: z.uuid() }), output: z.array(DomainKey) },
    /** Makes new keys, which sign once their records are found. Errors: Conflict while former keys have to stay. */
    rotateDomainKeys: { kind: "mutation", input: z.object({ domainId: z.uuid() }), output: z.object({}) },
    /** For operators: destinations with waiting mail, the most first, and paused ones. */
    destinations: { kind: "query", input: z.object({ limit: listLimit }), output: z.array(Destination) },
    /** Holds mail to a domain back until it is resumed; deliveries in flight are finished. */
    pauseDestination: { kind: "mutation", input: z.object({ domain }), output: z.object({}) },
    /** Errors: NotFound if it is not paused. */
    resumeDestination: { kind: "mutation", input: z.object({ domain }), output: z.object({}) },
    /** For operators: waiting deliveries, the next due first. */
    waitingDeliveries: {
      kind: "query",
      input: z.object({ domain: domain.nullable(), limit: listLimit }),
      output: z.array(WaitingDelivery),
    },
    /** Makes waiting deliveries due at once: by id, to one domain, or all of them. */
    retryWaiting: {
      kind: "mutation",
      input: z.object({ ids: z.array(z.uuid()).max(10_000).nullable(), domain: domain.nullable() }),
      output: z.object({ count: z.number().int() }),
    },
    /** For operators: which of these emails it knows, and their settled targets. */
    emailDeliveries: {
      kind: "query",
      input: z.object({ emailIds: z.array(z.uuid()).max(10_000) }),
      output: z.array(z.object({ emailId: z.uuid(), settledTargetIds: z.array(z.uuid()) })),
    },
    /** For operators: publishes delivery.settled again for what is settled of these emails. */
    publishOutcomes: {
      kind: "mutation",
      input: z.object({ emailIds: z.array(z.uuid()).max(10_000) }),
      output: z.object({ count: z.number().int() }),
    },
    /** Makes new signing keys: to be published now, and to sign once `leadH` hours are over. The former ones stay published for a time. */
    rotateSigningKeys: {
      kind: "mutation",
      input: z.object({ leadH: z.number().int().min(0).max(720) }),
      output: z.object({ selectors: z.array(z.string()) }),
    },
  },
} as const;
