import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { newId } from "../../platform/ids.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { countFailures } from "./count-failures.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await forwarderDatabase();
});
afterAll(() => db.dispose());

const failedDeliveries = recordSet({ id: "uuid", bindingId: "uuid", sender: "text" });

test("five failures that two transactions record at the same time suspend the address", async () => {
  const ownerId = newId();
  const failures = Array.from({ length: 5 }, (_, index) => ({
    id: newId(),
    bindingId: newId(),
    sender: `author${index}@a.example`,
  }));
  await db.query(
    `insert into delivery (id, email_id, owner_id, binding_id, address_id, address, domain, envelope_sender, raw_id, size_bytes, received_at)
     select id, id, $1, binding_id, id, 'Real@inbox.example', 'inbox.example', sender, id, 1, now() from ${failedDeliveries.from("failed", 2)}`,
    [ownerId, ...failedDeliveries.params(failures)],
  );
  const ids = failures.map(({ id }) => id);
  const isCounted = Promise.withResolvers<void>();
  const isToCommit = Promise.withResolvers<void>();
  const first = db.tx(async (tx) => {
    await countFailures(tx, ids.slice(0, 3));
    isCounted.resolve();
    await isToCommit.promise;
  });
  await isCounted.promise;
  let isSecondDone = false;
  const second = db
    .tx((tx) => countFailures(tx, ids.slice(3)))
    .then(() => {
      isSecondDone = true;
    });
  const isWaiting = async () => {
    const { rows } = await db.query(
      "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    return rows.length > 0;
  };
  await eventually(async () => expect(isSecondDone || (await isWaiting())).toBe(true));
  isToCommit.resolve();
  await Promise.all([first, second]);
  const { rows } = await db.query<{ address: string }>("select address from suspension where owner_id = $1", [ownerId]);
  expect(rows).toEqual([{ address: "Real@inbox.example" }]);
});
