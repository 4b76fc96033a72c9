import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { madeKey } from "../support/api-keys.ts";
import { ask } from "../support/ask.ts";
import { inSession, keysPath } from "../support/declared-resources.ts";
import { errorDocument } from "../support/documents.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

test("201 shows the key this once; 200 where nothing changes, by the API token too; a change holds at once", async () => {
  const path = `${keysPath}/in%20tests`;
  const wanted = { scopes: ["alias:read", "mail:read"], domain: "EXAMPLE.org", targetIds: [anna.username] };
  const first = await inSession(anna, "PUT", path, wanted);
  const { key, ...made } = first.body["data"] ?? {};
  expect([first.status, made]).toEqual([
    201,
    expect.objectContaining({ name: "in tests", domain: "example.org", scopes: wanted.scopes, expiresAt: null }),
  ]);
  for (const [credential, name] of [
    [{ token: anna.token }, path],
    [{ authorization: `Bearer ${anna.bearer}` }, `${keysPath}/${String(made["id"])}`],
  ] as const) {
    const again = await ask({ method: "PUT", path: name, headers: credential, body: wanted });
    expect([again.status, again.body["data"]]).toEqual([200, made]);
  }
  const listed = () => ask({ method: "GET", path: "/api/v1/proxy-bindings", headers: { token: String(key) } });
  expect((await listed()).status).toBe(200);
  const narrowed = await inSession(anna, "PUT", path, { scopes: ["mail:read"] });
  expect([narrowed.status, narrowed.body["data"]]).toMatchObject([
    200,
    { id: made["id"], domain: null, targetIds: [] },
  ]);
  expect((await listed()).body).toEqual(errorDocument("ScopeMissing", "rest"));
});

test("403 for whoever has no fresh proof: the API token makes and changes none, and a key not even looks", async () => {
  const { key, ask: byKey } = await madeKey(anna, { name: "admin", scopes: ["admin"] });
  expect(key).toMatch(/^psk_/);
  const byToken = await anna.ask("PUT", `${keysPath}/more`, { scopes: ["admin"] });
  expect(byToken.body).toEqual(errorDocument("FreshProofRequired", "auth"));
  expect((await anna.ask("PUT", `${keysPath}/admin`, { scopes: ["mail:read"] })).status).toBe(403);
  expect((await byKey("PUT", `${keysPath}/admin`, { scopes: ["admin"] })).body).toEqual(
    errorDocument("ScopeMissing", "rest"),
  );
});

test("404 for an id that is none of one's own, 409 for a name that several have, 422 for what no key can be", async () => {
  const { id } = await madeKey(await newAccount("bert"), { scopes: ["mail:read"] });
  const wanted = { scopes: ["mail:read"] };
  for (const other of [id, randomUUID()])
    expect((await inSession(anna, "PUT", `${keysPath}/${other}`, wanted)).status).toBe(404);
  await madeKey(anna, { name: "twice", scopes: ["mail:read"] });
  await madeKey(anna, { name: "twice", scopes: ["mail:read"] });
  expect((await inSession(anna, "PUT", `${keysPath}/twice`, wanted)).status).toBe(409);
  for (const wrong of [{}, { scopes: [] }, { scopes: ["root"] }, { ...wanted, expiresAt: "2001-01-01T00:00:00Z" }])
    expect((await inSession(anna, "PUT", `${keysPath}/new`, wrong)).status).toBe(422);
});
