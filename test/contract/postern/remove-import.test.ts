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

test("204, and it is gone", async () => {
  const { id } = await lookedAt(anna, "alias\nx@sl.example\n");
  const removed = await anna.ask("DELETE", `${importsPath}/${id}`);
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await anna.ask("GET", `${importsPath}/${id}`)).status).toBe(404);
});

looksMissing({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${importsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
