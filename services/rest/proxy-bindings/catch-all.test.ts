import { expect, test } from "@jest/globals";
import { proxyBindingEndpoints } from "./endpoints.ts";

const endpoint = proxyBindingEndpoints.find(({ method }) => method === "PATCH");

test("wildcard_auto_create is part of the one change that bindings makes", async () => {
  const calls: unknown[] = [];
  const binding = { proxyAddress: "ann@shop.example", realAddresses: [], createdAt: "", updatedAt: "" };
  const bindings = new Proxy(
    {},
    {
      get: (_, procedure) => async (input: unknown) => {
        calls.push([procedure, input]);
        return { binding };
      },
    },
  );
  const key = { id: "k", scopes: ["alias:write"], domain: null, targetIds: [] };
  await endpoint?.handle({
    services: { bindings },
    caller: { accountId: "a", username: "anna", key },
    path: { id: "b" },
    body: { data: { attributes: { wildcard_auto_create: true } } },
    request: { headers: {} },
  } as never);
  expect(calls).toEqual([["update", expect.objectContaining({ id: "b", apiKey: key, addsCatchAll: true })]]);
});
