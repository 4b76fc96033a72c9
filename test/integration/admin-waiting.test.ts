import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../services/admin/run.ts";
import { newId } from "../../services/platform/ids.ts";
import { servicesOf } from "../../services/targets.ts";
import { asSuperuser, emptyDatabase } from "../support/database.ts";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let dataDir: string;

beforeAll(async () => {
  database = await emptyDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "postern-admin-"));
});

afterAll(async () => {
  await database.dispose();
  await rm(dataDir, { recursive: true });
});

const admin = (words: string) =>
  run(words.split(" "), servicesOf("all", {}).services, { DATABASE_URL: database.url, DATA_DIR: dataDir });
const json = async (words: string) => JSON.parse((await admin(`${words} --json`)).answer);

test("what waits is listed without saying for whom, made due, held back and let go", async () => {
  expect((await admin("delivery list")).answer).toBe("Nothing waits.\n");
  expect((await admin("destination list")).answer).toBe("No mail waits.\n");
  const ids = [newId(), newId()];
  for (const [index, domain] of ["slow.example", "other.example"].entries()) {
    await asSuperuser(
      database.url,
      `insert into forwarder.delivery (id, email_id, address, domain, received_at, due_at, attempts)
       values ($1, $1, 'jane@' || $2, $2, '2026-01-01', now() + interval '1 hour',
         '[{"at": "2026-01-01", "response": "451 4.7.1 <jane@slow.example>: try later", "remote": "mx"}]')`,
      [ids[index], domain],
    );
  }
  const listed = await admin("delivery list SLOW.example");
  expect(listed.answer).toMatch(
    new RegExp(`^${ids[0]} +slow\\.example +since 2026-01-01\\S+ +1 attempt +451 4\\.7\\.1 +next at \\S+\n$`),
  );
  expect(await json("delivery list")).toHaveLength(2);
  expect(JSON.stringify([await json("delivery list"), await json("destination list")])).not.toContain("jane");

  expect(await json("delivery retry --destination slow.example")).toEqual({ count: 1 });
  expect(await json("delivery retry --destination slow.example")).toEqual({ count: 0 });
  expect(await json(`delivery retry ${ids[1]}`)).toEqual({ count: 1 });
  expect((await admin(`delivery retry ${newId()}`)).exitCode).toBe(1);

  await admin("destination pause Slow.example");
  expect(await json("destination list")).toMatchObject([
    { domain: "other.example", waiting: 1, pausedAt: null },
    { domain: "slow.example", waiting: 1, pausedAt: expect.any(String) },
  ]);
  expect((await admin("destination resume slow.example")).answer).toBe("Mail to slow.example goes again.\n");
  expect(await admin("destination resume slow.example")).toMatchObject({
    exitCode: 1,
    complaint: "Mail to slow.example is not held back.\n",
  });
});
