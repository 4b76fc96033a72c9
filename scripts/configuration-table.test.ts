import { expect, test } from "@jest/globals";
import { readmeWithTable } from "./configuration-table.ts";

test("the README's configuration table says what the code reads", async () => {
  const { current, renewed } = await readmeWithTable();
  expect(current).toBe(renewed);
});
