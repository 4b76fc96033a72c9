import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { ask, type Question } from "./ask.ts";
import { errorDocument } from "./documents.ts";
import { contractInstallation } from "./installation.ts";
import { titled } from "./titles.ts";

// What every endpoint that reads a JSON document answers to a body that is none, or too large: once for all of them.

type Asking = () => Question | Promise<Question>;

const notJson = [
  "",
  " ",
  "{",
  "{}}",
  "{'data': 1}",
  '{"data": }',
  '{"data": 1,}',
  "undefined",
  "NaN",
  "data=1&type=2",
  "<data/>",
  '"\n"',
  "\0",
  `${"[".repeat(60_000)}`,
];

/** Declares the tests of 400: whatever is no JSON document in UTF-8. */
export function refusesWhatIsNotJson(question: Asking): void {
  const malformed = errorDocument("MalformedRequest", "rest", "The request body is not JSON.");

  test.each(titled(notJson))("%s is not JSON", async (_title, body) => {
    const answer = await ask({ ...(await question()), body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(malformed);
  });

  test.each(["gzip", "deflate"])("it says that it is coded with %s, and is not", async (coding) => {
    const { headers, ...asked } = await question();
    const answer = await ask({ ...asked, headers: { ...headers, "content-encoding": coding }, body: "{}" });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(errorDocument("MalformedRequest", "rest", `The request body is not ${coding}.`));
  });

  test.each([
    ["no body at all", undefined],
    ["bytes that are not UTF-8", Buffer.from('{"data":"\xff"}', "latin1")],
    ["half a character", Buffer.from('{"data":"é"}').subarray(0, 10)],
    ["UTF-16", Buffer.from('{"data":{}}', "utf16le")],
    ["what gzip makes of a document", Buffer.from("1f8b0800000000000003ab050043bfa6a302000000", "hex")],
  ])("%s is not JSON", async (_name, body) => {
    const answer = await ask({ ...(await question()), body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(malformed);
  });
}

/** Declares the tests of 415: a content coding that is not taken. The answer says which are (RFC 9110 section 12.5.3). */
export function refusesOtherCodings(question: Asking): void {
  test.each(["br", "zstd", "compress", "gzip, gzip", "identity, br", "x", "*"])("coded with %s", async (coding) => {
    const { headers, ...asked } = await question();
    const answer = await ask({ ...asked, headers: { ...headers, "content-encoding": coding }, body: "{}" });
    expect(answer.status).toBe(415);
    expect(answer.headers["accept-encoding"]).toBe("gzip, deflate");
    expect(answer.body).toEqual(errorDocument("UnsupportedMediaType", "rest"));
  });
}

/** What codes a body, by the content coding's name (RFC 9110 section 8.4.1). */
export const codings: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gzipSync(body),
  "x-gzip": (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  // Without the zlib format around it, as some clients send it.
  Deflate: (body) => deflateRawSync(body),
};

const mebibyte = 1024 * 1024;

/** Declares the tests of 413: over the limit, told in advance or not, or once inflated, to clients of several kinds. */
export function refusesLargeBodies(question: Asking): void {
  const tooLarge = errorDocument("BodyTooLarge", "rest", "The request body is larger than 1 MiB.");

  test.each([
    ["one byte more than 1 MiB", mebibyte + 1, {}],
    ["2 MiB", 2 * mebibyte, {}],
    ["2 MiB in chunks", 2 * mebibyte, { "transfer-encoding": "chunked" }],
    ["32 MiB", 32 * mebibyte, {}],
  ])("%s", async (_name, sizeBytes, framing) => {
    const { headers, ...asked } = await question();
    const answer = await ask({ ...asked, headers: { ...headers, ...framing }, body: Buffer.alloc(sizeBytes, " ") });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(tooLarge);
  });

  test.each(Object.entries(codings))("what %s has made small", async (coding, code) => {
    const { headers, ...asked } = await question();
    const body = code(Buffer.alloc(mebibyte + 1, " "));
    expect(body.length).toBeLessThan(mebibyte / 50);
    const answer = await ask({ ...asked, headers: { ...headers, "content-encoding": coding }, body });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(tooLarge);
  });

  test("fetch reads the answer, and goes on with the connection", async () => {
    const { url } = await contractInstallation();
    const { method, path, headers } = await question();
    for (let turn = 0; turn < 3; turn++) {
      const answer = await fetch(`${url}${path}`, { method, headers, body: Buffer.alloc(2 * mebibyte, " ") });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual(tooLarge);
    }
  });

  test.each([["Expect: 100-continue"], ["Expect:"], ["Transfer-Encoding: chunked"]])(
    "curl reads the answer, with %s",
    async (header) => {
      const { url } = await contractInstallation();
      const { method, path, headers = {} } = await question();
      const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
      const flags = ["-sS", "-X", method, ...given, "-H", header, "--data-binary", "@-", `${url}${path}`];
      const curl = promisify(execFile)("curl", flags);
      curl.child.stdin?.on("error", () => undefined).end(Buffer.alloc(2 * mebibyte, " "));
      expect(JSON.parse((await curl).stdout)).toEqual(tooLarge);
    },
  );
}
