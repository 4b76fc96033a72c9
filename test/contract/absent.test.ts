import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import { changeBinding, createBinding, madeBinding } from "./support/bindings.ts";
import { internalAddress } from "./support/documents.ts";

// null counts as absent: clients whose languages have no other word for it send it for what they leave out.

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const absent = { description: null, is_browsable: null, real_addresses: null };

test("of a creation, what is null is as it is by default", async () => {
  const { status, body } = await createBinding(anna, { ...absent, proxy_address: null, callback_url: null });
  expect(status).toBe(201);
  const attributes = body["data"]?.["attributes"] ?? {};
  expect(attributes).toMatchObject({ description: "", is_browsable: false, callback_url: "" });
  expect(Object.keys(attributes["real_addresses"] ?? {})).toEqual([expect.stringMatching(internalAddress)]);
});

test("of a change, what is null stays as it is", async () => {
  const { id, resource } = await madeBinding(anna, {
    description: "kept",
    is_browsable: true,
    real_addresses: ["kept@example.org"],
  });
  const { status, body } = await changeBinding(anna, id, absent);
  expect(status).toBe(200);
  expect(body["data"]).toEqual({
    ...resource,
    attributes: { ...resource["attributes"], updated_at: body["data"]?.["attributes"]?.["updated_at"] },
  });
});
