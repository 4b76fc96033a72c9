import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Installation, startInstallation } from "../support/installation/installation.ts";

// Each value that is wrong was told of, with its place: 64 kB of them took 0.4 s of CPU, and were answered with 1.3 MB.

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
}, 180_000);
afterAll(() => installation?.dispose());

async function ask(states: readonly string[]) {
  const query = "mutation ($states: [WebhookCallState!]) { retryWebhookCalls(states: $states) { __typename } }";
  const response = await fetch(`${installation.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { states } }),
  });
  const text = await response.text();
  return { status: response.status, text, errors: (JSON.parse(text) as { errors: unknown[] }).errors };
}

test("of many wrong values the first is told of, and that there are more", async () => {
  const { status, text, errors } = await ask(Array(10_000).fill("x"));
  expect(status).toBe(400);
  expect(errors).toHaveLength(1);
  expect(text).toContain("More than 10 values of variables are wrong.");
  expect(text).toContain('\\"states[0]\\"');
  expect(text.length).toBeLessThan(1_000);
});

test("of few each is", async () => {
  const { status, text, errors } = await ask(Array(10).fill("x"));
  expect(status).toBe(400);
  expect(errors).toHaveLength(10);
  expect(text).toContain('\\"states[9]\\"');
});
