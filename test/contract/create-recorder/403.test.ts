import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { refusesForeignTokens } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";
import { madeRecorder, recorderPath, removalPath } from "../support/recorders.ts";

refusesForeignTokens({ method: "POST", path: recorderPath });

test("no more than the quota, however many are asked for at once; one that was removed makes room", async () => {
  const anna = await newAccount("anna");
  const hash = await madeRecorder(anna);
  const answers = await Promise.all(Array.from({ length: 105 }, () => anna.ask("POST", recorderPath)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(6);
  for (const { status, body } of refused)
    expect([status, body]).toEqual([403, errorDocument("QuotaExceeded", "webhook")]);
  expect((await anna.ask("DELETE", `${removalPath}/${hash}`)).status).toBe(204);
  expect((await anna.ask("POST", recorderPath)).status).toBe(200);
});
