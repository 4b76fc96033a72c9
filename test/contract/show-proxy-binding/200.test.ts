import { beforeAll, expect, test } from "@jest/globals";
import { bindingsOf, bindingsPath, type Made, madeBinding } from "../support/bindings.ts";
import { bindingResource } from "../support/documents.ts";
import { newcomer, type Person } from "../support/people.ts";
import { answersHead, answersHoweverAsked } from "../support/sloppy.ts";

let anna: Person;
let made: Made;
beforeAll(async () => {
  anna = await newcomer("anna");
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

answersHoweverAsked(
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
