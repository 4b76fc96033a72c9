import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { bindingsOf, createBinding, freshName, madeBinding, unverified } from "../support/bindings.ts";
import { bindingResource } from "../support/documents.ts";

test("an address of the caller's own gives the binding that exists, as it is", async () => {
  const anna = await newAccount("anna");
  const name = freshName();
  const attributes = {
    proxy_address: `${name}@postern.localhost`,
    real_addresses: ["somebody@example.net"],
    description: "there already",
    is_browsable: true,
  };
  const { id, resource } = await madeBinding(anna, attributes);
  const before = await bindingsOf(anna);
  for (const proxy_address of [attributes.proxy_address, `${name.toUpperCase()}@POSTERN.localhost`]) {
    const again = { proxy_address, real_addresses: ["another@example.net"], description: "x", is_browsable: false };
    const { status, body } = await createBinding(anna, again);
    expect(status).toBe(200);
    const kept = { ...attributes, real_addresses: { "somebody@example.net": unverified } };
    expect(body).toEqual({
      meta: { isVerificationEmailSend: false, firstProxyBinding: false },
      data: bindingResource(anna.accountId, kept, id),
    });
    expect(body["data"]).toEqual(resource);
  }
  expect(await bindingsOf(anna)).toEqual(before);
});
