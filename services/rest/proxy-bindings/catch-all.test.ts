import { expect, test } from "@jest/globals";
import type { Services } from "../services.ts";
import { proxyBindingEndpoints } from "./endpoints.ts";

const caller = { accountId: "a", username: "anna" };
const realAddresses = [
  { address: "on@example.org", isEnabled: true, isVerified: true },
  { address: "off@example.org", isEnabled: false, isVerified: true },
  { address: "new@example.org", isEnabled: true, isVerified: false },
];

/** Of an account that has shop.example with patterns; what is changed is kept in its order. */
function bindingsWith(globs: readonly string[], proxyAddress: string) {
  const changes: unknown[] = [];
  const binding = { proxyAddress, realAddresses, createdAt: "", updatedAt: "" };
  const bindings = {
    get: async () => binding,
    update: async () => {
      changes.push("update");
      return { binding };
    },
    domains: async () => [{ id: "d", name: "shop.example" }],
    domainPatterns: async () => globs.map((glob) => ({ glob })),
    setDomainPatterns: async ({ patterns }: { patterns: readonly unknown[] }) => changes.push(patterns),
  } as unknown as Services["bindings"];
  return { bindings, changes };
}

const endpoint = proxyBindingEndpoints.find(({ method }) => method === "PATCH");

const patch = (services: unknown, key?: unknown) =>
  endpoint?.handle({
    services,
    caller: { ...caller, key },
    path: { id: "b" },
    body: { data: { attributes: { wildcard_auto_create: true } } },
  } as never);

test("one's own domain gets a catch-all behind its patterns, once", async () => {
  const { bindings, changes } = bindingsWith(["sales-*"], "ann@Shop.example");
  await patch({ bindings });
  const catchAll = { glob: "*", targets: ["on@example.org"], creates: true, perHour: 20 };
  expect(changes).toEqual(["update", [{ glob: "sales-*" }, catchAll]]);
  const again = bindingsWith(["sales-*", "*"], "ann@shop.example");
  await patch(again);
  expect(again.changes).toEqual(["update"]);
});

test("the service's domain gets none", async () => {
  const { bindings, changes } = bindingsWith([], "ann@postern.localhost");
  await patch({ bindings });
  expect(changes).toEqual(["update"]);
});

test("a key that may not change domains makes none, and changes nothing else of the binding either", async () => {
  const { bindings, changes } = bindingsWith([], "ann@shop.example");
  const key = { id: "k", scopes: ["alias:write"], domain: null, targetIds: [] };
  await expect(patch({ bindings }, key)).rejects.toMatchObject({ kind: "ScopeMissing" });
  expect(changes).toEqual([]);
});
