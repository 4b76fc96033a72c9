import { beforeAll, describe, expect, test } from "@jest/globals";
import { madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";
import { refused } from "./support/ask.ts";

const fields = `id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails createdAt updatedAt
  realAddresses { address isEnabled isVerified isVerificationNeeded } owner { id username }`;
const create = `mutation ($input: CreateProxyBindingInput) {
  createProxyBinding(input: $input) { isCreated isVerificationSent isFirstBinding proxyBinding { ${fields} } }
}`;
const update = `mutation ($id: ID!, $input: UpdateProxyBindingInput!) {
  updateProxyBinding(id: $id, input: $input) { isVerificationSent proxyBinding { ${fields} } }
}`;
const remove = `mutation ($id: ID!) { deleteProxyBinding(id: $id) { id } }`;
const one = `query ($id: ID!) { proxyBinding(id: $id) { ${fields} } }`;
const list = `query ($first: Int, $after: String, $search: String, $sort: Sort) {
  proxyBindings(first: $first, after: $after, search: $search, sort: $sort) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id description }
  }
}`;

let account: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  [account, stranger] = await Promise.all([newAccount(), newAccount()]);
}, 200_000);

describe("createProxyBinding", () => {
  test("makes everything up where nothing is asked for", async () => {
    const made = (await account.get(create))["createProxyBinding"];
    expect(made).toEqual({
      isCreated: true,
      isVerificationSent: false,
      isFirstBinding: true,
      proxyBinding: {
        id: expect.any(String),
        proxyAddress: expect.stringMatching(/@postern\.localhost$/),
        description: "",
        callbackUrl: "",
        isBrowsable: false,
        isAutomatic: false,
        receivedEmails: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updatedAt: expect.any(String),
        realAddresses: [
          {
            address: expect.stringMatching(/@int\.postern\.localhost$/),
            isEnabled: true,
            isVerified: false,
            isVerificationNeeded: false,
          },
        ],
        owner: { id: account.id, username: account.username },
      },
    });
  });

  test("takes what is asked for, and gives an address of one's own as it is", async () => {
    const proxyAddress = `chosen-${Date.now()}@postern.localhost`;
    const input = {
      proxyAddress,
      realAddresses: ["a@example.org"],
      callbackUrl: "https://example.org/hook",
      isBrowsable: true,
      description: "for the newsletter",
    };
    const made = (await account.get(create, { input }))["createProxyBinding"];
    expect(made).toMatchObject({
      isCreated: true,
      isVerificationSent: true,
      isFirstBinding: false,
      proxyBinding: { ...input, realAddresses: [{ address: "a@example.org", isVerificationNeeded: true }] },
    });
    const again = (await account.get(create, { input: { proxyAddress } }))["createProxyBinding"];
    expect(again).toMatchObject({ isCreated: false, proxyBinding: { id: made?.["proxyBinding"]?.["id"] } });
    await refused(stranger.ask(create, { input: { proxyAddress } }), "CONFLICT", "AddressTaken");
  });

  test.each([
    ["an address of another domain", { proxyAddress: "a@example.org" }],
    ["a reserved local part", { proxyAddress: "postmaster@postern.localhost" }],
    ["a real address that is none", { realAddresses: ["nonsense"] }],
    ["a real address of the service", { realAddresses: ["a@postern.localhost"] }],
    ["a callback to a private address", { callbackUrl: "http://10.0.0.1/" }],
    ["a NUL", { description: "a\u0000b" }],
    ["too many real addresses", { realAddresses: Array.from({ length: 11 }, (_, at) => `a${at}@example.org`) }],
  ])("refuses %s", async (_case, input) => {
    await refused(account.ask(create, { input }), "BAD_USER_INPUT", "ValidationFailed");
  });

  test("refuses what has the wrong type, or another name", async () => {
    for (const input of [{ isBrowsable: "yes" }, { proxyAddress: 1 }, { unknown: 1 }])
      await refused(account.ask(create, { input }), "BAD_USER_INPUT", "ValidationFailed");
  });
});

describe("updateProxyBinding", () => {
  test("changes what is named, and leaves the rest", async () => {
    const { id } = await madeBinding(account, { description: "first", realAddresses: ["b@example.org"] });
    const changed = (await account.get(update, { id, input: { isBrowsable: true } }))["updateProxyBinding"];
    expect(changed).toMatchObject({
      isVerificationSent: false,
      proxyBinding: { isBrowsable: true, description: "first" },
    });
    const input = { realAddresses: [{ address: "B@example.org", isEnabled: false }, { address: "c@example.org" }] };
    const moved = (await account.get(update, { id, input }))["updateProxyBinding"];
    expect(moved).toMatchObject({
      isVerificationSent: true,
      proxyBinding: {
        isBrowsable: true,
        realAddresses: [
          { address: "B@example.org", isEnabled: false },
          { address: "c@example.org", isEnabled: true },
        ],
      },
    });
    const unset = { callbackUrl: null, description: "second" };
    await account.get(update, { id, input: { callbackUrl: "https://example.org/" } });
    expect((await account.get(update, { id, input: unset }))["updateProxyBinding"]).toMatchObject({
      proxyBinding: { callbackUrl: "", description: "second", isBrowsable: true },
    });
    const empty = account.ask(update, { id, input: { realAddresses: [] } });
    const { message, extensions } = await refused(empty, "BAD_USER_INPUT", "ValidationFailed");
    expect(message).toMatch(/^realAddresses: /);
    expect(extensions.field).toBe("realAddresses");
    await refused(stranger.ask(update, { id, input: { description: "mine" } }), "NOT_FOUND", "NotFound");
  });

  test("sends another link on request", async () => {
    const { id } = await madeBinding(account, { realAddresses: ["d@example.org"] });
    const resend = `mutation ($id: ID!, $address: String!) { resendVerification(proxyBindingId: $id, address: $address) { proxyBinding { id } } }`;
    expect(await account.get(resend, { id, address: "d@example.org" })).toEqual({
      resendVerification: { proxyBinding: { id } },
    });
    await refused(account.ask(resend, { id, address: "e@example.org" }), "NOT_FOUND", "NotFound");
    await refused(stranger.ask(resend, { id, address: "d@example.org" }), "NOT_FOUND", "NotFound");
  });
});

describe("deleteProxyBinding", () => {
  test("removes it, once, for its owner", async () => {
    const { id } = await madeBinding(account);
    await refused(stranger.ask(remove, { id }), "NOT_FOUND", "NotFound");
    expect(await account.get(remove, { id })).toEqual({ deleteProxyBinding: { id } });
    await refused(account.ask(remove, { id }), "NOT_FOUND", "NotFound");
    await refused(account.ask(one, { id }), "NOT_FOUND", "NotFound");
  });
});

describe("proxyBinding", () => {
  test("is its owner's alone", async () => {
    const { id, proxyAddress } = await madeBinding(account);
    expect((await account.get(one, { id }))["proxyBinding"]).toMatchObject({ id, proxyAddress });
    const theirs = await refused(stranger.ask(one, { id }), "NOT_FOUND", "NotFound");
    for (const missing of ["", "'", "01a1fc5d-b578-77a9-be1a-7ef38a0f0519", "x".repeat(10_000), "a\u0000"]) {
      const { message } = await refused(account.ask(one, { id: missing }), "NOT_FOUND", "NotFound");
      expect(message).toBe(theirs.message);
    }
  });
});

describe("proxyBindings", () => {
  test("come in pages, newest or oldest first, all of them once", async () => {
    const owner = await newAccount();
    for (const description of ["one", "two", "three", "four", "five"]) await madeBinding(owner, { description });
    const described = async (sort?: string) => {
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page = (await owner.get(list, { first: 2, after, sort }))["proxyBindings"] as unknown as Page;
        found.push(...page.nodes.map(({ description }) => description));
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      return found.filter((description) => !description.startsWith("Made for you"));
    };
    expect(await described()).toEqual(["five", "four", "three", "two", "one"]);
    expect(await described("ASC")).toEqual(["one", "two", "three", "four", "five"]);
  });

  test("are searched by address and description", async () => {
    await madeBinding(account, { description: "Needle in a haystack", realAddresses: ["pin@example.org"] });
    const found = (search: string) => account.get(list, { search });
    for (const search of ["needle", "PIN@example"])
      expect((await found(search))["proxyBindings"]).toMatchObject({
        totalCount: 1,
        nodes: [{ description: "Needle in a haystack" }],
      });
    expect((await found("no such thing"))["proxyBindings"]).toEqual({
      totalCount: 0,
      nodes: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  test.each([
    ["no page", { first: 0 }],
    ["too large a page", { first: 101 }],
    ["a cursor that is none", { after: "nonsense" }],
    ["a search that cannot be", { search: "\u0000" }],
  ])("refuse %s", async (_case, variables) => {
    await refused(account.ask(list, variables), "BAD_USER_INPUT", "ValidationFailed");
  });
});

interface Page {
  nodes: { description: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

test("labels that are refused are named as the argument is", async () => {
  const { id } = await madeBinding(account);
  const set = `mutation ($id: ID!, $usedOn: [String!]!) { setUsedOn(id: $id, usedOn: $usedOn) { isVerificationSent } }`;
  const answer = account.ask(set, { id, usedOn: Array.from({ length: 101 }, String) });
  const { message, extensions } = await refused(answer, "BAD_USER_INPUT", "ValidationFailed");
  expect([message, extensions]).toEqual([
    "usedOn: has more than 100 entries.",
    expect.objectContaining({ field: "usedOn" }),
  ]);
});
