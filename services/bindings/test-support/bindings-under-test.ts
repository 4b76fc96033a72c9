import {
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  create as message,
} from "@bufbuild/protobuf";
import type { z } from "zod";
import { type Topic, topics } from "../../../proto/topics.ts";
import { startService } from "../../../test/support/installation/service.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import type { Account } from "../../auth/contract.ts";
import type { Environment } from "../../platform/config.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import { EventProcessor } from "../../platform/events/event-processor.ts";
import { event } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { BackgroundTask } from "../../platform/runtime/polling-task.ts";
import type { BuildContext } from "../../platform/service.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { bindingsContract } from "../contract.ts";
import { bindings } from "../module.ts";

export const serviceDomain = "postern.localhost";
export const internalDomain = `int.${serviceDomain}`;

export interface BindingsUnderTest {
  client: Client<typeof bindingsContract>;
  db: TestDatabase;
  /** An account that auth knows; bindings has heard nothing of it. */
  account(username?: string, isUsernameVerified?: boolean): string;
  /** Adds a domain that is an account's as if its DNS had been looked at; gives its id. */
  verifiedDomain(ownerId: string, name: string): Promise<string>;
  /** While true, auth answers nobody. */
  isAuthGone: boolean;
  /** While true, forwarder answers nobody. */
  isForwarderGone: boolean;
  /** What webhook reads at a URL. */
  website(url: string): string;
  /** Brings events to their consumer in one set, by the inbox, as either bus does; the function given brings the very same again. */
  hear<Schema extends DescMessage>(
    topic: Topic<Schema>,
    ...messages: MessageInitShape<Schema>[]
  ): Promise<() => Promise<void>>;
  /** What lies in the outbox for a topic, oldest first. */
  said<Schema extends DescMessage>(topic: Topic<Schema>): Promise<MessageShape<Schema>[]>;
  /** The tokens of the links sent to an address, in any case, oldest first. */
  tokens(recipient: string): Promise<string[]>;
  /** One of its background tasks, which do not run by themselves here. */
  task(name: string): BackgroundTask;
  stop(): Promise<void>;
}

/** The keys that this test's forwarder has for a domain: others for each. */
export function keysOf(domainId: string) {
  return ["r1", "e1"].map((selector) => {
    const publicKey = Buffer.from(`${selector} ${domainId}`).toString("base64");
    const value = `v=DKIM1; k=rsa; p=${publicKey}`;
    return { selector, publicKey, value, stage: "current" as const, keepUntil: null };
  });
}

/** bindings by itself on a database of its own, with an auth that knows what `account` told it. */
export async function startBindings(environment: Environment = {}): Promise<BindingsUnderTest> {
  const db = await testDatabase({
    schema: "bindings",
    migrations: new URL("../migrations/", import.meta.url),
  });
  const accounts = new Map<string, z.output<typeof Account>>();
  const auth = {
    account: async ({ id }: { id: string }) => {
      if (bindingsUnderTest.isAuthGone) throw new Outage("auth");
      const account = accounts.get(id);
      if (!account) throw new Refusal("NotFound", { public: "There is no such account." });
      return account;
    },
  };
  const forwarder = {
    domainKeys: async ({ domainId }: { domainId: string }) => {
      if (bindingsUnderTest.isForwarderGone) throw new Outage("forwarder");
      return keysOf(domainId);
    },
  };
  const webhook = {
    read: async ({ url }: { url: string }) => {
      return { status: 200, text: bindingsUnderTest.website(url), failure: "" };
    },
  };
  const context = { rpc: { auth, forwarder, webhook } } as unknown as Partial<BuildContext>;
  const service = await startService(bindings, bindingsContract, { db, environment, context });
  const said = async <Schema extends DescMessage>(topic: Topic<Schema>) => {
    const { rows } = await db.query<{ payload: Buffer }>("select payload from outbox where topic = $1 order by id", [
      topic.name,
    ]);
    return rows.map(({ payload }) => fromBinary(topic.schema, payload));
  };
  const bindingsUnderTest: BindingsUnderTest = {
    client: service.client,
    isAuthGone: false,
    isForwarderGone: false,
    website(url) {
      throw new Error(`nobody answers at ${url}`);
    },
    db,
    said,
    account(username = `${newId()}@example.org`, isUsernameVerified = true) {
      const id = newId();
      const flags = {
        isUsernameVerified,
        isOperatorMade: true,
        isOperator: false,
        hasSecondFactor: false,
        isDisabled: false,
      };
      accounts.set(id, { id, username, ...flags, createdAt: new Date().toISOString() });
      return id;
    },
    async verifiedDomain(ownerId, name) {
      const { domain } = await service.client.addDomain({ ownerId, name });
      await db.query("update domain set state = 'verified', epoch = 1 where id = $1", [domain.id]);
      return domain.id;
    },
    async hear(topic, ...messages) {
      const consumer = service.parts.consumers?.find((candidate) => candidate.topic.name === topic.name);
      if (!consumer) throw new Error(`bindings does not read ${topic.name}`);
      const processor = new EventProcessor([consumer], {
        name: "bindings",
        db,
        consumers: [consumer],
        logger: silentLogger,
        metrics: createMetrics(),
      });
      const events = messages.map((content) => event(topic, message(topic.schema, content)));
      const bring = async () => {
        await processor.process(events, new AbortController().signal);
        const { rows } = await db.query<{ error: string }>("select error from dead_event");
        if (rows[0]) throw new Error(`an event died: ${rows[0].error}`);
      };
      await bring();
      return bring;
    },
    async tokens(recipient) {
      const notices = await said(topics.noticeRequested);
      return notices
        .filter((notice) => notice.recipient.toLowerCase() === recipient.toLowerCase())
        .map(({ text }) => /\/verify\/([\w-]+)/.exec(text)?.[1] ?? "");
    },
    task(name) {
      const found = service.parts.tasks?.find((task) => task.name === name);
      if (!found) throw new Error(`bindings has no task "${name}"`);
      return found;
    },
    async stop() {
      await service.stop();
      await db.dispose();
    },
  };
  return bindingsUnderTest;
}
