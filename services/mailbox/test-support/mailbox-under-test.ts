import { Readable } from "node:stream";
import { create, fromBinary, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "@jest/globals";
import {
  Channel,
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { MailAcceptedSchema } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { type MessageOf, type Topic, topics } from "../../../proto/topics.ts";
import { startService } from "../../../test/support/installation/service.ts";
import { silentLogger, testDatabase } from "../../../test/support/peers/database.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import { blobsConfig, createBlobStore } from "../../platform/blobs/blob-store.ts";
import { loadConfig } from "../../platform/config.ts";
import { Refusal } from "../../platform/errors.ts";
import { handleAlone } from "../../platform/events/consumer.ts";
import type { EventsByTopic, IncomingEvent } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { ArrivalFeed } from "../browsing/arrival-feed.ts";
import { mailboxContract } from "../contract.ts";
import { erasureWork } from "../deletion/erasure.ts";
import { deleteExpired } from "../deletion/retention.ts";
import { StorageQuota } from "../emails/storage-quota.ts";
import { contentLimits } from "../limits.ts";
import { mailbox } from "../module.ts";
import { MessageParser } from "../parsing/message-parser.ts";
import type { JobClass } from "../parsing/parse-jobs.ts";
import { parseWork } from "../parsing/parse-work.ts";
import { contentWorkerPool } from "../workers/content-worker-pool.ts";
import type { Workers } from "../workers/worker-pool.ts";

const mailboxMigrations = new URL("../migrations/", import.meta.url);

const first = { addressId: newId(), address: "ann@example.org" };
const second = { addressId: newId(), address: "bob@example.org" };

/** Two real addresses' ids, for outcomes of them. */
export const targets = [first, second];
/** What makes an outcome one of the second's. */
export const secondTarget = { targetId: second.addressId, target: second.address };

/** What ingress and bindings would answer, as the test wants it. */
class Peers {
  /** Raw bytes by id; an Error is what asking for them fails with. */
  readonly raw = new Map<string, Buffer | Error>();
  /** Bindings that are there, and whether they are browsable. */
  readonly browsable = new Map<string, boolean>();

  readonly ingress = {
    rawMessage: async ({ rawId }: { rawId: string }): Promise<Readable> => {
      const raw = this.raw.get(rawId) ?? new Refusal("NotFound", { public: "These bytes are gone." });
      if (raw instanceof Buffer) return Readable.from([raw]);
      throw raw;
    },
  };

  readonly bindings = {
    get: async ({ id, ownerId }: { id: string; ownerId: string }) => {
      const isBrowsable = this.browsable.get(id);
      if (isBrowsable === undefined) throw new Refusal("NotFound", { public: "There is no such proxy binding." });
      return { id, ownerId, isBrowsable };
    },
    getMany: async ({ ids }: { ids: string[] }) =>
      ids.flatMap((id) => (this.browsable.has(id) ? [{ id, isBrowsable: this.browsable.get(id) }] : [])),
  } as unknown as Client<typeof bindingsContract>;
}

/** The mailbox by itself, on a database of its own, its consumers and works turned by hand. */
export async function startMailbox(environment: Record<string, string> = {}) {
  const db = await testDatabase({ schema: "mailbox", migrations: mailboxMigrations });
  const blobs = createBlobStore({ db, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const stores = { blobs, storage: new StorageQuota(Number(environment["QUOTA_STORAGE_MB"] ?? 0)) };
  const peers = new Peers();
  const { client, parts, stop } = await startService(mailbox, mailboxContract, {
    db,
    environment: { PUBLIC_URL: "https://postern.example", ...environment },
    context: { blobs, rpc: { bindings: peers.bindings }, streams: { ingress: peers.ingress } as never },
  });

  const [logger, metrics, limits] = [silentLogger, createMetrics(), contentLimits(10)];
  const workers = contentWorkerPool(limits);

  function consumerOf(topic: Topic) {
    const consumer = parts.consumers?.find((candidate) => candidate.topic.name === topic.name);
    if (!consumer) throw new Error(`mailbox does not read ${topic.name}`);
    return consumer;
  }

  const eventsOf = <T extends Topic>(topic: T, messages: readonly MessageOf<T>[]) =>
    messages.map((message) => ({ id: newId(), key: topic.key(message), message, occurredAt: new Date(), trace: {} }));

  async function consume<T extends Topic>(topic: T, messages: readonly MessageOf<T>[]): Promise<void> {
    await db.tx((tx) => handleAlone(consumerOf(topic), tx, eventsOf(topic, messages)));
  }

  return {
    db,
    blobs,
    peers,
    client,
    streams: parts.streams as unknown as {
      details(input: { ownerId: string; emailId: string }): Promise<Readable>;
      callbackContent(input: { emailId: string }): Promise<Readable>;
      attachmentBytes(input: { blobId: string }): Promise<Readable>;
      rawSource(input: { ownerId: string; emailId: string }): Promise<Readable>;
    },
    consume,
    /** What was accepted and what became of it, in one transaction. */
    async consumeTogether(
      mails: readonly MessageOf<typeof topics.mailAccepted>[],
      outcomes: readonly MessageOf<typeof topics.deliverySettled>[],
    ): Promise<void> {
      const { mailAccepted, deliverySettled } = topics;
      const { handler } = consumerOf(mailAccepted);
      expect(consumerOf(deliverySettled).handler).toBe(handler);
      const events: EventsByTopic = new Map<string, IncomingEvent<Message>[]>([
        [mailAccepted.name, eventsOf(mailAccepted, mails)],
        [deliverySettled.name, eventsOf(deliverySettled, outcomes)],
      ]);
      await db.tx((tx) => handler.handle(tx, events));
    },
    /** Parses until nothing is due. */
    async read({
      signal = new AbortController().signal,
      workers: given = workers,
      classes = ["small", "small again", "large"],
    }: {
      signal?: AbortSignal;
      workers?: Workers;
      classes?: readonly JobClass[];
    } = {}): Promise<void> {
      const context = {
        db,
        stores,
        parser: new MessageParser({ db, blobs, ingress: peers.ingress, workers: given, limits, logger, metrics }),
        logger,
        metrics,
        arrivals: new ArrivalFeed(db, logger),
        visibilityTimeoutS: 30,
      };
      const workers = parseWork(context);
      for (let isBusy = true; isBusy; ) {
        isBusy = false;
        for (const which of classes) isBusy = (await workers[which].run(signal)) || isBusy;
      }
    },
    async erase(): Promise<void> {
      const worker = erasureWork({ db, stores, logger, metrics });
      while (await worker.run(new AbortController().signal));
    },
    async expire(retentionDays = 30, linkHours = 24): Promise<void> {
      while (await deleteExpired(db, stores, { retentionDays, linkHours }));
    },
    /** The messages of a topic that were published so far. */
    async published<T extends Topic>(topic: T): Promise<MessageOf<T>[]> {
      const { rows } = await db.query<{ payload: Buffer }>("select payload from outbox where topic = $1 order by id", [
        topic.name,
      ]);
      return rows.map(({ payload }) => fromBinary(topic.schema, payload) as MessageOf<T>);
    },
    async count(table: string): Promise<number> {
      const { rows } = await db.query<{ count: number }>(`select count(*) from ${table}`);
      return rows[0]?.count ?? 0;
    },
    async stop(): Promise<void> {
      await workers.close();
      await stop();
      await db.dispose();
    },
  };
}

export type MailboxUnderTest = Awaited<ReturnType<typeof startMailbox>>;

/** An email that was accepted: forwarded to nobody, not browsed and not called back, unless said otherwise. */
export function accepted(given: MessageInitShape<typeof MailAcceptedSchema> = {}) {
  return create(MailAcceptedSchema, {
    emailId: newId(),
    rawId: newId(),
    bindingId: newId(),
    ownerId: newId(),
    receivedAt: timestampFromDate(new Date()),
    envelopeSender: "sender@example.com",
    recipient: "Shop@postern.localhost",
    proxyAddress: "shop@postern.localhost",
    sizeBytes: 1_000,
    clientAddress: "192.0.2.1",
    clientName: "mx.example.com",
    ...given,
  });
}

export function settled(emailId: string, given: MessageInitShape<typeof DeliverySettledSchema> = {}) {
  return create(DeliverySettledSchema, {
    emailId,
    channel: Channel.FORWARD,
    targetId: targets[0]?.addressId,
    target: targets[0]?.address,
    outcome: Outcome.DELIVERED,
    response: "250 2.0.0 Ok",
    attemptCount: 1,
    settledAt: timestampFromDate(new Date()),
    ...given,
  });
}

export function deferred(emailId: string, given: MessageInitShape<typeof DeliveryDeferredSchema> = {}) {
  return create(DeliveryDeferredSchema, {
    emailId,
    channel: Channel.FORWARD,
    targetId: targets[0]?.addressId,
    target: targets[0]?.address,
    response: "451 4.7.1 Greylisted",
    attemptCount: 1,
    deferredAt: timestampFromDate(new Date()),
    ...given,
  });
}

/** Accepts an email of a browsable binding with these raw bytes, and reads it. */
export async function receive(
  mailbox: MailboxUnderTest,
  raw: string | Buffer,
  given: MessageInitShape<typeof MailAcceptedSchema> = {},
) {
  const mail = accepted({ isBrowsable: true, ...given });
  mailbox.peers.raw.set(mail.rawId, Buffer.from(raw as string));
  if (mail.isBrowsable) mailbox.peers.browsable.set(mail.bindingId, true);
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.read();
  return mail;
}
