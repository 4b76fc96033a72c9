import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { bindingsOf, bindingsPath, type Made, madeBinding } from "../support/bindings.ts";
import { bindingResource } from "../support/documents.ts";
import { acceptsRequestVariants, answersHead } from "../support/request-variants.ts";

let anna: TestAccount;
let made: Made;
beforeAll(async () => {
  anna = await newAccount("anna");
  await madeBinding(anna);
  made = await madeBinding(anna, {
    real_addresses: [anna.username, "somebody@example.net"],
    description: "the one asked for",
    callback_url: "https://example.com/",
    is_browsable: true,
  });
});

const shown = () => ({
  data: bindingResource(
    anna.accountId,
    {
      proxy_address: made.proxyAddress,
      real_addresses: {
        [anna.username]: { is_enabled: true, is_verified: true, is_verification_needed: false },
        "somebody@example.net": { is_enabled: true, is_verified: false, is_verification_needed: true },
      },
      description: "the one asked for",
      callback_url: "https://example.com/",
      is_browsable: true,
    },
    made.id,
  ),
});

acceptsRequestVariants(
  () => anna,
  () => ({ method: "GET", path: `${bindingsPath}/${made.id}` }),
  ({ status, body }) => {
    expect(status).toBe(200);
    expect(body).toEqual(shown());
  },
);

answersHead(
  () => anna,
  () => `${bindingsPath}/${made.id}`,
);

test("it is the very item of the list", async () => {
  const [newest] = Object.values((await bindingsOf(anna))["data"] ?? {});
  const { body } = await anna.ask("GET", `${bindingsPath}/${made.id}`);
  expect(body["data"]).toEqual(newest);
});
