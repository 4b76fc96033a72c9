import { expect, test } from "@jest/globals";
import { bindingsPath } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { newcomer } from "../support/people.ts";

test("an order that there is not", async () => {
  const anna = await newcomer("anna");
  for (const sort of ["", "up", "asc%00", "created_at", "' or 1=1 --"]) {
    const { status, body } = await anna.ask("GET", `${bindingsPath}?sort=${encodeURI(sort)}`);
    expect(status).toBe(422);
    expect(body).toEqual(errorDocument("ValidationFailed", "rest", "sort: expected asc or desc."));
  }
});
