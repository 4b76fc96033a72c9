import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DomainChangedSchema } from "../../../proto/gen/postern/bindings/v1/domain_changed_pb.js";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/database.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { newId } from "../../platform/ids.ts";
import { Sealer } from "../../platform/security/sealing.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { dnsRecords } from "../dns/dns-records.ts";
import { DomainKeys } from "./domain-keys.ts";
import { forgetDomainsOf, recordDomains } from "./own-domains.ts";

const former = "a secret key that was replaced by now";
const purpose = "signing keys of domains";

let db: TestDatabase;
let names = 0;
beforeAll(async () => {
  db = await testDatabase({ schema: "forwarder", migrations: new URL("../migrations/", import.meta.url) });
});
afterAll(() => db.dispose());

/** Without what another one of it remembers. */
function keys(secrets = new Secrets(former)): DomainKeys {
  return new DomainKeys(db, new Sealer(secrets, purpose));
}

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
  const later = () => keys(new Secrets("the secret key that comes after the former"));
  await eventually(async () => {
    expect((await later().identityOf(name, ownerId)).keys).toHaveLength(selectors.length);
  });
  await task.stop();
});
