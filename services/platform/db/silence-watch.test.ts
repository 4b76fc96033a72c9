import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { silentLogger, testDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { isAbsent } from "./connection.ts";
import { openDatabase } from "./database.ts";

/** PostgreSQL, "Message Formats": AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");

test("a server that takes statements and never answers is an outage", async () => {
  const server = createServer((socket) => {
    socket.once("data", () => socket.write(welcome)).on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgres://a:b@127.0.0.1:${port}/x`;
  const deaf = openDatabase({ url, schema: "x", logger: silentLogger, statementTimeoutMs: 50 });
  const asked = await Promise.allSettled([deaf.query("select 1"), deaf.tx((tx) => tx.query("select 1"))]);
  expect(asked).toEqual(asked.map(() => ({ status: "rejected", reason: expect.any(Outage) })));
  await deaf.close();
  server.close();
}, 30_000);

test("a long statement goes on where the server answers others", async () => {
  const database = await testDatabase({ schema: "bindings" });
  const own = openDatabase({ url: database.url, schema: "bindings", logger: silentLogger, poolSize: 1 });
  // The server has been asked by then whether it is there.
  expect((await own.query("select 'slept' as done from pg_sleep(8)")).rows).toEqual([{ done: "slept" }]);
  await own.close();
  await database.dispose();
}, 30_000);

test.each([
  ["nothing listens where it was", "postgres://a:b@127.0.0.1:1/x", true],
  ["its name is not resolved", "postgres://a:b@postgres.invalid/x", false],
])("what is known of a server where %s", async (_name, url, expected) => {
  expect(await isAbsent({ url, schema: "x", statementTimeoutMs: 50 })).toBe(expected);
});
