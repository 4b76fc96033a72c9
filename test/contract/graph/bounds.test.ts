import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { getIntrospectionQuery } from "graphql";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import { answered, answerOf, ask, post, refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
}, 200_000);

const badInput = ["BAD_USER_INPUT", "ValidationFailed"] as const;

const persisted = (version: number) => ({
  query: "{ me { id } }",
  extensions: { persistedQuery: { version, sha256Hash: "0" } },
});

const nested = (levels: number): string =>
  levels === 0 ? "{ id }" : `{ binding { emails(first: 1) { nodes ${nested(levels - 1)} } } }`;

describe("a query that is too large is refused", () => {
  test("by its depth", async () => {
    const { message } = await refused(
      account.ask(`{ receivedEmail(id: "x") ${nested(5)} }`),
      "BAD_USER_INPUT",
      "ValidationFailed",
    );
    expect(message).toMatch(/its depth is 17, of 15 at most/);
  });

  test("by its cost, with `first` where it stands, and however it is spread", async () => {
    const page = `{ proxyBindings(first: 100) { nodes { emails(first: 100) { nodes { id sender subject text html } } } } }`;
    expect((await refused(account.ask(page), "BAD_USER_INPUT", "ValidationFailed")).message).toMatch(/its cost is/);
    const byVariable = `query ($n: Int) { proxyBindings(first: $n) { nodes { emails(first: $n) { nodes { ...email } } } } }
      fragment email on ReceivedEmail { id sender subject text html }`;
    await refused(account.ask(byVariable, { n: 100 }), "BAD_USER_INPUT", "ValidationFailed");
    expect((await account.ask(byVariable, { n: 10 })).data?.["proxyBindings"]).toMatchObject({
      nodes: expect.any(Array),
    });
  });

  test("by its aliases, of which a thousand are a thousand calls", async () => {
    const many = Array.from({ length: 40 }, (_, at) => `a${at}: me { id }`).join(" ");
    await refused(account.ask(`{ ${many} }`), "BAD_USER_INPUT", "ValidationFailed");
  });

  test("by its aliases within the schema, each of which is all of it once more", async () => {
    const many = Array.from({ length: 40 }, (_, at) => `a${at}: types { ...T }`).join(" ");
    const query = `{ __schema { ${many} } } fragment T on __Type { name fields { name args { name } } }`;
    await refused(ask(query), "BAD_USER_INPUT", "ValidationFailed");
    await answered(ask(getIntrospectionQuery()));
  });

  test("by fragments that double with every level", async () => {
    const fragments = Array.from(
      { length: 40 },
      (_, at) => `fragment f${at} on Account { ...f${at + 1} ...f${at + 1} }`,
    );
    const query = `{ me { ...f0 } } ${fragments.join("\n")} fragment f40 on Account { id }`;
    const { message } = await refused(account.ask(query), "BAD_USER_INPUT", "ValidationFailed");
    expect(message).toMatch(/its cost is 1099511627777/);
  });

  test("by its nesting, whether or not the parser's stack can hold it", async () => {
    for (const levels of [1_000, 1_900]) {
      const query = `{ recorder(id: ${"[".repeat(levels)}${"]".repeat(levels)}) { id } }`;
      const { errors } = await account.ask(query);
      expect(errors.map(({ extensions }) => extensions.code)).not.toContain("INTERNAL_SERVER_ERROR");
      expect(errors.map(({ message }) => message).join()).not.toMatch(/call stack/);
    }
  });

  test("by its words, and by its bytes", async () => {
    await refused(account.ask(`{ me { ${"id ".repeat(1_000)} } }`), "GRAPHQL_PARSE_FAILED", "MalformedRequest");
    const headers = { authorization: `Bearer ${account.bearer}` };
    const padded = (bytes: number) => ({ query: `{ __typename } # ${"x".repeat(bytes)}` });
    await answered(post(padded(200_000), headers));
    const large = await post(padded(300_000), headers);
    await refused(large, "BAD_USER_INPUT", "BodyTooLarge");
    expect(large.status).toBe(413);
  });

  test("by 64 KiB of whoever has not signed in", async () => {
    const padded = (bytes: number) => ({ query: `{ __typename } # ${"x".repeat(bytes)}` });
    await answered(post(padded(60_000)));
    const large = await post(padded(70_000));
    await refused(large, "BAD_USER_INPUT", "BodyTooLarge");
    expect(large.status).toBe(413);
  });
});

/** What is wrong, a document, and its variables. */
const wrongVariables: [string, string, unknown][] = [
  ["missing", "query ($id: ID!) { recorder(id: $id) { id } }", {}],
  ["null", "query ($id: ID!) { recorder(id: $id) { id } }", { id: null }],
  ["an object for an id", "query ($id: ID!) { recorder(id: $id) { id } }", { id: {} }],
  ["a string for an integer", "query ($n: Int) { proxyBindings(first: $n) { totalCount } }", { n: "20" }],
  ["a fraction for an integer", "query ($n: Int) { proxyBindings(first: $n) { totalCount } }", { n: 1.5 }],
  ["too large an integer", "query ($n: Int) { proxyBindings(first: $n) { totalCount } }", { n: 2 ** 31 }],
  ["no value of an enumeration", "query ($s: Sort) { proxyBindings(sort: $s) { totalCount } }", { s: "UP" }],
  [
    "an unknown member",
    "mutation ($i: CreateProxyBindingInput) { createProxyBinding(input: $i) { isCreated } }",
    { i: { colour: "red" } },
  ],
  [
    "a member of the wrong type",
    "mutation ($i: CreateProxyBindingInput) { createProxyBinding(input: $i) { isCreated } }",
    { i: { isBrowsable: "yes" } },
  ],
];

test.each(wrongVariables)("a variable that is %s is bad input", async (_case, query, variables) => {
  const answer = await post({ query, variables }, { authorization: `Bearer ${account.bearer}` });
  await refused(answer, ...badInput);
  expect(answer.status).toBe(400);
});

test("a variable of the right type and a wrong value is bad input of its own field alone", async () => {
  const query = "query ($n: Int) { me { id } proxyBindings(first: $n) { totalCount } }";
  const answer = await account.ask(query, { n: 0 });
  expect(answer.data).toEqual({ me: { id: account.id }, proxyBindings: null });
  expect(await refused(answer, ...badInput)).toMatchObject({
    message: "first: must be from 1 to 100.",
    path: ["proxyBindings"],
    extensions: { service: "bindings" },
  });
});

describe("a request that is none is refused", () => {
  test.each([
    ["not JSON", "{", "BAD_USER_INPUT", "MalformedRequest"],
    ["several at once", [{ query: "{ me { id } }" }], "BAD_REQUEST", "MalformedRequest"],
    ["no query", {}, "BAD_REQUEST", "MalformedRequest"],
    ["not GraphQL", { query: "{" }, "GRAPHQL_PARSE_FAILED", "MalformedRequest"],
    ["an unknown field", { query: "{ nothing }" }, "GRAPHQL_VALIDATION_FAILED", "ValidationFailed"],
    ["a missing argument", { query: "{ recorder { id } }" }, "GRAPHQL_VALIDATION_FAILED", "ValidationFailed"],
    ["an operation that is not there", { query: "{ me { id } }", operationName: "Other" }, ...badInput],
    ["two operations, and none named", { query: "query A { me { id } } query B { me { id } }" }, ...badInput],
    ["a subscription", { query: 'subscription { deliveryChanged(emailId: "x") { id } }' }, ...badInput],
    ["variables that are no object", { query: "{ me { id } }", variables: [] }, "BAD_REQUEST", "MalformedRequest"],
    ["extensions that are no object", { query: "{ me { id } }", extensions: 3 }, "BAD_REQUEST", "MalformedRequest"],
    ["a persisted query of another version", persisted(2), "BAD_REQUEST", "MalformedRequest"],
    ["a persisted query under a wrong hash", persisted(1), "BAD_REQUEST", "MalformedRequest"],
  ] as const)("%s", async (_case, body, code, kind) => {
    const answer = await post(body);
    await refused(answer, code, kind);
    expect(answer.status).toBe(400);
  });

  test("sent as a form by another site (CSRF)", async () => {
    const { url } = await graphInstallation();
    const query = "{ me { id } }";
    for (const type of ["text/plain", "application/x-www-form-urlencoded"])
      expect((await post({ query }, { "content-type": type })).status).toBe(400);
    expect((await fetch(`${url}/graphql?${new URLSearchParams({ query })}`)).status).toBe(400);
    const mutation = new URLSearchParams({ query: "mutation { createRecorder { recorder { id } } }" });
    const byGet = await fetch(`${url}/graphql?${mutation}`, { headers: { "apollo-require-preflight": "1" } });
    expect(byGet.status).toBe(405);
  });
});

test("a persisted query is known by its hash from the second time on", async () => {
  const query = `{ me { id } } # ${Date.now()}`;
  const persistedQuery = { version: 1, sha256Hash: createHash("sha256").update(query).digest("hex") };
  const headers = { authorization: `Bearer ${account.bearer}` };
  const unknown = await post({ extensions: { persistedQuery } }, headers);
  expect(unknown.errors[0]?.extensions.code).toBe("PERSISTED_QUERY_NOT_FOUND");
  await answered(post({ query, extensions: { persistedQuery } }, headers));
  expect(await answered(post({ extensions: { persistedQuery } }, headers))).toEqual({ me: { id: account.id } });
});

test("the schema is told to whoever asks, its fields documented", async () => {
  const { __schema } = await answered(ask(`{ __schema { queryType { fields { name description } } } }`));
  const fields = __schema?.["queryType"]?.["fields"] as unknown as { name: string; description: string }[];
  expect(fields.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["me", "proxyBindings", "proxyBinding", "receivedEmail", "recorders", "recorder"]),
  );
  expect(fields.every(({ description }) => description)).toBe(true);
});

test("an answer is kept by nobody on its way", async () => {
  const { url } = await graphInstallation();
  const body = JSON.stringify({ query: "{ __typename }" });
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect((await answerOf(response)).data).toEqual({ __typename: "Query" });
});
