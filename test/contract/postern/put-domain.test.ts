import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { domainsPath, freshDomain } from "../support/domains.ts";

test("201, then 200 with the same; 422 for what is no domain", async () => {
  const anna = await newAccount("anna");
  const name = freshDomain();
  const first = await anna.ask("PUT", `${domainsPath}/${name}`);
  const again = await anna.ask("PUT", `${domainsPath}/${name}`);
  expect([first.status, again.status, again.body["data"]?.["id"]]).toEqual([201, 200, first.body["data"]?.["id"]]);
  expect(first.body["data"]).toMatchObject({ name, state: "unverified" });
  expect((await anna.ask("PUT", `${domainsPath}/nothing`)).status).toBe(422);
  expect((await anna.ask("GET", `${domainsPath}/${name.toUpperCase()}`)).body).toEqual(first.body);
  expect((await anna.ask("GET", `${domainsPath}/${name}.`)).body).toEqual(first.body);
  expect((await anna.ask("DELETE", `${domainsPath}/${name}`)).status).toBe(204);
});
