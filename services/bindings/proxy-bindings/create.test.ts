import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import {
  type BindingsUnderTest,
  internalDomain,
  serviceDomain,
  startBindings,
} from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({ QUOTA_BINDINGS: "5", PUBLIC_URL: "https://mail.example" });
});

afterAll(() => bindings.stop());

test("nothing wanted: an address is made up on both sides", async () => {
  const ownerId = bindings.account();
  const outcome = await bindings.client.create({ ownerId });
  expect(outcome).toEqual({
    isCreated: true,
    isVerificationSent: false,
    isFirstBinding: true,
    binding: {
      id: expect.any(String),
      ownerId,
      proxyAddress: expect.stringMatching(/^[a-z]{5}(-[a-z]{5}){3}@postern\.localhost$/),
      description: "",
      callbackUrl: "",
      isBrowsable: false,
      isAutomatic: false,
      receivedEmails: 0,
      refusedEmails: 0,
      lastRefusal: null,
      lastReceivedAt: null,
      answers: false,
      answersStrangers: false,
      displayName: "",
      sendsEncrypted: false,
      createdAt: expect.any(String),
      updatedAt: outcome.binding.createdAt,
      realAddresses: [
        {
          id: expect.any(String),
          address: expect.stringMatching(/^[a-z-]{23}@int\.postern\.localhost$/),
          isEnabled: true,
          isVerified: false,
          suspendedAt: null,
          isVerificationNeeded: false,
          spfSuffices: false,
        },
      ],
    },
  });
});

test("a real address can be off, and SPF suffice for it, from the start", async () => {
  const targets = [
    { address: "on@example.org", isEnabled: true, spfSuffices: true },
    { address: "off@example.org", isEnabled: false, spfSuffices: false },
  ];
  const { binding } = await bindings.client.create({ ownerId: bindings.account(), realAddresses: targets });
  expect(binding.realAddresses).toMatchObject(targets);
});

test.each([null, "", undefined])("a proxy address of %j and no real addresses are none", async (proxyAddress) => {
  const { binding } = await bindings.client.create({ ownerId: bindings.account(), proxyAddress, realAddresses: [] });
  expect(binding.proxyAddress).toContain(`@${serviceDomain}`);
  expect(binding.realAddresses).toHaveLength(1);
});

test("what is given keeps its spelling, but for the domain of the proxy address, and each unverified address is sent a link", async () => {
  const ownerId = bindings.account();
  const { binding, isVerificationSent } = await bindings.client.create({
    ownerId,
    proxyAddress: "My.Shop@Postern.LOCALHOST",
    realAddresses: [
      "Ann@Bücher.example",
      "bob@example.org",
      `quiet@${internalDomain}`,
      "q@postern-int.int",
      "BOB@example.org",
    ],
    callbackUrl: "https://example.com/hook",
    isBrowsable: true,
    description: "for the shop\n'; drop table binding; --",
  });
  expect(isVerificationSent).toBe(true);
  expect(binding).toMatchObject({
    proxyAddress: "My.Shop@postern.localhost",
    callbackUrl: "https://example.com/hook",
    isBrowsable: true,
    description: "for the shop\n'; drop table binding; --",
  });
  expect(
    binding.realAddresses.map(({ address, isVerified, isVerificationNeeded }) => [
      address,
      isVerified,
      isVerificationNeeded,
    ]),
  ).toEqual([
    ["Ann@Bücher.example", false, true],
    ["bob@example.org", false, true],
    [`quiet@${internalDomain}`, false, false],
    ["q@postern-int.int", false, false],
  ]);
  const notices = (await bindings.said(topics.noticeRequested)).filter(({ text }) => text.includes("My.Shop@"));
  expect(notices.map(({ recipient }) => recipient)).toEqual(["Ann@xn--bcher-kva.example", "bob@example.org"]);
  expect(notices[0]).toMatchObject({ kind: "address-verification", subject: expect.any(String) });
  expect(notices[0]?.text).toMatch(/^ {4}https:\/\/mail\.example\/verify\/[\w-]{43}$/m);
});

test("the account's own address, known to be its owner's, needs no proof", async () => {
  const ownerId = bindings.account("Owner@example.org");
  const { binding, isVerificationSent } = await bindings.client.create({
    ownerId,
    realAddresses: ["owner@EXAMPLE.org"],
  });
  expect(isVerificationSent).toBe(false);
  expect(binding.realAddresses).toMatchObject([{ isVerified: true, isVerificationNeeded: false }]);
});

test("the quota holds when many are made at once, and exactly one is the first", async () => {
  const ownerId = bindings.account();
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => bindings.client.create({ ownerId })));
  const made = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(made).toHaveLength(5);
  expect(made.filter(({ isFirstBinding }) => isFirstBinding)).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      expect(outcome.reason).toMatchObject({
        ...{ kind: "QuotaExceeded", status: 403 },
        publicMessage: "No more than 5 proxy addresses are available to an account.",
      });
  await bindings.client.remove({ ownerId, id: made[0]?.binding.id ?? "" });
  expect(await bindings.client.create({ ownerId })).toMatchObject({ isCreated: true, isFirstBinding: false });
});

const bad: [string, string, Record<string, unknown>][] = [
  ["a foreign domain", "proxyAddress", { proxyAddress: "a@example.org" }],
  ["the internal domain", "proxyAddress", { proxyAddress: `a@${internalDomain}` }],
  ["a reserved local part", "proxyAddress", { proxyAddress: `Postmaster@${serviceDomain}` }],
  ["a reverse path", "proxyAddress", { proxyAddress: `bounce+x@${serviceDomain}` }],
  ["no address", "proxyAddress", { proxyAddress: "nonsense" }],
  ["10,000 characters", "proxyAddress", { proxyAddress: `${"a".repeat(9_980)}@${serviceDomain}` }],
  ["a NUL", "proxyAddress", { proxyAddress: `a\0@${serviceDomain}` }],
  ["a header", "proxyAddress", { proxyAddress: `a@${serviceDomain}\r\nBcc: x@example.org` }],
  ["an unpaired surrogate", "proxyAddress", { proxyAddress: `a\ud800@${serviceDomain}` }],
  ["a wrong address among right ones", "realAddresses[1]", { realAddresses: ["a@example.org", "b"] }],
  ["an empty address", "realAddresses[0]", { realAddresses: [""] }],
  ["a NUL in a real address", "realAddresses[0]", { realAddresses: ["a\0@example.org"] }],
  [
    "an address of the service",
    "realAddresses[1]",
    { realAddresses: ["a@example.org", `b@${serviceDomain.toUpperCase()}`] },
  ],
  [
    "more than ten addresses",
    "realAddresses",
    { realAddresses: Array.from({ length: 11 }, (_, at) => `a${at}@example.org`) },
  ],
  ["a private callback", "callbackUrl", { callbackUrl: "http://10.0.0.1/" }],
  ["a NUL in the description", "description", { description: "a\0b" }],
  ["an unpaired surrogate in the description", "description", { description: "a\udc00" }],
  ["a long description", "description", { description: "a".repeat(10_001) }],
];

test.each(bad)("%s is refused at %s, and nothing is changed", async (_, member, wanted) => {
  const ownerId = bindings.account();
  const before = await footprint();
  const refused = bindings.client.create({ ownerId, ...wanted });
  await expect(refused).rejects.toMatchObject({
    kind: "ValidationFailed",
    status: 422,
    publicMessage: expect.stringMatching(new RegExp(`^${member.replace(/[[\]]/g, "\\$&")}: `)),
  });
  expect(await footprint()).toEqual(before);
});

test("an account that auth does not know gets nothing", async () => {
  await expect(bindings.client.create({ ownerId: "0192b0f0-0000-7000-8000-000000000000" })).rejects.toMatchObject({
    kind: "NotFound",
  });
});

test("while auth is out of reach, an account that was never met is told to come back; one that was met goes on", async () => {
  const [met, unmet] = [bindings.account(), bindings.account()];
  await bindings.client.create({ ownerId: met });
  bindings.isAuthGone = true;
  try {
    await expect(bindings.client.create({ ownerId: unmet })).rejects.toMatchObject({
      kind: "Unavailable",
      status: 503,
    });
    expect(await bindings.client.create({ ownerId: met })).toMatchObject({ isCreated: true });
  } finally {
    bindings.isAuthGone = false;
  }
  expect(await bindings.client.create({ ownerId: unmet })).toMatchObject({ isCreated: true, isFirstBinding: true });
});

async function footprint() {
  const { rows } = await bindings.db.query(
    `select (select count(*) from binding) as bindings, (select count(*) from real_address) as addresses,
            (select count(*) from address_claim) as allocations, (select count(*) from verification_link) as links, (select count(*) from outbox) as events`,
  );
  return rows[0];
}
