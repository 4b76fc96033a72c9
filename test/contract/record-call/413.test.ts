import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { codings } from "../support/bodies.ts";
import { errorDocument } from "../support/documents.ts";
import { madeRecorder, recorderPath, recordingOf } from "../support/recorders.ts";

let anna: TestAccount;
let hash: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  hash = await madeRecorder(anna);
});

const from = "127.0.2.113";

test.each([
  ["told in advance", {}],
  ["in chunks", { "transfer-encoding": "chunked" }],
])("more than 10 MiB, %s, is not recorded", async (_name, headers) => {
  const body = Buffer.alloc(10 * 1024 * 1024 + 1, "x");
  const answer = await ask({ method: "POST", path: `${recorderPath}/call/${hash}`, headers, body, from });
  expect(answer.status).toBe(413);
  expect(answer.body).toEqual(errorDocument("BodyTooLarge", "rest", "The request body is larger than 10 MiB."));
  expect((await anna.ask("GET", `${recorderPath}/get/${hash}`)).body).toEqual(recordingOf(null, null));
});

test.each(Object.entries(codings))("more than 10 MiB that %s has made small is not recorded", async (coding, code) => {
  const headers = { "content-encoding": coding };
  const body = code(Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
  const answer = await ask({ method: "POST", path: `${recorderPath}/call/${hash}`, headers, body, from });
  expect(answer.status).toBe(413);
  expect((await anna.ask("GET", `${recorderPath}/get/${hash}`)).body).toEqual(recordingOf(null, null));
});
