import { beforeAll, expect, test } from "@jest/globals";
import { ask } from "../support/ask.ts";
import { newcomer, type Person } from "../support/people.ts";
import { madeRecorder, recorderPath, recordingOf } from "../support/recorders.ts";

let anna: Person;
let hash: string;
beforeAll(async () => {
  anna = await newcomer("anna");
  hash = await madeRecorder(anna);
});

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

test("10 MiB, in one piece and in chunks", async () => {
  const whole = "x".repeat(10 * 1024 * 1024);
  const framings: Record<string, string>[] = [{}, { "transfer-encoding": "chunked" }];
  for (const headers of framings) {
    const answer = await ask({ method: "POST", path: `${recorderPath}/call/${hash}`, headers, body: whole });
    expect(answer.status).toBe(200);
    const shown = await lastCall();
    expect(String(shown["payload"]).length).toBe(whole.length);
  }
});
