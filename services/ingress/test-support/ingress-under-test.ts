import { buffer } from "node:stream/consumers";
import { fromBinary } from "@bufbuild/protobuf";
import type { z } from "zod";
import { topics } from "../../../proto/topics.ts";
import { startService } from "../../../test/support/installation/service.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import type { Route } from "../../bindings/contract.ts";
import { ReversePaths } from "../../message/address/reverse-path.ts";
import { blobsConfig, createBlobStore } from "../../platform/blobs/blob-store.ts";
import type { BlobStore } from "../../platform/blobs/types.ts";
import { loadConfig } from "../../platform/config.ts";
import type { Database } from "../../platform/db/types.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import { handleAlone } from "../../platform/events/consumer.ts";
import { newId } from "../../platform/ids.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { ingressContract } from "../contract.ts";
import { ingress } from "../module.ts";
import type { Bindings } from "../receiving/recipients.ts";
import type { SmtpListener } from "../smtp/smtp-listener.ts";

export const route = {
  bindingId: newId(),
  ownerId: newId(),
  proxyAddress: "proxy@postern.localhost",
  targets: [{ addressId: newId(), address: "real@example.net" }],
  callbackUrl: "https://hooks.example/1",
  isBrowsable: true,
  isStorageFull: false,
  unverifiedTargets: [],
  skippedTargets: [],
  answers: false,
  hasBlockedContacts: false,
  rules: [] as z.output<typeof Route>["rules"],
  newAddress: null,
  refusal: null,
};

/** A fake of bindings that knows some names, and records calls. */
class FakeBindings implements Bindings {
  readonly calls: string[][] = [];
  failure: Error | undefined;
  readonly routes = new Map<string, z.output<typeof Route>>([["proxy", route]]);

  /** Of accounts; names lead there as they do on SERVICE_DOMAIN. */
  readonly ownDomains = new Set<string>();

  /** Addresses that every binding has blocked. */
  readonly blocked = new Set<string>();

  readonly blockedBy = async ({ bindingIds, addresses }: { bindingIds: string[]; addresses: string[] }) =>
    addresses.some((address) => this.blocked.has(address.toLowerCase())) ? bindingIds : [];

  /** Binding ids of new addresses that were counted, and how many may be. */
  readonly promised: string[] = [];
  promisable = Number.POSITIVE_INFINITY;

  readonly reserveNewAddresses = async ({ addresses }: { addresses: { bindingId: string }[] }) => {
    if (addresses.length > this.promisable) throw new Refusal("RateLimited", { public: "x" });
    this.promised.push(...addresses.map(({ bindingId }) => bindingId));
    return {};
  };

  /** What rules have refused, by rule. */
  readonly hits = new Map<string, number>();

  readonly countRuleHits = async ({ hits }: { hits: { ruleId: string; count: number }[] }) => {
    for (const { ruleId, count } of hits) this.hits.set(ruleId, (this.hits.get(ruleId) ?? 0) + count);
    return {};
  };

  readonly isAnyReserved = async ({ localParts }: { localParts: string[] }) => ({
    isReserved: localParts.includes("postmaster"),
  });

  readonly resolve: Bindings["resolve"] = async ({ addresses }) => {
    this.calls.push(addresses);
    await new Promise(setImmediate);
    if (this.failure) throw this.failure;
    return addresses.map((address) => {
      const [name = "", domain] = address.toLowerCase().split("@");
      const found = this.routes.get(name);
      if (domain !== "postern.localhost" && !this.ownDomains.has(domain ?? "")) return { outcome: "foreign", address };
      return found ? { outcome: "route", address, route: found } : { outcome: "unknown", address };
    });
  };
}

const forwarder = { dnsRecords: async () => ({ records: [] }) };
const secrets = new Secrets("a secret key of the tests");

/** ingress with a real database and fake peers. */
export class IngressUnderTest {
  readonly db: TestDatabase;
  readonly blobs: BlobStore;
  readonly bindings = new FakeBindings();
  /** Transactions begun so far. */
  transactions = 0;
  /** Makes the database unreachable. */
  isDatabaseGone = false;
  #service: Awaited<ReturnType<typeof startService<typeof ingressContract>>> | undefined;

  private constructor(db: TestDatabase) {
    this.db = db;
    this.blobs = createBlobStore({ db, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<IngressUnderTest> {
    const db = await testDatabase({ schema: "ingress", migrations: new URL("../migrations/", import.meta.url) });
    const started = new IngressUnderTest(db);
    const settings = {
      SMTP_PORT: "0",
      DNS_SERVERS: "127.0.0.1:1",
      OPERATOR_ADDRESS: "operator@example.net",
      ...environment,
    };
    const context = { rpc: { bindings: started.bindings, forwarder } as never, blobs: started.blobs };
    started.#service = await startService(ingress, ingressContract, {
      db: started.#watched(),
      environment: settings,
      secrets,
      context,
    });
    await started.#listener.start();
    return started;
  }

  /** A valid reverse path. */
  reversePath(): string {
    return new ReversePaths(secrets, "postern.localhost").write(newId(), new Date());
  }

  get port(): number {
    return this.#listener.port;
  }

  /** The events in the outbox, in order. */
  async published() {
    const { rows } = await this.db.query<{ topic: string; payload: Buffer }>(
      "select topic, payload from outbox order by id",
    );
    return rows.map(({ topic, payload }) =>
      topic === "mail.accepted"
        ? fromBinary(topics.mailAccepted.schema, payload)
        : fromBinary(topics.mailReturned.schema, payload),
    );
  }

  async rawMessage(rawId = ""): Promise<string> {
    const stream = await this.#parts.streams?.["rawMessage"]?.({ rawId } as never);
    return stream ? (await buffer(stream)).toString("latin1") : "";
  }

  /** Writes the hits of rules that were counted so far. */
  async flushHits(): Promise<void> {
    const hits = this.#parts.tasks?.find(({ name }) => name === "rule-hits");
    if (!hits) throw new Error("ingress has no task rule-hits");
    await hits.stop();
  }

  /** Consumes mail.released. */
  async release(emails: readonly { emailId: string; rawId: string }[]): Promise<void> {
    const [release] = this.#parts.consumers ?? [];
    if (!release) throw new Error("ingress has no consumer");
    await this.db.tx((tx) => handleAlone(release, tx, emails.map((message) => ({ message })) as never));
  }

  async stop(): Promise<void> {
    await this.#listener.stop();
    await this.#service?.stop();
    await this.db.dispose();
  }

  get #parts() {
    if (!this.#service) throw new Error("not started");
    return this.#service.parts;
  }

  get #listener(): SmtpListener {
    return this.#parts.listeners?.[0] as SmtpListener;
  }

  /** The database, with its transactions counted. */
  #watched(): Database {
    const { db } = this;
    const tx: Database["tx"] = (run, options) => {
      this.transactions += 1;
      return this.isDatabaseGone ? Promise.reject(new Outage("database")) : db.tx(run, options);
    };
    return Object.assign(Object.create(db), { tx, query: db.query.bind(db), listen: db.listen.bind(db) });
  }
}
