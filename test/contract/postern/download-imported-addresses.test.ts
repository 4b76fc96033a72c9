import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { expectNotFound } from "../support/expect-not-found.ts";
import { importsPath, lookedAt, made } from "../support/imports.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = String((await lookedAt(await newAccount("bert"), "alias\na@sl.example\n"))["id"]);
});

test("200 with old and new as CSV, and no cell that is a formula", async () => {
  const { id } = await lookedAt(anna, "alias\n=1+1@sl.example\n");
  const [row] = await made(anna, id);
  const answer = await anna.ask("GET", `${importsPath}/${id}/addresses`);
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^text\/csv;/);
  const detail = "sl.example is no domain that you have proved here.";
  expect(answer.text).toBe(
    `"kind","old","new","state","detail"\r\n"address","'=1+1@sl.example","${row?.["new"]}","done","${detail}"\r\n`,
  );
});

expectNotFound({
  who: () => anna,
  method: "GET",
  path: (id) => `${importsPath}/${id}/addresses`,
  foreignId: () => foreignId,
  file: "bindings",
});
