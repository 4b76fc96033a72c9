import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import { ServedDomains } from "../addresses/served-domains.ts";
import {
  type BindingsUnderTest,
  internalDomain,
  serviceDomain,
  startBindings,
} from "../test-support/bindings-under-test.ts";
import { resolveAddresses } from "./resolve.ts";

let bindings: BindingsUnderTest;
let ownerId: string;
let bindingId: string;

beforeAll(async () => {
  bindings = await startBindings();
  ownerId = bindings.account("owner@bücher.example");
  const { binding } = await bindings.client.create({
    ownerId,
    proxyAddress: `Alice@${serviceDomain}`,
    realAddresses: ["Owner@BÜCHER.example", "unproved@example.org", `quiet@${internalDomain}`],
    callbackUrl: "https://example.com/hook",
    isBrowsable: true,
  });
  bindingId = binding.id;
});

afterAll(() => bindings.stop());

const resolve = async (...addresses: string[]) => bindings.client.resolve({ addresses });
const toAlice = { outcome: "route", route: { proxyAddress: `Alice@${serviceDomain}` } };

test("a route is the binding as of now, with what is enabled, proved and outside the internal domains", async () => {
  const { realAddresses } = await bindings.client.get({ ownerId, id: bindingId });
  expect(await resolve(`alice@${serviceDomain}`)).toEqual([
    {
      outcome: "route",
      address: `alice@${serviceDomain}`,
      route: {
        bindingId,
        ownerId,
        proxyAddress: `Alice@${serviceDomain}`,
        targets: [{ addressId: realAddresses[0]?.id, address: "Owner@xn--bcher-kva.example" }],
        callbackUrl: "https://example.com/hook",
        isBrowsable: true,
        isStorageFull: false,
        unverifiedTargets: [],
        skippedTargets: [{ addressId: realAddresses[1]?.id, address: "unproved@example.org", reason: "unverified" }],
        answers: false,
        hasBlockedContacts: false,
        rules: [],
        newAddress: null,
        refusal: null,
      },
    },
  ]);
});

test("an address that is asked for more than once is answered each time", async () => {
  const [alice, none] = [`alice@${serviceDomain}`, `none@${serviceDomain}`];
  const { rule } = await bindings.client.putRule({ ownerId, bindingId, name: "one", actions: { keepOnly: true } });
  const [once, unknown] = await resolve(alice, none);
  expect(once).toMatchObject({ outcome: "route", route: { rules: [{ id: rule.id }] } });
  expect(await resolve(alice, none, alice, none, alice)).toEqual([once, unknown, once, unknown, once]);
  await bindings.client.removeRule({ ownerId, id: rule.id });
});

test("disabling and proving shows at once", async () => {
  const change = (isEnabled: boolean) =>
    bindings.client.update({
      ownerId,
      id: bindingId,
      realAddresses: [
        { address: "owner@bücher.example", isEnabled },
        { address: "unproved@example.org", isEnabled: true },
      ],
    });
  const targets = async () => {
    const [answer] = await resolve(`alice@${serviceDomain}`);
    return answer?.outcome === "route" ? answer.route.targets.map(({ address }) => address) : [];
  };
  await change(false);
  expect(await targets()).toEqual([]);
  await bindings.client.verify({ token: (await bindings.tokens("unproved@example.org"))[0] ?? "" });
  expect(await targets()).toEqual(["unproved@example.org"]);
  await change(true);
  expect(await targets()).toEqual(["owner@xn--bcher-kva.example", "unproved@example.org"]);
});

test("each address in the order asked, as it was asked, as often as it was asked", async () => {
  const asked = [
    `nobody@${serviceDomain}`,
    `ALICE@${serviceDomain.toUpperCase()}`,
    "alice@example.org",
    `alice@${internalDomain}`,
    `"alice"@${serviceDomain}`,
    `alice@${serviceDomain}`,
    `"a b"@${serviceDomain}`,
    "a\0@example.org",
    `a\ud800@${serviceDomain}`,
    "x@[127.0.0.1]",
    "postmaster",
    "",
    serviceDomain,
    `${"a".repeat(10_000)}@${serviceDomain}`,
  ];
  const answers = await resolve(...asked);
  expect(answers.map(({ address }) => address)).toEqual(asked);
  expect(answers.map(({ outcome }) => outcome)).toEqual([
    "unknown",
    "route",
    "foreign",
    "foreign",
    "route",
    "route",
    "unknown",
    "foreign",
    "unknown",
    "foreign",
    "foreign",
    "foreign",
    "foreign",
    "unknown",
  ]);
  expect(await resolve()).toEqual([]);
});

test("a subaddress leads to the binding, unless it is a binding of its own", async () => {
  expect(await resolve(`alice+shop@${serviceDomain}`, `Alice+a+b@${serviceDomain}`)).toMatchObject([toAlice, toAlice]);
  const { binding } = await bindings.client.create({ ownerId, proxyAddress: `alice+own@${serviceDomain}` });
  expect(
    await resolve(`alice+OWN@${serviceDomain}`, `alice+own+x@${serviceDomain}`, `+alice@${serviceDomain}`),
  ).toMatchObject([{ outcome: "route", route: { bindingId: binding.id } }, toAlice, { outcome: "unknown" }]);
});

test("a verified domain of an account is ours, for that account alone", async () => {
  const insert = "insert into domain (id, name, owner_id, state, token) values ($1, $2, $3, $4, 'token')";
  await bindings.db.query(insert, [newId(), "brought.example", ownerId, "verified"]);
  await bindings.db.query(insert, [newId(), "unverified.example", ownerId, "unverified"]);
  const { binding } = await bindings.client.create({ ownerId, proxyAddress: "me@Brought.example" });
  expect(await resolve("ME@brought.example", "you@brought.example", "me@unverified.example")).toMatchObject([
    { outcome: "route", route: { bindingId: binding.id } },
    { outcome: "unknown" },
    { outcome: "foreign" },
  ]);
  const refused = { kind: "ValidationFailed" };
  const other = bindings.account();
  await expect(bindings.client.create({ ownerId: other, proxyAddress: "x@brought.example" })).rejects.toMatchObject(
    refused,
  );
  await expect(bindings.client.create({ ownerId, proxyAddress: "x@unverified.example" })).rejects.toMatchObject(
    refused,
  );
  // A real address there would send mail round in circles.
  await expect(bindings.client.create({ ownerId: other, realAddresses: ["x@brought.example"] })).rejects.toMatchObject(
    refused,
  );
});

test("a thousand at once is one statement", async () => {
  const addresses = Array.from({ length: 1_000 }, (_, at) =>
    at % 2 ? `alice+${at}@${serviceDomain}` : `nobody${at}@${serviceDomain}`,
  );
  const answers = await bindings.client.resolve({ addresses });
  expect(answers.filter(({ outcome }) => outcome === "route")).toHaveLength(500);
});

test("an address whose binding is made while its route is looked up has that binding's", async () => {
  const name = "meanwhile.example";
  const id = await bindings.verifiedDomain(ownerId, name);
  await bindings.client.setDomainPatterns({ ownerId, id, patterns: [{ glob: "*" }] });
  const [first] = await resolve(`new@${name}`);
  if (first?.outcome !== "route") throw new Error(`no route: ${first?.outcome}`);
  const query: Queryable["query"] = async (sql, params, options) => {
    if (options?.name === "bindings.patterns")
      await bindings.hear(topics.mailAccepted, { emailId: newId(), ...first.route });
    return bindings.db.query(sql, params, options);
  };
  const queryable = { query, copyRows: bindings.db.copyRows };
  const domains = new ServedDomains({ SERVICE_DOMAIN: serviceDomain, internalDomains: [internalDomain] });
  const found = await resolveAddresses(queryable, { domains, refusals: undefined }, [`new@${name}`]);
  const { bindingId } = first.route;
  expect(found).toMatchObject([{ outcome: "route", route: { bindingId, newAddress: null } }]);
  expect(await resolve(`new@${name}`)).toEqual(found);
});
