import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";

// A right password is never throttled, so that one account could fill the table, and the list of its sessions the memory of who asks for it.

const password = "correct horse";
let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;

beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db });
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

/** Adds sessions that are like the account's only one, and older. @param series a digit of their ids @param addressOf SQL, of the number `n` */
async function addOlder(accountId: string, series: number, count: number, addressOf: string): Promise<void> {
  await db.query(
    `insert into session (id, account_id, signing_key_id, is_second_factor_granted, client_address, browser, expires_at)
     select ('00000000-0000-7000-800${series}-' || lpad(n::text, 12, '0'))::uuid, account_id, signing_key_id, false, ${addressOf}, browser, expires_at
       from session, generate_series(1, $2::int) as n where account_id = $1`,
    [accountId, count],
  );
}

test("of one program at one address the newest thousand sessions stay; those from elsewhere are not touched", async () => {
  const username = "program@example.org";
  const { id } = await service.client.addAccount({ username, password });
  await service.client.signIn({ username, password, clientAddress: "192.0.2.1", browser: "cron" });
  await addOlder(id, 1, 1_200, "'192.0.2.1'");
  const atHome = { username, password, clientAddress: "192.0.2.2", browser: "Firefox on Linux" };
  await service.client.signIn(atHome);
  await service.client.signIn({ username, password, clientAddress: "192.0.2.1", browser: "curl" });
  await service.client.signIn({ username, password, clientAddress: "192.0.2.1", browser: "cron" });
  const sessions = await service.client.sessions({ accountId: id });
  const counts = Object.fromEntries(
    Map.groupBy(sessions, ({ browser }) => browser)
      .entries()
      .map(([browser, those]) => [browser, those.length]),
  );
  expect(counts).toEqual({ cron: 1_000, curl: 1, "Firefox on Linux": 1 });
  expect(sessions.at(-1)?.id).toBe("00000000-0000-7000-8001-000000000203");
});

test("of an account the newest five thousand stay, from wherever they are", async () => {
  const username = "everywhere@example.org";
  const { id } = await service.client.addAccount({ username, password });
  await service.client.signIn({ username, password, clientAddress: "192.0.2.1" });
  await addOlder(id, 2, 5_300, "'2001:db8::' || to_hex(n)");
  const { id: last } = await service.client.signIn({ username, password, clientAddress: "192.0.2.1" });
  const sessions = await service.client.sessions({ accountId: id });
  expect([sessions.length, sessions[0]?.id]).toEqual([5_000, last]);
  const { rows } = await db.query("select count(*)::int as count from session where account_id = $1", [id]);
  expect(rows).toEqual([{ count: 5_000 }]);
});
