import { expect, test } from "@jest/globals";
import { pageWithTable } from "./configuration-table.ts";

test("docs/configuration.md lists every variable that the code reads", async () => {
  const { current, renewed } = await pageWithTable();
  expect(current).toBe(renewed);
});
