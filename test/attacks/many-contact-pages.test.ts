import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { type MadeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { type TraceCollector, traceCollector } from "../support/peers/trace-collector.ts";

// Many rules are about one address, and each leads to all of its contacts: one query had them counted and sorted hundreds of times at once,
// and whoever sent mail waited for the connections meanwhile.

let collector: TraceCollector;
let installation: Installation;
let rest: RestClient;
let binding: MadeBinding;

const ruleCount = 20;

beforeAll(async () => {
  collector = await traceCollector();
  installation = await startInstallation({ environment: { ...collector.environment, TRUSTED_PROXY_HOPS: "1" } });
  rest = await installation.rest();
  binding = await makeBinding(rest, { real_addresses: [], is_browsable: true });
  const create = "mutation ($input: CreateRuleInput!) { createRule(input: $input) { rule { id } } }";
  const input = { bindingId: binding.id, conditions: { subjectContains: ["x"] }, actions: { refuse: true } };
  for (let count = 0; count < ruleCount; count++) await ask(create, { input });
}, 180_000);
afterAll(async () => {
  await installation?.dispose();
  await collector?.close();
});

/** What it is answered with, and how often contacts were read for it. */
async function ask(query: string, variables: Record<string, unknown> = {}) {
  const traceId = randomBytes(16).toString("hex");
  const traceparent = `00-${traceId}-${randomBytes(8).toString("hex")}-01`;
  const answer = await rest.send("POST", "/graphql", { query, variables }, { traceparent });
  expect(answer.body).not.toHaveProperty("errors");
  const ofRequest = () => collector.spans.filter((span) => span.traceId === traceId);
  // It ends last, and spans come in the order in which they end.
  await eventually(() => expect(ofRequest().map(({ name }) => name)).toContain("HTTP POST"));
  return {
    data: answer.body?.["data"],
    reads: ofRequest().filter(({ name }) => name === "bindings with contact").length,
  };
}

test("contacts are read once for each address, however many rules are about it", async () => {
  const { data, reads } = await ask("{ rules { id binding { id contacts(first: 1) { totalCount } } } }");
  expect(JSON.stringify(data).match(/"totalCount":0/g)).toHaveLength(ruleCount);
  expect(reads).toBe(1);
});

test("and once for each page that is asked for", async () => {
  const pages = ["a: contacts(first: 1)", "b: contacts(first: 2)", 'c: contacts(search: "x")', "d: contacts(first: 1)"];
  const { reads } = await ask(`{ rules { binding { ${pages.map((page) => `${page} { totalCount }`).join(" ")} } } }`);
  expect(reads).toBe(3);
});
