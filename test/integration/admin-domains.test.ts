import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../services/platform/ids.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { DnsServer } from "../support/peers/dns-server.ts";
import { type Operator, operator } from "./support/operator.ts";

let own: Operator;
beforeAll(async () => {
  own = await operator();
});
afterAll(() => own.dispose());

test("domains of accounts are listed and looked at", async () => {
  expect((await own.admin("domain list")).answer).toBe("No account has a domain of its own.\n");
  expect(await own.admin("domain check own.example")).toMatchObject({
    exitCode: 1,
    complaint: "No account has added own.example.\n",
  });
  const [ownerId, id] = [newId(), newId()];
  await asSuperuser(own.databaseUrl, "insert into bindings.owner (id) values ($1)", [ownerId]);
  const insert = "insert into bindings.domain (id, owner_id, name, token) values ($1, $2, 'own.example', 'secret')";
  await asSuperuser(own.databaseUrl, insert, [id, ownerId]);
  expect(await own.json("domain list")).toMatchObject([{ id, ownerId, name: "own.example", state: "unverified" }]);
  // Nobody answers, so that nothing is found out.
  const checked = await own.admin("domain check Own.Example.", { DNS_SERVERS: "127.0.0.1:1" });
  expect(checked).toMatchObject({ exitCode: 1, complaint: "" });
  expect(checked.answer).toContain("_postern.own.example.  postern-verify=secret");
});

test("a claim that another account's record stands against does not end the look at a domain", async () => {
  const dns = await DnsServer.start({ "_postern.contested.example TXT": ["postern-verify=one", "postern-verify=two"] });
  try {
    for (const [token, state] of [
      ["one", "unverified"],
      ["two", "verified"],
      ["three", "unverified"],
    ]) {
      const ownerId = newId();
      await asSuperuser(own.databaseUrl, "insert into bindings.owner (id) values ($1)", [ownerId]);
      const insert =
        "insert into bindings.domain (id, owner_id, name, token, state, epoch) values ($1, $2, 'contested.example', $3, $4, 1)";
      await asSuperuser(own.databaseUrl, insert, [newId(), ownerId, token, state]);
    }
    const { answer, complaint } = await own.admin("domain check contested.example", { DNS_SERVERS: dns.address });
    expect(complaint).toBe("");
    for (const token of ["one", "two", "three"]) expect(answer).toContain(`postern-verify=${token}`);
  } finally {
    await dns.stop();
  }
});
