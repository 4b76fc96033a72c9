import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { type AuthorIdentity, DmarcResults } from "./dmarc-results.ts";
import { lookupError } from "./dns-cache.ts";

const nobody: AuthorIdentity = { domain: "shop.example", spfDomain: undefined, signatures: [], arc: undefined };
let nowMs: number;
let records: string[][] | Error;
const resolver = jest.fn(async () => {
  if (records instanceof Error) throw records;
  return records;
});
let results: DmarcResults;

beforeEach(() => {
  nowMs = 1_000;
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
  resolver.mockClear();
  records = [["v=DMARC1; p=reject"]];
  results = new DmarcResults();
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function evaluate(identity: Partial<AuthorIdentity> = {}) {
  const found = await results.evaluate({ ...nobody, ...identity }, resolver);
  return found && { result: found.result, policy: found.policy, entry: found.info };
}

test("an author's domain is evaluated again after five seconds", async () => {
  expect(await evaluate()).toMatchObject({ result: "fail", policy: "reject" });
  const { length } = resolver.mock.calls;
  records = [["v=DMARC1; p=none"]];
  nowMs += 4_000;
  expect(await evaluate()).toMatchObject({ result: "fail", policy: "reject" });
  expect(resolver.mock.calls).toHaveLength(length);
  nowMs += 2_000;
  expect(await evaluate()).toMatchObject({ result: "fail", policy: "none" });
});

test("a result is that of its author, of what authenticates it and of its chain alone", async () => {
  expect(await evaluate()).toMatchObject({ result: "fail" });
  expect(await evaluate({ spfDomain: "shop.example" })).toMatchObject({ result: "pass" });
  expect(await evaluate({ spfDomain: "shop.test" })).toMatchObject({ result: "fail" });
  expect(await evaluate({ signatures: [{ domain: "shop.example", underSized: 0 }] })).toMatchObject({ result: "pass" });
  expect(await evaluate({ signatures: [{ domain: "shop.example", underSized: 7 }] })).toMatchObject({ result: "pass" });
  expect(await evaluate({ domain: "other.example" })).toMatchObject({
    entry: expect.stringContaining("other.example"),
  });
  const arc = { status: { result: "pass" } } as AuthorIdentity["arc"];
  expect(await evaluate({ arc })).toMatchObject({ entry: expect.stringContaining(" arc=pass") });
  expect(await evaluate()).toMatchObject({ result: "fail", entry: expect.not.stringContaining(" arc=") });
});

test("how much of a body is signed is told of each message by itself", async () => {
  const underSizedOf = async (underSized: number) => {
    const found = await results.evaluate({ ...nobody, signatures: [{ domain: "shop.example", underSized }] }, resolver);
    return found ? found.alignment.dkim.underSized : undefined;
  };
  expect([await underSizedOf(7), await underSizedOf(0), await underSizedOf(9)]).toEqual([7, 0, 9]);
});

test("what could not be evaluated for the moment is evaluated for the next message", async () => {
  records = lookupError("ETIMEOUT", "TXT of _dmarc.shop.example");
  expect(await evaluate()).toMatchObject({ result: "temperror" });
  records = [["v=DMARC1; p=reject"]];
  expect(await evaluate()).toMatchObject({ result: "fail" });
});

test("no more is kept than the result, however long the record is", async () => {
  records = [["v=DMARC1; p=reject", `; rua=mailto:${"x".repeat(60_000)}`]];
  const found = await results.evaluate(nobody, resolver);
  expect(found).toMatchObject({ result: "fail", policy: "reject" });
  expect(JSON.stringify(found).length).toBeLessThan(1_000);
});
