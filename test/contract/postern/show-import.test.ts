import { beforeAll, expect, test } from "@jest/globals";
import { importsPath, lookedAt } from "../support/imports.ts";
import { looksMissing } from "../support/missing.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
let foreignId: string;
beforeAll(async () => {
  anna = await newcomer("anna");
  foreignId = String((await lookedAt(await newcomer("bert"), "alias\na@sl.example\n"))["id"]);
});

test("200 with how far it is", async () => {
  const { id } = await lookedAt(anna, "alias\nx@sl.example\n");
  const { status, body } = await anna.ask("GET", `${importsPath}/${id}`);
  expect([status, body["data"]]).toEqual([200, expect.objectContaining({ id, state: "checked", total: 1, done: 0 })]);
});

looksMissing({
  who: () => anna,
  method: "GET",
  path: (id) => `${importsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
