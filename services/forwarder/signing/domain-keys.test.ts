import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DomainChangedSchema } from "../../../proto/gen/postern/bindings/v1/domain_changed_pb.js";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { Sealer } from "../../platform/security/sealing.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { dnsRecords } from "../dns/dns-records.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import type { DomainKey } from "./domain-key-stages.ts";
import { DomainKeys } from "./domain-keys.ts";
import { forgetDomainsOf, recordDomains } from "./own-domains.ts";
import { retireKeys } from "./retire-domain-keys.ts";

const former = "a secret key that was replaced by now";
const purpose = "signing keys of domains";

let db: TestDatabase;
let names = 0;
beforeAll(async () => {
  db = await forwarderDatabase();
});
afterAll(() => db.dispose());

function options(rotatedAfterDays?: number, secrets = new Secrets(former)) {
  return { db, sealer: new Sealer(secrets, purpose), retiredDays: 14, rotatedAfterDays };
}

/** Without what another one of it remembers. */
function keys(secrets = new Secrets(former)): DomainKeys {
  return new DomainKeys(options(undefined, secrets));
}

/** So many days go by for the keys of a domain. */
async function later(domainId: string, days: number) {
  await db.query(
    "update domain_key set signs_from = signs_from - $2 * interval '1 day', signing_since = signing_since - $2 * interval '1 day' where domain_id = $1",
    [domainId, days],
  );
}

const staged = (made: readonly DomainKey[]) => made.map(({ selector, stage }) => `${selector} ${stage}`);

async function changed(
  changes: { domainId: string; ownerId: string; name: string; state: string },
  selectors: string[],
) {
  const message = create(DomainChangedSchema, { ...changes, publishedSelectors: selectors });
  await db.tx((tx) => recordDomains(tx, [message]));
}

/** A verified domain whose keys are published. */
async function published() {
  names += 1;
  const domain = { domainId: newId(), ownerId: newId(), name: `own${names}.example`, state: "verified" };
  const made = await keys().of(domain.domainId);
  const selectors = made.map(({ selector }) => selector);
  await changed(domain, selectors);
  return { ...domain, selectors };
}

const selectorsOf = async (name: string, ownerId: string) =>
  (await keys().identityOf(name, ownerId)).keys.map(({ selector }) => selector);

test("a domain has two keys of its own, made once, whoever asks first", async () => {
  const domainId = newId();
  const asked = await Promise.all([keys().of(domainId), keys().of(domainId), keys().of(domainId)]);
  const [first] = asked;
  expect(first?.map(({ algorithm }) => algorithm)).toEqual(["rsa-sha256", "ed25519-sha256"]);
  for (const each of asked) expect(each).toEqual(first);
  expect((await keys().of(newId()))[0]?.publicKey).not.toBe(first?.[0]?.publicKey);
});

test("it is signed for with the keys that are published, and while it is proved", async () => {
  const { selectors, ...domain } = await published();
  expect(await selectorsOf(domain.name, domain.ownerId)).toEqual([...selectors].sort());
  await changed({ ...domain, state: "broken" }, selectors.slice(0, 1));
  expect(await selectorsOf(domain.name, domain.ownerId)).toEqual(selectors.slice(0, 1));
  for (const [state, seen] of [
    ["verified", []],
    ["unverified", selectors],
  ] as const) {
    await changed({ ...domain, state }, [...seen]);
    expect(await selectorsOf(domain.name, domain.ownerId)).toEqual([]);
  }
});

test("after a takeover mail of the former owner is signed by nobody's keys of it, and the new owner's keys are others", async () => {
  const { selectors: _former, ...domain } = await published();
  const next = { ...domain, domainId: newId(), ownerId: newId() };
  const [key] = await keys().of(next.domainId);
  await changed({ ...domain, state: "removed" }, []);
  await changed(next, [key?.selector ?? ""]);
  expect(await selectorsOf(domain.name, domain.ownerId)).toEqual([]);
  expect(await selectorsOf(domain.name, next.ownerId)).toEqual([key?.selector]);
  const { rowCount } = await db.query("select from domain_key where domain_id = $1", [domain.domainId]);
  expect(rowCount).toBe(0);
});

test("a new key signs once its record is found, the former one again if it vanishes, and goes when its mail has arrived", async () => {
  const { selectors, ...domain } = await published();
  const { domainId, name, ownerId } = domain;
  const [rsa = "", ed25519 = ""] = selectors;
  await retireKeys(options());
  await later(domainId, 300);
  await Promise.all([keys().rotate(domainId), keys().rotate(domainId)]);
  const next = [`${rsa}-2`, `${ed25519}-2`];
  expect(staged(await keys().of(domainId))).toEqual([
    ...[`${rsa} current`, `${next[0]} next`, `${ed25519} current`, `${next[1]} next`],
  ]);
  expect(await selectorsOf(name, ownerId)).toEqual([...selectors].sort());
  await changed(domain, [...selectors, ...next]);
  expect(await selectorsOf(name, ownerId)).toEqual([...next].sort());
  await changed(domain, selectors);
  expect(await selectorsOf(name, ownerId)).toEqual([...selectors].sort());
  await changed(domain, [...selectors, ...next]);
  await retireKeys(options());
  await later(domainId, 13);
  await retireKeys(options());
  const kept = await keys().of(domainId);
  expect(staged(kept)).toEqual([`${rsa} former`, `${next[0]} current`, `${ed25519} former`, `${next[1]} current`]);
  expect(kept[0]?.keepUntil?.getTime()).toBeGreaterThan(Date.now());
  await expect(keys().rotate(domainId)).rejects.toMatchObject({ kind: "Conflict" });
  await later(domainId, 2);
  await retireKeys(options());
  expect(staged(await keys().of(domainId))).toEqual([`${next[0]} current`, `${next[1]} current`]);
});

test("where records are delegated a spare takes over by itself, and a new key takes the former one's name", async () => {
  const { selectors, ...domain } = await published();
  const { domainId, name, ownerId } = domain;
  const delegated = () => new DomainKeys(options(180));
  const [rsa = "", ed25519 = ""] = selectors;
  const spare = [`${rsa}-2`, `${ed25519}-2`];
  const before = await delegated().of(domainId);
  expect(staged(before)).toEqual([...[`${rsa} current`, `${spare[0]} next`, `${ed25519} current`, `${spare[1]} next`]]);
  await changed(domain, [...selectors, ...spare]);
  expect(await selectorsOf(name, ownerId)).toEqual([...selectors].sort());
  await later(domainId, 181);
  expect(await selectorsOf(name, ownerId)).toEqual([...spare].sort());
  await retireKeys(options(180));
  await later(domainId, 15);
  await retireKeys(options(180));
  const after = await delegated().of(domainId);
  expect(staged(after)).toEqual([...[`${spare[0]} current`, `${rsa} next`, `${spare[1]} current`, `${ed25519} next`]]);
  expect(after[1]?.publicKey).not.toBe(before[0]?.publicKey);
  expect(await selectorsOf(name, ownerId)).toEqual([...spare].sort());
});

test.each([
  ["the owner publishes", undefined],
  ["delegated", 180],
] as const)(
  "a former key of %s records stays where its successor's record vanishes as it is to go",
  async (_, days) => {
    const { selectors, ...domain } = await published();
    const { domainId, name, ownerId } = domain;
    await retireKeys(options(days));
    if (days === undefined) {
      await later(domainId, 1);
      await keys().rotate(domainId);
    } else await new DomainKeys(options(days)).of(domainId);
    const all = (await keys().of(domainId)).map(({ selector }) => selector);
    await later(domainId, 181);
    await changed(domain, all);
    await retireKeys(options(days));
    await later(domainId, 15);
    const vanished = create(DomainChangedSchema, { ...domain, publishedSelectors: selectors });
    const { retiring } = await db.tx(async (tx) => {
      await recordDomains(tx, [vanished]);
      const work = retireKeys(options(days));
      const isWaiting = eventually(async () => {
        const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        expect((await db.query(waiting)).rows).toHaveLength(1);
      });
      await Promise.race([work, isWaiting]);
      return { retiring: work };
    });
    await retiring;
    expect(await selectorsOf(name, ownerId)).toEqual([...selectors].sort());
  },
);

test("delegated keys have records under SERVICE_DOMAIN, by their domain's id, while it is proved", async () => {
  const { selectors, ...domain } = await published();
  const recordsOf = async () => {
    const mail = { domain: "postern.example", hosts: ["postern.example"], senders: [], keys: [] };
    const records = dnsRecords({ ...mail, delegatedKeys: await keys().ofProvedDomains() });
    return records.filter(({ name }) => name.includes(domain.domainId));
  };
  expect((await recordsOf()).map(({ name }) => name).sort()).toEqual(
    selectors.map((selector) => `${selector}.${domain.domainId}._dkim.postern.example`).sort(),
  );
  expect((await recordsOf())[0]).toMatchObject({ type: "TXT", value: expect.stringMatching(/^v=DKIM1; k=\w+; p=/) });
  await changed({ ...domain, state: "unverified" }, []);
  expect(await recordsOf()).toEqual([]);
});

test("a closed account's domains and keys go", async () => {
  const { domainId, ownerId } = await published();
  await db.tx((tx) => forgetDomainsOf(tx, [ownerId]));
  const { rows } = await db.query<{ left: number }>(
    "select (select count(*) from own_domain where id = $1) + (select count(*) from domain_key where domain_id = $1) as left",
    [domainId],
  );
  expect(rows[0]?.left).toBe(0);
});

test("keys are sealed again while SECRET_KEY is rotated", async () => {
  const { name, ownerId, selectors } = await published();
  const task = keys(new Secrets("the secret key that comes after the former", former)).work(silentLogger);
  task.start();
  const resealed = () => keys(new Secrets("the secret key that comes after the former"));
  await eventually(async () => {
    expect((await resealed().identityOf(name, ownerId)).keys).toHaveLength(selectors.length);
  });
  await task.stop();
});
