import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import type { DueRow } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";
import { EntryEnded, endEntry } from "./rows.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});

afterAll(() => bindings.stop());

const bindingId = newId();
const own = () => ({ id: bindingId, proxyAddress: `${newId()}@${serviceDomain}` });

async function lookedAt(file: object, ownerId = bindings.account()): Promise<{ ownerId: string; id: string }> {
  const { id } = await bindings.client.importDryRun({ ownerId, source: "postern", content: JSON.stringify(file) });
  return { ownerId, id };
}

/** Everything that is due, until nothing is. */
async function work(): Promise<void> {
  const task = bindings.task("imports");
  if (!(task instanceof DueWorker)) throw new Error("imports are made by another kind of task");
  const worker: DueWorker<DueRow> = task;
  while (await worker.run(new AbortController().signal));
}

async function made({ ownerId, id }: { ownerId: string; id: string }) {
  await bindings.client.startImport({ ownerId, id, makesNewAddresses: true });
  await work();
  return bindings.client.importRows({ ownerId, id, first: 1_000 });
}

const ruleUntil = (expiresAt: string) => ({
  id: newId(),
  bindingId: null,
  domainId: null,
  name: "r",
  conditions: {},
  actions: {},
  expiresAt,
});

test.each(["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"])(
  "an expiry that no column holds is named: %s",
  async (expiresAt) => {
    const looked = lookedAt({ proxyBindings: [], rules: [ruleUntil(expiresAt)] });
    await expect(looked).rejects.toMatchObject({
      kind: "ValidationFailed",
      publicMessage: expect.stringMatching(/^content: .*rules\.0\.expiresAt/),
    });
  },
);

test("an expiry with an offset that PostgreSQL does not know is read as UTC", async () => {
  const looked = await lookedAt({ proxyBindings: [], rules: [ruleUntil("2030-01-02T00:00:00+23:59")] });
  expect(await made(looked)).toMatchObject([{ kind: "rule", state: "done" }]);
  expect(await bindings.client.listRules({ ownerId: looked.ownerId })).toMatchObject([
    { expiresAt: "2030-01-01T00:01:00.000Z" },
  ]);
});

test("an entry that fails here is refused, and the others are made", async () => {
  const looked = await lookedAt({ proxyBindings: [own()], rules: [ruleUntil("2030-01-01T00:00:00Z")] });
  await bindings.db.query(
    `update import_entry set entry = jsonb_set(entry, '{settings,description}', '7') where import_id = $1 and position = 0`,
    [looked.id],
  );
  expect(await made(looked)).toMatchObject([
    { state: "refused", detail: expect.stringMatching(/^Internal/) },
    { state: "done" },
  ]);
  expect(await bindings.client.importJob(looked)).toMatchObject({ state: "done", done: 2 });
});

test("an import that fails in every attempt says so, keeps no key, and what ends a process is not tried for ever", async () => {
  const ownerId = bindings.account();
  const access = { baseUrl: "https://simplelogin.example", key: "k" };
  // Nobody answers there.
  const { id } = await bindings.client.importDryRun({ ownerId, source: "simplelogin-api", ...access });
  const started = await lookedAt({ proxyBindings: [own()] }, ownerId);
  await bindings.client.startImport({ ...started, makesNewAddresses: true });
  await bindings.db.query("update import set attempt_count = case state when 'reading' then 4 else 5 end");
  await work();
  expect(await bindings.client.imports({ ownerId })).toMatchObject([
    { state: "failed", fault: expect.stringContaining("made"), finishedAt: expect.any(String) },
    { state: "failed", fault: expect.stringContaining("read") },
  ]);
  expect((await bindings.db.query("select from import where sealed_key is not null")).rows).toEqual([]);
  await expect(bindings.client.startImport({ ownerId, id, makesNewAddresses: true })).rejects.toMatchObject({
    kind: "Conflict",
  });
});

test("an entry ends once: what a second worker makes of it is rolled back", async () => {
  const looked = await lookedAt({ proxyBindings: [own()] });
  const [entry] = await made(looked);
  const again = bindings.db.tx((tx) =>
    endEntry(
      tx,
      { importId: looked.id, position: 0, entry: { kind: "domain", name: "x.example" } },
      { state: "refused" },
    ),
  );
  await expect(again).rejects.toBeInstanceOf(EntryEnded);
  expect(await bindings.client.importRows({ ...looked, first: 1 })).toEqual([entry]);
});

test("contacts come by imports until an account has as many as an export holds, and those that it has stay", async () => {
  const binding = own();
  const contacts = ["one@x.example", "two@x.example"].map((address) => ({ bindingId, address, name: "n".repeat(200) }));
  const looked = await lookedAt({ proxyBindings: [binding], contacts: contacts.slice(0, 1) });
  expect(await made(looked)).toMatchObject([{ state: "done" }, { state: "done" }]);
  await bindings.db.query(
    `insert into contact (id, owner_id, binding_id, address, address_key, token, made_by)
     select gen_random_uuid(), owner_id, id, n || '@y.example', n || '@y.example', id::text || n, 'owner'
       from binding, generate_series(1, 9999) as n where owner_id = $1`,
    [looked.ownerId],
  );
  const rows = await made(await lookedAt({ proxyBindings: [binding], contacts }, looked.ownerId));
  expect(rows).toMatchObject([
    { state: "done" },
    { state: "done" },
    { state: "refused", detail: expect.stringMatching(/^QuotaExceeded/) },
  ]);
});

test("a contact's name that is too long, and text that is none, cost their row at most", async () => {
  const contacts = [
    { bindingId, address: "a@x.example", name: "n".repeat(201) },
    { bindingId, address: "b@x.example", name: "\ud800" },
  ];
  expect(await made(await lookedAt({ proxyBindings: [own()], contacts }))).toMatchObject([
    { state: "done" },
    { state: "refused", detail: expect.stringContaining("name: ") },
    { state: "done" },
  ]);
});

test("an address that is there twice is made once, however often the import is started", async () => {
  const ownerId = bindings.account();
  const content = "alias\nshop@sl.example\nSHOP@sl.example\n";
  const { id } = await bindings.client.importDryRun({ ownerId, source: "simplelogin", content });
  for (const attempt of [1, 2]) {
    const rows = await made({ ownerId, id });
    expect([attempt, rows]).toMatchObject([
      attempt,
      [{ state: "done" }, { state: "refused", detail: "It is there twice." }],
    ]);
    expect((await bindings.client.list({ ownerId })).totalCount).toBe(1);
  }
});

describe("another service's list", () => {
  const access = { source: "simplelogin-api", baseUrl: "https://simplelogin.example", key: "k" } as const;

  async function read(pages: readonly (readonly string[])[], firstPage = 0) {
    bindings.website = (url) => {
      const names = pages[Number(/\d+$/.exec(url)?.[0]) - firstPage] ?? [];
      return JSON.stringify({ aliases: names.map((name) => ({ email: `${name}@sl.example` })) });
    };
    const ownerId = bindings.account();
    const { id } = await bindings.client.importDryRun({ ownerId, ...access });
    await bindings.db.query("update import set next_page = $2 where id = $1", [id, firstPage]);
    await work();
    const rows = await bindings.client.importRows({ ownerId, id, first: 1_000 });
    return {
      job: await bindings.client.importJob({ ownerId, id }),
      rows: rows.map(({ old, verdict }) => [old, verdict]),
    };
  }

  test("what is there twice on different pages is refused", async () => {
    expect(
      await read([
        ["one", "two"],
        ["ONE", "three"],
      ]),
    ).toMatchObject({
      job: { state: "checked", fault: "", total: 4 },
      rows: [
        ["one@sl.example", "new"],
        ["two@sl.example", "new"],
        ["ONE@sl.example", "refused"],
        ["three@sl.example", "new"],
      ],
    });
  });

  test("says so where it is longer than what is read", async () => {
    expect(await read([["one"], ["two"]], 499)).toMatchObject({
      job: { state: "checked", fault: "No more than its first 1 addresses were read." },
      rows: [["one@sl.example", "new"]],
    });
  });
});
