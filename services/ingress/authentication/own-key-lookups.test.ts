import { beforeEach, expect, jest, test } from "@jest/globals";
import { Outage } from "../../platform/errors.ts";
import { OwnKeyLookups } from "./own-key-lookups.ts";

const records = [{ name: "r1._domainkey.postern.example", type: "TXT", value: "v=DKIM1; k=rsa; p=AA==" }];
let asked: string[];
let failure: Error | undefined;
let lookups: OwnKeyLookups;

beforeEach(() => {
  asked = [];
  failure = undefined;
  const dns = { lookup: async (name: string) => [[`dns ${name}`]] };
  const forwarder = {
    async dnsRecords() {
      asked.push("forwarder");
      if (failure) throw failure;
      return { records, mtaStsPolicy: { url: "", text: "" } };
    },
  };
  lookups = new OwnKeyLookups(dns, forwarder, "postern.example");
});

test("own keys are forwarder's, whatever is asked for besides is DNS's", async () => {
  expect(await lookups.lookup("R1._domainkey.Postern.example.", "TXT")).toEqual([["v=DKIM1; k=rsa; p=AA=="]]);
  for (const name of ["r1._domainkey.other.example", "postern.example", "_dmarc.postern.example"])
    expect(await lookups.lookup(name, "TXT")).toEqual([[`dns ${name}`]]);
  expect(asked).toHaveLength(1);
});

test("a key that forwarder does not have is none, and whoever names many of them does not make it asked each time", async () => {
  for (const selector of ["a", "b", "c"])
    await expect(lookups.lookup(`${selector}._domainkey.postern.example`, "TXT")).rejects.toMatchObject({
      code: "ENOTFOUND",
    });
  expect(asked).toHaveLength(1);
});

test("a key made since is found once its list is a little old, also by a clock that was set back", async () => {
  jest.useFakeTimers({ now: 3_600_000 });
  await lookups.lookup("r1._domainkey.postern.example", "TXT");
  records.push({ name: "r2._domainkey.postern.example", type: "TXT", value: "new" });
  jest.setSystemTime(0);
  jest.advanceTimersByTime(10_000);
  expect(await lookups.lookup("r2._domainkey.postern.example", "TXT")).toEqual([["new"]]);
  jest.useRealTimers();
});

test("an outage of forwarder is no absence, and not remembered", async () => {
  failure = new Outage("forwarder");
  const name = "r1._domainkey.postern.example";
  await expect(lookups.lookup(name, "TXT")).rejects.toMatchObject({ code: "ESERVFAIL" });
  failure = undefined;
  expect(await lookups.lookup(name, "TXT")).toEqual([["v=DKIM1; k=rsa; p=AA=="]]);
});
