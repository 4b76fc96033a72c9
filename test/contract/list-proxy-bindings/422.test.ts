import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { bindingsPath } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";

test("an order that there is not", async () => {
  const anna = await newAccount("anna");
  for (const sort of ["", "up", "asc%00", "created_at", "' or 1=1 --"]) {
    const { status, body } = await anna.ask("GET", `${bindingsPath}?sort=${encodeURI(sort)}`);
    expect(status).toBe(422);
    expect(body).toEqual(errorDocument("ValidationFailed", "rest", "sort: expected asc or desc."));
  }
});
