import { expect, test } from "@jest/globals";
import { addressesInHostsFile, addressesOfHost } from "./hosts-file.ts";

const content = `
127.0.0.1	localhost
10.0.0.7  hook.example Other.example # hook.elsewhere
::1 ip6-localhost
fe80::1%eth0 hook.example
nonsense hook.example
2001:db8::7 hook.example
`;

test("a name has every address that is listed for it, whatever its case", () => {
  expect(addressesOfHost(content, "hook.example")).toEqual(["10.0.0.7", "fe80::1%eth0", "2001:db8::7"]);
  expect(addressesOfHost(content, "other.example")).toEqual(["10.0.0.7"]);
  expect(addressesOfHost(content, "hook.elsewhere")).toEqual([]);
});

test("localhost is this machine, without asking anybody", async () => {
  expect(await addressesInHostsFile("localhost")).toEqual(["127.0.0.1", "::1"]);
  expect(await addressesInHostsFile("hook.localhost")).toEqual(["127.0.0.1", "::1"]);
});
