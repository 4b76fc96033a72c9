import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});

afterAll(() => bindings.stop());

const opened = (more: Record<string, unknown> = {}) => ({
  accountId: newId(),
  username: `${newId()}@example.org`,
  ...more,
});
const listOf = async (ownerId: string) => (await bindings.client.list({ ownerId })).bindings;

describe("an account was opened", () => {
  test("by signing up: it gets a binding that leads to its own address", async () => {
    const [one, other] = [opened({ isUsernameVerified: true }), opened()];
    await bindings.hear(topics.accountOpened, one, other);
    expect(await listOf(one.accountId)).toMatchObject([
      {
        isAutomatic: true,
        proxyAddress: expect.stringMatching(/^[a-z-]{23}@postern\.localhost$/),
        description: "Made for you when you signed up: use it where you would rather not give your own address.",
        realAddresses: [{ address: one.username, isEnabled: true, isVerified: true, isVerificationNeeded: false }],
      },
    ]);
    expect(await listOf(other.accountId)).toMatchObject([
      { realAddresses: [{ address: other.username, isVerified: false }] },
    ]);
    expect(await bindings.tokens(other.username)).toEqual([]);
  });

  test("said again, or after the automatic one was removed: no second one", async () => {
    const account = opened();
    await bindings.hear(topics.accountOpened, account, account);
    const [made] = await listOf(account.accountId);
    await bindings.hear(topics.accountOpened, account);
    expect(await listOf(account.accountId)).toEqual([made]);
    await bindings.client.remove({ ownerId: account.accountId, id: made?.id ?? "" });
    await bindings.hear(topics.accountOpened, account);
    expect(await listOf(account.accountId)).toEqual([]);
  });

  test("the first binding that it makes by itself is its first", async () => {
    const account = opened();
    await bindings.hear(topics.accountOpened, account);
    expect(await bindings.client.create({ ownerId: account.accountId })).toMatchObject({ isFirstBinding: true });
  });

  test.each([
    ["by an operator", { isOperatorMade: true }],
    ["under a plain name", { username: "somebody" }],
    ["under an address of this service", { username: `me@${serviceDomain}` }],
  ])("%s: it gets none", async (_, more) => {
    const account = opened(more);
    await bindings.hear(topics.accountOpened, account);
    expect(await listOf(account.accountId)).toEqual([]);
  });

  test("and its address is proved later: proved in every binding", async () => {
    const account = opened();
    await bindings.hear(topics.accountOpened, account);
    await bindings.client.create({ ownerId: account.accountId, realAddresses: [account.username.toUpperCase()] });
    await bindings.hear(topics.accountOpened, { ...account, isUsernameVerified: true });
    for (const { realAddresses } of await listOf(account.accountId))
      expect(realAddresses).toMatchObject([{ isVerified: true }]);
  });

  test("after its first call was answered already: the binding comes all the same", async () => {
    const username = `${newId()}@example.org`;
    const accountId = bindings.account(username, false);
    await bindings.client.create({ ownerId: accountId, realAddresses: [username] });
    await bindings.hear(topics.accountOpened, { accountId, username });
    expect(await listOf(accountId)).toHaveLength(2);
  });

  test("where AUTOMATIC_BINDING is false: it gets none", async () => {
    const without = await startBindings({ AUTOMATIC_BINDING: "false" });
    const account = opened();
    await without.hear(topics.accountOpened, account);
    expect((await without.client.list({ ownerId: account.accountId })).bindings).toEqual([]);
    await without.stop();
  });
});

describe("an account was closed", () => {
  test("all that was kept for it goes, its bindings are said to be removed, its addresses are nobody's for ever", async () => {
    const account = opened({ username: `closing.${newId()}@example.org`, isUsernameVerified: true });
    const { accountId: ownerId, username } = account;
    await bindings.hear(topics.accountOpened, account);
    const proxyAddress = `closing@${serviceDomain}`;
    await bindings.client.create({
      ownerId,
      proxyAddress,
      realAddresses: ["closing.friend@example.org"],
      description: "closing note",
    });
    await bindings.client.addDomain({ ownerId, name: "closing.example" });
    const [automatic, chosen] = [...(await listOf(ownerId))].reverse();
    await bindings.hear(topics.accountDisabled, { accountId: ownerId });
    await bindings.hear(topics.accountStorage, { accountId: ownerId, isFull: true });

    await bindings.hear(topics.accountClosed, { accountId: ownerId });
    const said = (await bindings.said(topics.bindingRemoved)).filter((removed) => removed.ownerId === ownerId);
    expect(said.map(({ bindingId }) => bindingId).sort()).toEqual([automatic?.id, chosen?.id].sort());
    expect(await everythingKept()).not.toMatch(/closing/);
    expect(await bindings.client.resolve({ addresses: [proxyAddress] })).toMatchObject([{ outcome: "unknown" }]);
    const wanted = bindings.client.create({ ownerId: bindings.account(username), proxyAddress });
    await expect(wanted).rejects.toMatchObject({ kind: "AddressTaken" });
    await expect(bindings.client.create({ ownerId })).rejects.toMatchObject({ kind: "NotFound" });
    await bindings.hear(topics.accountStorage, { accountId: ownerId, isFull: true });
    await bindings.hear(topics.sendingSwitched, { accountId: ownerId, isPaused: true });
    for (const [table, id] of [
      ["account_switch", "id"],
      ["full_storage", "owner_id"],
      ["paused_sending", "owner_id"],
    ])
      expect((await bindings.db.query(`select from ${table} where ${id} = $1`, [ownerId])).rows).toEqual([]);
  });

  test("said again, or before it was said to be opened: it stays closed", async () => {
    const account = opened();
    await bindings.hear(topics.accountClosed, { accountId: account.accountId }, { accountId: account.accountId });
    await bindings.hear(topics.accountOpened, account);
    await bindings.hear(topics.accountClosed, { accountId: account.accountId });
    expect(await listOf(account.accountId)).toEqual([]);
    expect(await everythingKept()).not.toContain(account.username);
  });

  /** Every row of every table of the service's own, as text. */
  async function everythingKept(): Promise<string> {
    const tables = [
      "owner",
      "domain",
      "domain_check",
      "domain_epoch",
      "address_claim",
      "binding",
      "real_address",
      "verification_link",
    ];
    const texts = await Promise.all(
      tables.map((table) =>
        bindings.db.query<{ text: string }>(
          `select coalesce(string_agg(${table}::text, ' '), '') as text from ${table}`,
        ),
      ),
    );
    return texts.map(({ rows }) => rows[0]?.text).join(" ");
  }
});

describe("mail was accepted", () => {
  test("property: whatever sets it comes in, each email counts once for its binding", async () => {
    const ownerId = bindings.account();
    const made = await Promise.all(Array.from({ length: 4 }, () => bindings.client.create({ ownerId })));
    const ids = [...made.map(({ binding }) => binding.id), newId()];
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...ids), { minLength: 1 }), { minLength: 1, maxLength: 4 }),
        async (sets) => {
          for (const id of sets.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
          // At once, as by the members of one group.
          await Promise.all(
            sets.map((set) =>
              bindings.hear(topics.mailAccepted, ...set.map((bindingId) => ({ emailId: newId(), bindingId }))),
            ),
          );
          const shown = await bindings.client.getMany({ ownerId, ids });
          for (const { id, receivedEmails } of shown) expect(receivedEmails).toBe(counts.get(id) ?? 0);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("and brought again by the bus: counted once", async () => {
    const ownerId = bindings.account();
    const { binding } = await bindings.client.create({ ownerId });
    const again = await bindings.hear(topics.mailAccepted, { emailId: newId(), bindingId: binding.id });
    await Promise.all([again(), again()]);
    expect((await bindings.client.get({ ownerId, id: binding.id })).receivedEmails).toBe(1);
  });

  test("and counting it is no change of the binding", async () => {
    const ownerId = bindings.account();
    const { binding } = await bindings.client.create({ ownerId });
    await bindings.hear(topics.mailAccepted, { emailId: newId(), bindingId: binding.id });
    const counted = { receivedEmails: 1, lastReceivedAt: expect.any(String) };
    expect(await bindings.client.get({ ownerId, id: binding.id })).toEqual({ ...binding, ...counted });
  });
});

interface Step {
  account: number;
  isClosing: boolean;
  isVerified: boolean;
  /** Whether the bus brings all that it brought so far once more. */
  isRepeated: boolean;
}

test("property: accounts opened and closed, brought in any order and as often as the bus likes, end up the same", async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    account: fc.nat(2),
    isClosing: fc.boolean(),
    isVerified: fc.boolean(),
    isRepeated: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const accounts = [opened(), opened(), opened()];
      await bring(accounts, steps);
      for (const [at, { accountId }] of accounts.entries()) {
        expect(await listOf(accountId)).toMatchObject(expectedOf(steps.filter(({ account }) => account === at)));
      }
    }),
    { numRuns: 25 },
  );
});

async function bring(accounts: ReturnType<typeof opened>[], steps: Step[]): Promise<void> {
  const brought: (() => Promise<void>)[] = [];
  for (const { account, isClosing, isVerified: isUsernameVerified, isRepeated } of steps) {
    const told = { ...(accounts[account] ?? opened()), isUsernameVerified };
    brought.push(
      await (isClosing
        ? bindings.hear(topics.accountClosed, { accountId: told.accountId })
        : bindings.hear(topics.accountOpened, told)),
    );
    if (isRepeated) for (const again of brought) await again();
  }
}

function expectedOf(steps: Step[]): object[] {
  const isThere = steps.length > 0 && steps.every(({ isClosing }) => !isClosing);
  return isThere ? [{ realAddresses: [{ isVerified: steps.some(({ isVerified }) => isVerified) }] }] : [];
}
