import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { errorDocument } from "../support/documents.ts";
import { addedDomain, domainsPath, freshDomain } from "../support/domains.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

test("201 with the domain and what to publish; 200 with the same for one that is there", async () => {
  const { id, name, domain } = await addedDomain(anna);
  expect(domain).toEqual({ id: expect.any(String), name, state: "unverified", records: expect.any(Array) });
  expect(domain["records"]).toEqual(
    expect.arrayContaining([
      {
        name: `_postern.${name}`,
        type: "TXT",
        expected: expect.stringMatching(/^postern-verify=/),
        found: expect.any(String),
        verdict: "unknown",
      },
      expect.objectContaining({ name, type: "MX" }),
      expect.objectContaining({ name: expect.stringMatching(/^r\d+\._domainkey\./), type: "TXT" }),
      expect.objectContaining({ name: expect.stringMatching(/^e\d+\._domainkey\./), type: "TXT" }),
      expect.objectContaining({ name: `_dmarc.${name}`, type: "TXT" }),
    ]),
  );
  const again = await anna.ask("POST", domainsPath, { name: `${name.toUpperCase()}.` });
  expect(again.status).toBe(200);
  expect(again.body["data"]?.["id"]).toBe(id);
});

test("an international name is its A-labels", async () => {
  const name = `bücher.${freshDomain()}`;
  const answer = await anna.ask("POST", domainsPath, { name });
  expect(answer.body["data"]?.["name"]).toBe(name.replace("bücher", "xn--bcher-kva"));
});

test.each(["postern.localhost", "x.postern.localhost", "localhost", "co.uk", "no host name", "", "192.0.2.1"])(
  "422 for %j",
  async (name) => {
    const answer = await anna.ask("POST", domainsPath, { name });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("name: ");
  },
);

test.each([{}, { name: 1 }, { name: null }, []])("422 for the body %j", async (body) => {
  expect((await anna.ask("POST", domainsPath, body)).status).toBe(422);
});

test("403 for the eleventh", async () => {
  const bert = await newAccount("bert");
  for (let count = 0; count < 10; count++) await addedDomain(bert);
  const answer = await bert.ask("POST", domainsPath, { name: freshDomain() });
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual(errorDocument("QuotaExceeded", "bindings"));
});

test("422 for an address on a domain that is not verified", async () => {
  const { name } = await addedDomain(anna);
  const attributes = { proxy_address: `me@${name}` };
  const answer = await anna.ask("POST", "/api/v1/proxy-bindings", { data: { type: "proxy-bindings", attributes } });
  expect(answer.status).toBe(422);
});
