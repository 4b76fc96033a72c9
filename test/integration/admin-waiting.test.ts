import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../services/platform/ids.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { type Operator, operator } from "./support/operator.ts";

let own: Operator;
beforeAll(async () => {
  own = await operator();
});
afterAll(() => own.dispose());

test("what waits is listed without saying for whom, made due, held back and let go", async () => {
  expect((await own.admin("delivery list")).answer).toBe("Nothing waits.\n");
  expect((await own.admin("destination list")).answer).toBe("No mail waits.\n");
  const ids = [newId(), newId()];
  for (const [index, domain] of ["slow.example", "other.example"].entries()) {
    await asSuperuser(
      own.databaseUrl,
      `insert into forwarder.delivery (id, email_id, address, domain, received_at, due_at, attempts)
       values ($1, $1, 'jane@' || $2, $2, '2026-01-01', now() + interval '1 hour',
         '[{"at": "2026-01-01", "response": "451 4.7.1 <jane@slow.example>: try later", "remote": "mx"}]')`,
      [ids[index], domain],
    );
  }
  const listed = await own.admin("delivery list SLOW.example");
  expect(listed.answer).toMatch(
    new RegExp(`^${ids[0]} +slow\\.example +since 2026-01-01\\S+ +1 attempt +451 4\\.7\\.1 +next at \\S+\n$`),
  );
  expect(await own.json("delivery list")).toHaveLength(2);
  expect(JSON.stringify([await own.json("delivery list"), await own.json("destination list")])).not.toContain("jane");

  expect(await own.json("delivery retry --destination slow.example")).toEqual({ count: 1 });
  expect(await own.json("delivery retry --destination slow.example")).toEqual({ count: 0 });
  expect(await own.json(`delivery retry ${ids[1]}`)).toEqual({ count: 1 });
  expect((await own.admin(`delivery retry ${newId()}`)).exitCode).toBe(1);

  await own.admin("destination pause Slow.example");
  expect(await own.json("destination list")).toMatchObject([
    { domain: "other.example", waiting: 1, pausedAt: null },
    { domain: "slow.example", waiting: 1, pausedAt: expect.any(String) },
  ]);
  expect((await own.admin("destination resume slow.example")).answer).toBe("Mail to slow.example goes again.\n");
  expect(await own.admin("destination resume slow.example")).toMatchObject({
    exitCode: 1,
    complaint: "Mail to slow.example is not held back.\n",
  });
});
