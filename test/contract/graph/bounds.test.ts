import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { answered, answerOf, ask, post, refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";
import { newcomer, type Person } from "./support/people.ts";

let person: Person;
beforeAll(async () => {
  person = await newcomer();
}, 200_000);

const nested = (levels: number): string =>
  levels === 0 ? "{ id }" : `{ binding { emails(first: 1) { nodes ${nested(levels - 1)} } } }`;

describe("a query that is too large is refused", () => {
  test("by its depth", async () => {
    const { message } = await refused(
      person.ask(`{ receivedEmail(id: "x") ${nested(5)} }`),
      "BAD_USER_INPUT",
      "ValidationFailed",
    );
    expect(message).toMatch(/its depth is 17, of 15 at most/);
  });

  test("by its cost, with `first` where it stands, and however it is spread", async () => {
    const page = `{ proxyBindings(first: 100) { nodes { emails(first: 100) { nodes { id sender subject text html } } } } }`;
    expect((await refused(person.ask(page), "BAD_USER_INPUT", "ValidationFailed")).message).toMatch(/its cost is/);
    const byVariable = `query ($n: Int) { proxyBindings(first: $n) { nodes { emails(first: $n) { nodes { ...email } } } } }
      fragment email on ReceivedEmail { id sender subject text html }`;
    await refused(person.ask(byVariable, { n: 100 }), "BAD_USER_INPUT", "ValidationFailed");
    expect((await person.ask(byVariable, { n: 10 })).errors.map(({ extensions }) => extensions.kind)).toEqual([
      "NotBrowsable",
    ]);
  });

  test("by its aliases, of which a thousand are a thousand calls", async () => {
    const many = Array.from({ length: 40 }, (_, at) => `a${at}: me { id }`).join(" ");
    await refused(person.ask(`{ ${many} }`), "BAD_USER_INPUT", "ValidationFailed");
  });

  test("by fragments that double with every level", async () => {
    const fragments = Array.from(
      { length: 40 },
      (_, at) => `fragment f${at} on Account { ...f${at + 1} ...f${at + 1} }`,
    );
    const query = `{ me { ...f0 } } ${fragments.join("\n")} fragment f40 on Account { id }`;
    const { message } = await refused(person.ask(query), "BAD_USER_INPUT", "ValidationFailed");
    expect(message).toMatch(/its cost is 1099511627777/);
  });

  test("by its words, and by its bytes", async () => {
    await refused(person.ask(`{ me { ${"id ".repeat(5_000)} } }`), "GRAPHQL_PARSE_FAILED", "MalformedRequest");
    const large = await post({ query: `{ me { id } } # ${"x".repeat(300_000)}` });
    await refused(large, "BAD_USER_INPUT", "BodyTooLarge");
    expect(large.status).toBe(413);
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
    [
      "variables of the wrong type",
      { query: "query ($id: ID!) { recorder(id: $id) { id } }", variables: {} },
      "BAD_USER_INPUT",
      "ValidationFailed",
    ],
  ])("%s", async (_case, body, code, kind) => {
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
  const headers = { authorization: `Bearer ${person.bearer}` };
  const unknown = await post({ extensions: { persistedQuery } }, headers);
  expect(unknown.errors[0]?.extensions.code).toBe("PERSISTED_QUERY_NOT_FOUND");
  await answered(post({ query, extensions: { persistedQuery } }, headers));
  expect(await answered(post({ extensions: { persistedQuery } }, headers))).toEqual({ me: { id: person.id } });
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
