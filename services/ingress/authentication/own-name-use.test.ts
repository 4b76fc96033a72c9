import { expect, test } from "@jest/globals";
import { parseFields } from "../../message/header/fields.ts";
import { unevaluated } from "./author-verdict.ts";
import { authorsOf } from "./authors.ts";
import { ownNameUse } from "./own-name-use.ts";

function claimOf(address: string, proof: "proved" | "unproved", ownDomains: readonly string[]) {
  const authors = authorsOf(parseFields(Buffer.from(`From: ${address}\r\n`)));
  const verdicts = authors.addresses.map(({ domain }) => ({ ...unevaluated(domain), proof }));
  return ownNameUse(authors, verdicts, "fwd.corp.example", ownDomains);
}

test("an author in the name of a recipient's own domain, or of its organisation, is to be proved", () => {
  for (const address of ["boss@own.example", "boss@mail.own.example"]) {
    expect(claimOf(address, "unproved", ["own.example"])).toMatchObject({ isUnproved: true, localParts: [] });
    expect(claimOf(address, "proved", ["own.example"]).isUnproved).toBe(false);
    expect(claimOf(address, "unproved", []).isUnproved).toBe(false);
  }
  expect(claimOf("boss@own.example", "unproved", ["other.example"]).isUnproved).toBe(false);
});
