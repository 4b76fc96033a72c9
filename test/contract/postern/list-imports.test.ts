import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { importsPath, lookedAt } from "../support/imports.ts";

test("200 with one's own, newest first; the oldest make room", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  await lookedAt(bert, "alias\na@sl.example\n");
  const ids: unknown[] = [];
  for (let at = 0; at < 12; at += 1) ids.push((await lookedAt(anna, `alias\na${at}@sl.example\n`))["id"]);
  const { status, body } = await anna.ask("GET", importsPath);
  expect(status).toBe(200);
  expect(Object.values(body["data"] ?? {}).map((job) => job?.["id"])).toEqual(ids.reverse().slice(0, 10));
});
