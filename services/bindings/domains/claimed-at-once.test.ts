import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";
import type { Domain } from "./rows.ts";

const host = "mx.postern.example";

let bindings: BindingsUnderTest;
let dns: DnsServer;
let names = 0;
let name: string;
/** Two accounts that have added one domain. */
let claims: { ownerId: string; id: string; token: string }[];

beforeAll(async () => {
  dns = await DnsServer.start({});
  bindings = await startBindings({ DNS_SERVERS: dns.address, MAIL_HOSTS: host });
});
afterAll(async () => {
  await bindings.stop();
  await dns.stop();
});

beforeEach(async () => {
  names += 1;
  name = `wanted${names}.example`;
  claims = [];
  for (const ownerId of [bindings.account(), bindings.account()]) {
    const { domain } = await bindings.client.addDomain({ ownerId, name });
    for (const record of domain.records)
      if (record.expected && record.type !== "TXT") dns.zone[`${record.name} ${record.type}`] = [record.expected];
    claims.push({ ownerId, id: domain.id, token: tokenOf(domain) });
  }
});

function tokenOf({ records }: Pick<Domain, "records">): string {
  return records.find((record) => record.name === `_postern.${name}`)?.expected ?? "";
}

function publish(tokens: readonly string[]): void {
  dns.zone[`_postern.${name} TXT`] = [...tokens];
}

const states = () => Promise.all(claims.map(async (claim) => (await bindings.client.domain(claim)).state));

test("an answer that was given once takes nothing from who has proved the domain since", async () => {
  const [first, second] = claims;
  publish([second?.token ?? ""]);
  const { checking } = await bindings.db.tx(async (tx) => {
    await tx.query("select from owner where id = $1 for update", [second?.ownerId]);
    const check = bindings.client.checkDomain({ ownerId: second?.ownerId ?? "", id: second?.id ?? "" });
    check.catch(() => undefined);
    // It has asked, and nobody had proved the domain.
    await eventually(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      expect((await bindings.db.query(waiting)).rows).toHaveLength(1);
    });
    await tx.query("update domain set state = 'verified', epoch = 1 where id = $1", [first?.id]);
    return { checking: check };
  });
  await expect(checking).rejects.toMatchObject({ kind: "Conflict" });
  expect(await states()).toEqual(["verified", "unverified"]);
});
