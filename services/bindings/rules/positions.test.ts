import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});

afterAll(() => bindings.stop());

test("a change waits for the counting of hits before it locks a rule, so that the two cannot deadlock", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId });
  const put = async (more: object) => (await bindings.client.putRule({ ownerId, bindingId: binding.id, ...more })).rule;
  const [low, high] = [await put({}), await put({})].map(({ id }) => id).sort();
  let changing: Promise<unknown> = Promise.resolve();
  // As countHits locks them.
  const lock = "select from rule where id = $1 for no key update";
  await bindings.db.tx(async (tx) => {
    await tx.query(lock, [low]);
    changing = put({ id: high, name: "x", position: 0 });
    await eventually(async () => {
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      expect((await bindings.db.query(waiting)).rowCount).toBe(1);
    });
    await tx.query(`${lock} nowait`, [high]);
  });
  await expect(changing).resolves.toMatchObject({ id: high, position: 0 });
});
