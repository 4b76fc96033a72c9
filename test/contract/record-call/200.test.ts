import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { codings } from "../support/bodies.ts";
import { madeRecorder, recorderPath, recordingOf } from "../support/recorders.ts";

let anna: TestAccount;
let hash: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  hash = await madeRecorder(anna);
});

const from = "127.0.2.200";
const lastCall = async () => (await anna.ask("GET", `${recorderPath}/get/${hash}`)).body;

test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "REPORT"])(
  "%s is recorded without credentials, with a body and without one",
  async (method) => {
    for (const body of ['{"a":1}', undefined]) {
      const answer = await ask({ method, path: `${recorderPath}/call/${hash}`, body });
      expect(answer.status).toBe(200);
      if (method !== "HEAD") expect(answer.body).toEqual({ status: "ok" });
      expect(await lastCall()).toEqual(recordingOf(body === undefined ? "" : { a: 1 }, method));
    }
  },
);

test("credentials, content types and a query of any kind do not matter", async () => {
  const headers = { token: "nobody's", authorization: "Basic x", "content-type": "multipart/form-data; boundary=b" };
  const form = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nä\r\n--b--\r\n';
  const answer = await ask({ method: "POST", path: `${recorderPath}/call/${hash}?a=1&a=%00`, headers, body: form });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "ok" });
  expect(await lastCall()).toEqual(recordingOf(form, "POST"));
});

const callCoded = (coding: string, body: Buffer) =>
  ask({ method: "POST", path: `${recorderPath}/call/${hash}`, headers: { "content-encoding": coding }, body, from });

test.each(Object.entries(codings))("coded with %s: what it says is recorded", async (coding, code) => {
  for (const [body, shown] of [
    ['{"a":1}', { a: 1 }],
    ["ä".repeat(100_000), "ä".repeat(100_000)],
  ] as const) {
    expect((await callCoded(coding, code(Buffer.from(body)))).status).toBe(200);
    expect(await lastCall()).toEqual(recordingOf(shown, "POST"));
  }
});

test.each(["br", "gzip", "deflate", "gzip, gzip", "x"])(
  "what is not coded with %s, or not so that it can be undone, is recorded as it came",
  async (coding) => {
    expect((await callCoded(coding, Buffer.from('{"a":1}'))).status).toBe(200);
    expect(await lastCall()).toEqual(recordingOf({ a: 1 }, "POST"));
  },
);

test("10 MiB that no coding makes smaller", async () => {
  const body = gzipSync(randomBytes(10 * 1024 * 1024 - 64), { level: 0 });
  expect((await callCoded("gzip", body.subarray(0, 10 * 1024 * 1024))).status).toBe(200);
});

test("10 MiB, in one piece and in chunks", async () => {
  const whole = "x".repeat(10 * 1024 * 1024);
  const framings: Record<string, string>[] = [{}, { "transfer-encoding": "chunked" }];
  for (const headers of framings) {
    const answer = await ask({ method: "POST", path: `${recorderPath}/call/${hash}`, headers, body: whole, from });
    expect(answer.status).toBe(200);
    const shown = await lastCall();
    expect(String(shown["payload"]).length).toBe(whole.length);
  }
});
