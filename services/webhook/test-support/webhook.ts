import { Readable } from "node:stream";
import { fromBinary } from "@bufbuild/protobuf";
import { expect } from "@jest/globals";
import { allTopics, type Topic } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { mailboxContract } from "../../mailbox/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { handleAlone } from "../../platform/events/consumer.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { webhookContract } from "../contract.ts";
import { webhook } from "../module.ts";
import { stopAfterTest } from "./egress.ts";
import { mailStored, type StoredEmail } from "./event.ts";

type CallbackContent = StreamClient<typeof mailboxContract>["callbackContent"];

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
export const formerSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD/zfRfxoyWL8=";

/** A service that `stopStarted` stops. */
export async function startWebhook(
  db: Database,
  environment?: Readonly<Record<string, string>>,
): Promise<WebhookUnderTest> {
  const started = await WebhookUnderTest.start(db, environment);
  stopAfterTest(() => started.stop());
  return started;
}

/** The service with peers that answer what a test tells them to. */
export class WebhookUnderTest {
  readonly metrics = createMetrics();
  /** Accounts that auth does not know. */
  readonly closedAccounts = new Set<string>();
  /** What bindings was told to switch off. */
  readonly switchedOff: { bindingId: string; callbackUrl: string }[] = [];
  /** What bindings has for callback URLs, by binding. */
  readonly callbackUrls = new Map<string, string>();
  /** Accounts whose events mailbox publishes. */
  readonly pushed = new Set<string>();
  /** Awaited before mailbox does what it is asked to with the events of an account. */
  beforePush: (isPushed: boolean) => Promise<void> = async () => undefined;
  /** Thrown, one after the other, by whichever peer is asked, before it answers again. */
  readonly troubles: { mailbox: Error[]; auth: Error[]; bindings: Error[] } = { mailbox: [], auth: [], bindings: [] };
  readonly #db: Database;
  #service: ServiceUnderTest<typeof webhookContract> | undefined;

  private constructor(db: Database) {
    this.#db = db;
  }

  static async start(db: Database, environment: Readonly<Record<string, string>> = {}): Promise<WebhookUnderTest> {
    const started = new WebhookUnderTest(db);
    const { metrics } = started;
    const rpc = { auth: started.#auth(), bindings: started.#bindings(), mailbox: started.#pushing() };
    const streams = { mailbox: started.#mailbox() };
    started.#service = await startService(webhook, webhookContract, {
      db,
      environment: { CALLBACK_RETRY_S: "0.05,0.05,0.05", CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", ...environment },
      context: { rpc: rpc as never, streams: streams as never, metrics },
    });
    for (const task of started.#service.parts.tasks ?? []) task.start();
    return started;
  }

  get client() {
    if (!this.#service) throw new Error("is not started");
    return this.#service.client;
  }

  /** Hands events of a topic to whoever consumes it, in one transaction. */
  async handle(topic: Topic, events: readonly IncomingEvent<unknown>[]): Promise<void> {
    const consumer = this.#service?.parts.consumers?.find((candidate) => candidate.topic.name === topic.name);
    if (!consumer) throw new Error(`nobody consumes ${topic.name}`);
    await this.#db.tx((tx) => handleAlone(consumer, tx, events as never));
  }

  /** An email is stored, and its callback due. */
  async store(email: StoredEmail) {
    const event = mailStored(email);
    await this.handle(topicNamed("mail.stored"), [event]);
    return event.message;
  }

  /** Waits until every callback has come to its end, and gives states by email. */
  settled(): Promise<Record<string, string>> {
    return eventually(async () => {
      const { rows } = await this.#db.query<{ emailId: string; state: string }>("select email_id, state from callback");
      expect(rows.filter(({ state }) => state === "waiting")).toEqual([]);
      return Object.fromEntries(rows.map(({ emailId, state }) => [emailId, state]));
    });
  }

  /** Events published so far, in order, with their topic. */
  async published(): Promise<{ topic: string; message: Record<string, unknown> }[]> {
    const { rows } = await this.#db.query<{ topic: string; payload: Buffer }>(
      "select topic, payload from outbox order by id",
    );
    return rows.map(({ topic, payload }) => ({ topic, message: { ...fromBinary(topicNamed(topic).schema, payload) } }));
  }

  async stop(): Promise<void> {
    await Promise.all((this.#service?.parts.tasks ?? []).map((task) => task.stop()));
    await this.#service?.stop();
  }

  #mailbox(): { callbackContent: CallbackContent } {
    return {
      callbackContent: async ({ linksExpireAt = "" }) => {
        this.#trip("mailbox");
        const url = `http://x.example/a?${linksExpireAt}`;
        const head = {
          attachments: [{ filename: "a.txt", mime: "text/plain", sizeBytes: 3, contentId: null, url }],
          recipient: "proxy@postern.localhost",
          receivedAt: "2024-01-20T02:00:46.000Z",
        };
        const payload = { Subject: "Grüße \u2603", "body-plain": "hello\n", attachments: null };
        return Readable.from([`${JSON.stringify(head)}\n`, JSON.stringify(payload)], { objectMode: false });
      },
    };
  }

  #auth() {
    return {
      webhookIdentities: async ({ accountIds }: { accountIds: string[] }) => {
        this.#trip("auth");
        return accountIds
          .filter((accountId) => !this.closedAccounts.has(accountId))
          .map((accountId) => ({ accountId, username: "ann@example.org", secrets: [secret, formerSecret] }));
      },
    };
  }

  #pushing() {
    return {
      pushEvents: async ({ ownerId, isPushed }: { ownerId: string; isPushed: boolean }) => {
        await this.beforePush(isPushed);
        if (isPushed) this.pushed.add(ownerId);
        else this.pushed.delete(ownerId);
        return {};
      },
    };
  }

  #bindings() {
    return {
      getMany: async ({ ids }: { ids: string[] }) => {
        this.#trip("bindings");
        return ids.flatMap((id) => {
          const callbackUrl = this.callbackUrls.get(id);
          return callbackUrl === undefined ? [] : [{ id, callbackUrl }];
        });
      },
      switchOffCallback: async (given: { bindingId: string; callbackUrl: string }) => {
        this.#trip("bindings");
        this.switchedOff.push(given);
        return {};
      },
    };
  }

  #trip(peer: keyof WebhookUnderTest["troubles"]): void {
    const trouble = this.troubles[peer].shift();
    if (trouble) throw trouble;
  }
}

function topicNamed(name: string): Topic {
  const topic = allTopics.find((candidate) => candidate.name === name);
  if (!topic) throw new Error(`there is no topic ${name}`);
  return topic;
}
