import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { bindingsOf, bindingsPath, madeBinding } from "../support/bindings.ts";

test("a removed binding is gone, the others stay; there is no document", async () => {
  const anna = await newAccount("anna");
  const kept = await madeBinding(anna);
  const { id } = await madeBinding(anna);
  const answer = await anna.ask("DELETE", `${bindingsPath}/${id}`);
  expect(answer.status).toBe(204);
  expect(answer.text).toBe("");
  expect(answer.headers["content-type"]).toBeUndefined();
  const list = await bindingsOf(anna);
  expect(list["meta"]).toEqual({ usedProxyBindings: 1, availableProxyBindings: 100, isVerificationEmailSend: false });
  expect(Object.values(list["data"] ?? {}).map((each) => each?.["id"])).toEqual([kept.id]);
  expect((await anna.ask("DELETE", `${bindingsPath}/${id}`)).status).toBe(404);
});

test("with a bearer token, a body that means nothing, and the id in capitals", async () => {
  const anna = await newAccount("anna");
  const { id } = await madeBinding(anna);
  const headers = { Authorization: `Bearer ${anna.bearer}`, "Content-Type": "application/json" };
  const answer = await ask({ method: "DELETE", path: `${bindingsPath}/${id.toUpperCase()}`, headers, body: "[]" });
  expect(answer.status).toBe(204);
});
