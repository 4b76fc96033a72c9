import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { newAccount, signInBody, signInQuestion, type TestAccount } from "./support/accounts.ts";
import { type Answer, ask, askAt } from "./support/ask.ts";
import { bindingBody, bindingsPath, madeBinding } from "./support/bindings.ts";
import { errorDocument } from "./support/documents.ts";
import { linksPath } from "./support/emails.ts";
import { contractInstallation } from "./support/installation.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const unknownId = "01890000-0000-7000-8000-000000000000";

/** What the installation has logged under an id. */
function logged(id: string): Promise<Record<string, unknown>[]> {
  return eventually(async () => {
    const { logPath } = await contractInstallation();
    const lines = (await readFile(logPath, "utf8")).split("\n").filter((line) => line.includes(id));
    expect(lines.length).toBeGreaterThan(0);
    return lines.map((line) => JSON.parse(line));
  });
}

async function askGraph(query: string) {
  const { url } = await contractInstallation();
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", token: anna.token },
    body: JSON.stringify({ query }),
  });
  return (await answer.json()) as { errors: { extensions: { id: string } }[] };
}

const raw = async (method: string, path: string, headers = {}) => {
  const { url } = await contractInstallation();
  return askAt(url, { method, path, headers });
};

const everyService: [string, number, string, string, () => Promise<Answer>][] = [
  ["nothing at this address", 404, "NotFound", "gateway", () => raw("GET", "/nothing")],
  ["nothing under /api/v1", 404, "NotFound", "rest", () => raw("GET", "/api/v1/nothing")],
  ["another method", 405, "MethodNotAllowed", "rest", () => raw("PUT", bindingsPath)],
  ["a path that is no encoding", 400, "MalformedRequest", "rest", () => raw("PATCH", `${bindingsPath}/%ff`)],
  [
    "headers that are too large",
    431,
    "HeadersTooLarge",
    "gateway",
    () => raw("GET", "/", { token: "x".repeat(20_000) }),
  ],
  ["no credentials", 401, "CredentialsMissing", "rest", () => raw("GET", bindingsPath)],
  ["a Token that nobody has", 403, "TokenNotFound", "auth", () => raw("GET", bindingsPath, { token: "x" })],
  ["a wrong password", 401, "WrongUserOrPassword", "auth", () => ask({ ...signInQuestion, body: signInBody("x") })],
  ["a body that is not JSON", 400, "MalformedRequest", "rest", () => anna.ask("POST", bindingsPath, "{")],
  [
    "an address that is none",
    422,
    "ValidationFailed",
    "bindings",
    () => anna.ask("POST", bindingsPath, bindingBody({ proxy_address: "x" })),
  ],
  ["no such binding", 404, "NotFound", "bindings", () => anna.ask("DELETE", `${bindingsPath}/${unknownId}`)],
  ["no such email", 404, "NotFound", "mailbox", () => anna.ask("GET", `/api/v1/received-emails/${unknownId}`)],
  [
    "an inbox that is not browsable",
    403,
    "NotBrowsable",
    "mailbox",
    async () => anna.ask("GET", `${linksPath}/${(await madeBinding(anna)).id}`),
  ],
  ["no such recorder", 404, "NotFound", "webhook", () => raw("POST", "/api/v1/callback/call/x")],
];

test.each(everyService)(
  "%s: the document names who raised it, and its id is in the logs",
  async (_name, status, exception, file, refuse) => {
    const answer = await refuse();
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(errorDocument(exception, file));
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    const [entry] = await logged(String(answer.body["data"]?.["id"]));
    expect(entry).toMatchObject({ level: "info", kind: exception, status });
  },
);

const missing = `proxyBinding(id: "${unknownId}") { id }`;

const refusedInTheGraph: [string, string, string, string][] = [
  ["a bad page size", "ValidationFailed", "bindings", "{ proxyBindings(first: 0) { totalCount } }"],
  ["no such binding", "NotFound", "bindings", `{ one: ${missing} two: ${missing} }`],
  ["fields that do not exist", "ValidationFailed", "gateway", "{ nothing also }"],
  ["a document that cannot be read", "MalformedRequest", "gateway", "{"],
  [
    "a query without a name of those it has",
    "ValidationFailed",
    "gateway",
    "query A { me { id } } query B { me { id } }",
  ],
];

test.each(refusedInTheGraph)("%s, in the graph: its id is in the logs, once", async (_name, kind, service, query) => {
  const answer = await askGraph(query);
  const [id, ...others] = new Set(answer.errors.map(({ extensions }) => extensions.id));
  expect(others).toEqual([]);
  const entries = await logged(String(id));
  expect(entries).toEqual([expect.objectContaining({ level: "info", service, kind, msg: "request refused" })]);
});

test("in the graph, what is refused for another reason has an id of its own", async () => {
  const { errors } = await askGraph(
    `{ few: proxyBindings(first: 0) { totalCount } other: proxyBindings(after: "x") { totalCount } }`,
  );
  const reasons = await Promise.all(errors.map(async ({ extensions }) => (await logged(String(extensions.id)))[0]));
  expect(reasons).toMatchObject([{ path: "few" }, { path: "other" }]);
});

test("every error has an id of its own", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => raw("GET", bindingsPath)));
  expect(new Set(answers.map(({ body }) => body["data"]?.["id"])).size).toBe(20);
});

test("what an endpoint refuses is logged within the trace that a proxy in front began", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const answer = await raw("GET", bindingsPath, { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  const [entry] = await logged(String(answer.body["data"]?.["id"]));
  expect(entry).toMatchObject({ traceId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
});

test("nothing that is answered under /api/v1 is kept by a cache or taken for a page", async () => {
  for (const answer of [await raw("GET", bindingsPath), await anna.ask("GET", bindingsPath)])
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
});
