import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { lookupError } from "./dns-cache.ts";
import { SpfResults } from "./spf-results.ts";

const sender = { clientAddress: "192.0.2.1", clientName: "client.example", envelopeSender: "ann@x.example" };
let nowMs: number;
let records: string[][] | Error;
const resolver = jest.fn(async () => {
  if (records instanceof Error) throw records;
  return records;
});
let results: SpfResults;

beforeEach(() => {
  nowMs = 1_000;
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
  resolver.mockClear();
  records = [["v=spf1 ip4:192.0.2.1 -all"]];
  results = new SpfResults();
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function evaluate(changed: Partial<typeof sender> = {}): Promise<string> {
  return (await results.evaluate({ ...sender, ...changed }, resolver, "postern.example")).result;
}

test("a sender is evaluated again after five seconds", async () => {
  expect(await evaluate()).toBe("pass");
  records = [["v=spf1 -all"]];
  nowMs += 4_000;
  expect(await evaluate()).toBe("pass");
  nowMs += 2_000;
  expect(await evaluate()).toBe("fail");
});

test("a result is that of its client, its HELO name and its sender alone", async () => {
  expect(await evaluate()).toBe("pass");
  expect(await evaluate({ clientAddress: "192.0.2.2" })).toBe("fail");
  records = [["v=spf1 exists:%{h}.%{l} -all"]];
  await evaluate({ clientName: "other.example" });
  await evaluate({ envelopeSender: "bob@x.example" });
  expect(resolver.mock.calls).toContainEqual(["other.example.ann", "A"]);
  expect(resolver.mock.calls).toContainEqual(["client.example.bob", "A"]);
});

test("what could not be evaluated for the moment is evaluated for the next message", async () => {
  records = lookupError("ETIMEOUT", "TXT of x.example");
  expect(await evaluate()).toBe("temperror");
  records = [["v=spf1 ip4:192.0.2.1 -all"]];
  expect(await evaluate()).toBe("pass");
});

test.each([
  ["a record that matches", "v=spf1 ip4:192.0.2.1 -all"],
  ["a record with an error", "v=spf1 ip4:192.0.2.999"],
])("of %s no more is kept than its result, however long it is", async (_, record) => {
  records = [[record, ` exp=${"x".repeat(60_000)}`]];
  const evaluation = await results.evaluate(sender, resolver, "postern.example");
  expect(JSON.stringify(evaluation).length).toBeLessThan(1_000);
});
