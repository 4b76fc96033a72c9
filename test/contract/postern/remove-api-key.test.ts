import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { madeKey } from "../support/api-keys.ts";
import { inSession, keysPath } from "../support/declared-resources.ts";
import { errorDocument } from "../support/documents.ts";

test("204 in a session, and it is worth nothing at once; 403 by the API token, 404 for somebody else's, 409 for two of a name", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const { ask, id } = await madeKey(anna, { name: "mine", scopes: ["alias:read"] });
  const path = `${keysPath}/mine`;
  expect((await anna.ask("DELETE", path)).body).toEqual(errorDocument("FreshProofRequired", "auth"));
  for (const name of ["mine", id]) expect((await inSession(bert, "DELETE", `${keysPath}/${name}`)).status).toBe(404);
  expect((await inSession(anna, "DELETE", path)).status).toBe(204);
  expect((await ask("GET", "/api/v1/proxy-bindings")).status).toBe(403);
  expect((await inSession(anna, "DELETE", path)).status).toBe(404);
  expect((await inSession(anna, "DELETE", `${keysPath}/%00`)).status).toBe(404);
  for (const name of ["twice", "twice"]) await madeKey(anna, { name, scopes: ["alias:read"] });
  expect((await inSession(anna, "DELETE", `${keysPath}/twice`)).status).toBe(409);
});
