import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { madeRecorder, recorderPath, recordingOf } from "../support/recorders.ts";
import { acceptsRequestVariants, answersHead } from "../support/request-variants.ts";
import { titled } from "../support/titles.ts";

let anna: TestAccount;
let hash: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  hash = await madeRecorder(anna);
});

const call = (body?: string | Buffer, method = "POST") => ask({ method, path: `${recorderPath}/call/${hash}`, body });
const shown = () => anna.ask("GET", `${recorderPath}/get/${hash}`);

test("nothing was received yet", async () => {
  const unused = await madeRecorder(anna);
  const { status, body } = await anna.ask("GET", `${recorderPath}/get/${unused}`);
  expect(status).toBe(200);
  expect(body).toEqual(recordingOf(null, null));
});

test.each(titled(["{}", "[]", '{"a":{"b":[1,null,"ä\\u0000\\ud800"]}}', ' [ {"a": 1} ]\n', '{"__proto__":{"a":1}}']))(
  "%s is shown as JSON",
  async (_title, sent) => {
    await call(sent);
    const { status, body } = await shown();
    expect(status).toBe(200);
    expect(body).toEqual(recordingOf(JSON.parse(sent), "POST"));
  },
);

test.each(titled(['"text"', "5", "true", "null", "", " ", "{", "a=1&b=2", "<xml/>", "ä\u0000\u2028\r\n", "\u202e"]))(
  "%s is shown as a string",
  async (_title, sent) => {
    await call(sent, "PUT");
    const { status, body } = await shown();
    expect(status).toBe(200);
    expect(body).toEqual(recordingOf(sent, "PUT"));
  },
);

test.each([
  ["numbers beyond a double", '{"id":12345678901234567890,"far":1e400,"zero":-0,"one":1.0}'],
  ["names that are there twice", '{"a":1,"a":2}'],
  ["deep nesting", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
])("%s are shown as they were sent", async (_name, sent) => {
  await call(sent);
  const { status, text } = await shown();
  expect(status).toBe(200);
  expect(text).toBe(`{"status":"ok","code":"ok","is_received":true,"payload":${sent},"method":"POST"}`);
});

test("bytes that are not UTF-8 are shown as a string, what cannot be read replaced", async () => {
  await call(Buffer.from([0x61, 0xff, 0xc3]));
  expect((await shown()).body).toEqual(recordingOf("a\ufffd\ufffd", "POST"));
});

test("the latest call is shown", async () => {
  await call('{"turn":1}', "POST");
  await call('{"turn":2}', "DELETE");
  expect((await shown()).body).toEqual(recordingOf({ turn: 2 }, "DELETE"));
});

acceptsRequestVariants(
  () => anna,
  () => ({ method: "GET", path: `${recorderPath}/get/${hash}` }),
  ({ status, body }) => {
    expect(status).toBe(200);
    expect(body).toEqual(recordingOf({ turn: 2 }, "DELETE"));
  },
);

answersHead(
  () => anna,
  () => `${recorderPath}/get/${hash}`,
);
