import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { madeRecorder, recorderPath, recordingOf, removalPath } from "../support/recorders.ts";

test("a removed recorder is gone with its calls, the others stay; there is no document", async () => {
  const anna = await newAccount("anna");
  const [gone, kept] = await Promise.all([madeRecorder(anna), madeRecorder(anna)]);
  for (const hash of [gone, kept]) await ask({ method: "POST", path: `${recorderPath}/call/${hash}`, body: "a call" });
  const answer = await anna.ask("DELETE", `${removalPath}/${gone}`);
  expect(answer.status).toBe(204);
  expect(answer.text).toBe("");
  expect((await anna.ask("GET", `${recorderPath}/get/${gone}`)).status).toBe(404);
  expect((await ask({ method: "POST", path: `${recorderPath}/call/${gone}`, body: "late" })).status).toBe(404);
  expect((await anna.ask("GET", `${recorderPath}/get/${kept}`)).body).toEqual(recordingOf("a call", "POST"));
  expect((await anna.ask("DELETE", `${removalPath}/${gone}`)).status).toBe(404);
});
