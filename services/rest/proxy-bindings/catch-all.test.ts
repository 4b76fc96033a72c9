import { expect, test } from "@jest/globals";
import type { Services } from "../services.ts";
import { addCatchAll } from "./catch-all.ts";

const caller = { accountId: "a", username: "anna" };
const realAddresses = [
  { address: "on@example.org", isEnabled: true, isVerified: true },
  { address: "off@example.org", isEnabled: false, isVerified: true },
  { address: "new@example.org", isEnabled: true, isVerified: false },
] as never;

/** Of an account that has shop.example with patterns. */
function bindingsWith(globs: readonly string[]) {
  const set: unknown[] = [];
  const bindings = {
    domains: async () => [{ id: "d", name: "shop.example" }],
    domainPatterns: async () => globs.map((glob) => ({ glob })),
    setDomainPatterns: async ({ patterns }: { patterns: readonly unknown[] }) => set.push(patterns),
  } as unknown as Services["bindings"];
  return { bindings, set };
}

test("one's own domain gets a catch-all behind its patterns, once", async () => {
  const { bindings, set } = bindingsWith(["sales-*"]);
  await addCatchAll({ bindings }, caller, { proxyAddress: "ann@Shop.example", realAddresses });
  expect(set).toEqual([[{ glob: "sales-*" }, { glob: "*", targets: ["on@example.org"], creates: true, perHour: 20 }]]);
  const again = bindingsWith(["sales-*", "*"]);
  await addCatchAll(again, caller, { proxyAddress: "ann@shop.example", realAddresses });
  expect(again.set).toEqual([]);
});

test("the service's domain gets none, and a key that may not change domains makes none", async () => {
  const { bindings, set } = bindingsWith([]);
  await addCatchAll({ bindings }, caller, { proxyAddress: "ann@postern.localhost", realAddresses });
  const key = { id: "k", scopes: ["alias:write"], domain: null, targetIds: [] };
  const asked = addCatchAll({ bindings }, { ...caller, key }, { proxyAddress: "ann@shop.example", realAddresses });
  await expect(asked).rejects.toMatchObject({ kind: "ScopeMissing" });
  expect(set).toEqual([]);
});
