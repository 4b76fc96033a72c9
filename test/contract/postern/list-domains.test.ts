import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { addedDomain, domainsPath } from "../support/domains.ts";

test("200 with the caller's own, by name", async () => {
  const [anna, bert] = [await newAccount("anna"), await newAccount("bert")];
  expect((await anna.ask("GET", domainsPath)).body).toEqual({ data: [] });
  const added = [await addedDomain(anna), await addedDomain(anna)];
  await addedDomain(bert);
  const listed = (await anna.ask("GET", domainsPath)).body["data"] as unknown as { id: string; name: string }[];
  expect(listed.map(({ id }) => id).sort()).toEqual(added.map(({ id }) => id).sort());
  expect(listed.map(({ name }) => name)).toEqual(listed.map(({ name }) => name).sort());
});
