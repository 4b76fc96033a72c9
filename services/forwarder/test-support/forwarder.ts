import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AccountDisabledSchema } from "../../../proto/gen/postern/auth/v1/account_disabled_pb.js";
import { AccountEnabledSchema } from "../../../proto/gen/postern/auth/v1/account_enabled_pb.js";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { type MailReturned, MailReturnedSchema } from "../../../proto/gen/postern/ingress/v1/mail_returned_pb.js";
import { type MessageOf, type Topic, topics } from "../../../proto/topics.ts";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { ingressContract } from "../../ingress/contract.ts";
import { ReversePaths } from "../../message/address/reverse-path.ts";
import { encodeBase32 } from "../../message/coding/base32.ts";
import { Refusal } from "../../platform/errors.ts";
import { handleAlone } from "../../platform/events/consumer.ts";
import { newId } from "../../platform/ids.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { forwarderContract } from "../contract.ts";
import { forwarder } from "../module.ts";
import { mailAccepted } from "./event.ts";

/** What the service asks of others, besides bytes. */
class PeersUnderTest {
  readonly disabled: { ownerId: string; address: string }[] = [];
  /** Whether bindings finds a decision new. */
  isDisablingNew = true;
  /** Addresses of contacts by token. */
  readonly contacts = new Map<string, string>();
  /** What the owner's binding has beside its contacts. */
  readonly own = ["proxy@postern.localhost"];
  /** What bindings finds wrong with writing to any contact. */
  contactFault: "removed" | "blocked" | "answers-off" | undefined;
  readonly bindings = {
    reverseAddresses: async ({ mailboxes }: { mailboxes: { address: string }[] }) =>
      mailboxes.map(({ address }) => {
        const isOwn = this.own.includes(address.toLowerCase());
        return { address, isOwn, reverseAddress: isOwn ? null : reverseAddressOf(address) };
      }),
    /** Every one of the owner's. */
    realAddresses: async () => ({ addresses: ["real@inbox.example"] }),
    contactAddresses: async ({ tokens }: { tokens: string[] }) =>
      tokens.flatMap((token) => {
        const address = this.contacts.get(token);
        return address ? [{ token, address }] : [];
      }),
    contactFaults: async ({ contactIds }: { contactIds: string[] }) =>
      this.contactFault ? contactIds.map((contactId) => ({ contactId, fault: this.contactFault })) : [],
    disableRealAddress: async ({ ownerId, address }: { ownerId: string; address: string }) => {
      this.disabled.push({ ownerId, address });
      if (!this.isDisablingNew) return { enableLink: null, isNew: false };
      return { enableLink: "https://postern.localhost/verify/enable-again", isNew: true };
    },
  };
  readonly auth = {
    account: async ({ id }: { id: string }) => ({ id, username: "owner@home.example", isDisabled: false }),
  };
}

/** What the fake of bindings says of an address. */
export function reverseAddressOf(address: string): string {
  return `re+${tokenOf(address)}@postern.localhost`;
}

/** A token that is derived from the address. */
function tokenOf(address: string): string {
  return encodeBase32(createHash("sha256").update(address.toLowerCase()).digest()).slice(0, 26);
}

/** As the service makes them: it has the same key. */
export const reversePaths = new ReversePaths(new Secrets("a secret key of the tests"), "postern.localhost");

/** The whole service over a database, with ingress' bytes as a plain object, and events given by hand. */
export class ForwarderUnderTest {
  readonly service: ServiceUnderTest<typeof forwarderContract>;
  readonly raw: Map<string, Buffer>;
  /** Thrown by the next reads of raw bytes, one each; undefined lets its read pass. */
  readonly outages: (Error | undefined)[];
  readonly peers: PeersUnderTest;
  readonly #db: TestDatabase;

  private constructor(
    service: ServiceUnderTest<typeof forwarderContract>,
    db: TestDatabase,
    raw: Map<string, Buffer>,
    outages: (Error | undefined)[],
    peers: PeersUnderTest,
  ) {
    this.peers = peers;
    this.service = service;
    this.#db = db;
    this.raw = raw;
    this.outages = outages;
  }

  /** @param context a logger that is looked at */
  static async start(
    db: TestDatabase,
    environment: Readonly<Record<string, string>>,
    context: { logger?: Logger } = {},
  ): Promise<ForwarderUnderTest> {
    const raw = new Map<string, Buffer>();
    const outages: (Error | undefined)[] = [];
    const rawMessage = async (input: unknown) => {
      const { rawId } = ingressContract.streams.rawMessage.parse(input);
      const outage = outages.shift();
      if (outage) throw outage;
      const bytes = raw.get(rawId);
      if (!bytes) throw new Refusal("NotFound", { public: "There is no such message." });
      return Readable.from(inChunks(bytes), { objectMode: false });
    };
    const peers = new PeersUnderTest();
    const service = await startService(forwarder, forwarderContract, {
      db,
      environment,
      context: {
        ...context,
        streams: { ingress: { rawMessage } },
        rpc: { bindings: peers.bindings, auth: peers.auth } as never,
      },
    });
    for (const task of service.parts.tasks ?? []) task.start();
    return new ForwarderUnderTest(service, db, raw, outages, peers);
  }

  /** As if ingress had taken a message for these real addresses. */
  async accept(
    bytes: Buffer | string,
    addresses: readonly string[],
    differences: Parameters<typeof mailAccepted>[1] = {},
  ): Promise<MailAccepted> {
    const content = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    const email = mailAccepted(addresses, { sizeBytes: content.length, ...differences });
    this.raw.set(email.rawId, content);
    await this.consume(topics.mailAccepted, email);
    return email;
  }

  /** As if a message had come back to a reverse path. */
  async returned(bytes: Buffer | string, recipient: string, envelopeSender = ""): Promise<MailReturned> {
    const content = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    const [emailId, rawId] = [newId(), newId()];
    const receivedAt = timestampFromDate(new Date());
    const sizeBytes = content.length;
    const mail = create(MailReturnedSchema, { emailId, rawId, receivedAt, envelopeSender, recipient, sizeBytes });
    this.raw.set(rawId, content);
    await this.consume(topics.mailReturned, mail);
    return mail;
  }

  /** As if an operator had disabled the account, or had enabled it again. */
  async disable(accountId: string): Promise<void> {
    const disabledAt = timestampFromDate(new Date());
    await this.consume(topics.accountDisabled, create(AccountDisabledSchema, { accountId, disabledAt }));
  }

  async enable(accountId: string): Promise<void> {
    const enabledAt = timestampFromDate(new Date());
    await this.consume(topics.accountEnabled, create(AccountEnabledSchema, { accountId, enabledAt }));
  }

  /** The messages of a topic that were published, in order. */
  async published<T extends Topic>(topic: T): Promise<MessageOf<T>[]> {
    const { rows } = await this.#db.query<{ payload: Buffer }>(
      "select payload from outbox where topic = $1 order by id",
      [topic.name],
    );
    return rows.map(({ payload }) => fromBinary(topic.schema, payload) as MessageOf<T>);
  }

  async notice(recipient: string, text: string): Promise<string> {
    const noticeId = newId();
    const requestedAt = timestampFromDate(new Date());
    await this.consume(
      topics.noticeRequested,
      create(NoticeRequestedSchema, {
        noticeId,
        recipient,
        subject: "Grüße",
        text,
        html: `<p>${text}</p>`,
        requestedAt,
        kind: "test",
      }),
    );
    return noticeId;
  }

  async stop(): Promise<void> {
    await Promise.all((this.service.parts.tasks ?? []).map((task) => task.stop()));
    await this.service.stop();
  }

  /** As if an event had come off the bus. */
  async consume(topic: Pick<Topic, "name">, message: unknown): Promise<void> {
    const consumer = this.service.parts.consumers?.find((candidate) => candidate.topic.name === topic.name);
    const event = { id: newId(), key: "", message, occurredAt: new Date(), trace: {} };
    if (consumer) await this.#db.tx((tx) => handleAlone(consumer, tx, [event as never]));
  }
}

/** As a blob is read. */
function* inChunks(bytes: Buffer): Generator<Buffer> {
  const chunkBytes = 256 * 1024;
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
