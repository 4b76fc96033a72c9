import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { linksPath } from "../support/emails.ts";
import { naming } from "../support/titles.ts";

test("pages that there cannot be", async () => {
  const anna = await newAccount("anna");
  const { id } = await madeBinding(anna, { is_browsable: true });
  for (const size of ["", "0", "-1", "1001", "1.5", "ten", "1e2", "0x10", " 1", "99999999999999999999", "1;"]) {
    const { status, body } = await anna.ask("GET", `${linksPath}/${id}?page[size]=${encodeURIComponent(size)}`);
    expect([size, status]).toEqual([size, 422]);
    const message = "page[size]: expected a whole number from 1 to 1000.";
    expect(body).toEqual(errorDocument("ValidationFailed", "rest", message));
  }
  for (const after of ["", "x", "%00", "' or 1=1 --", "x".repeat(5_000)]) {
    const { status, body } = await anna.ask("GET", `${linksPath}/${id}?page[after]=${encodeURI(after)}`);
    expect([after, status]).toEqual([after, 422]);
    expect(body).toEqual(errorDocument("ValidationFailed", "rest", naming("page[after]")));
  }
});
