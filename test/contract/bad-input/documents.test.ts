import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAccount, secondFactorPath, signInQuestion, type TestAccount } from "../support/accounts.ts";
import { ask, type Json, type Question } from "../support/ask.ts";
import { bindingBody, bindingsOf, bindingsPath, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { titled } from "../support/titles.ts";

let anna: TestAccount;
let before: Json;
let questions: Question[];
beforeAll(async () => {
  anna = await newAccount("anna");
  const { id } = await madeBinding(anna, { description: "there already" });
  before = await bindingsOf(anna);
  const headers = { Token: anna.token };
  questions = [
    { method: "POST", path: bindingsPath, headers },
    { method: "PATCH", path: `${bindingsPath}/${id}`, headers },
    { method: "POST", path: secondFactorPath, headers: { authorization: `Bearer ${anna.bearer}` } },
    signInQuestion,
  ];
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
});

/** Every endpoint that reads a document refuses this one. */
async function expectRefused(body: string, message: unknown): Promise<void> {
  for (const question of questions) {
    const answer = await ask({ ...question, body });
    expect([question.path, answer.status]).toEqual([question.path, 422]);
    expect(answer.body).toEqual(errorDocument("ValidationFailed", "rest", message));
  }
}

const twice = (name: string) => `The member "${name}" is there more than once in one object.`;

test.each([
  ['{"data":1,"data":{}}', "data"],
  ['{"data":{"type":"proxy_bindings","type":"users","attributes":{}}}', "type"],
  ['{"data":{"type":"proxy_bindings","attributes":{"description":"a","description":"b"}}}', "description"],
  ['{"data":{"type":"proxy_bindings","attributes":{"description":"a","descriptio\\u006e":"b"}}}', "description"],
  ['{"data":{"type":"proxy_bindings","attributes":{"real_addresses":{"a@b.cd":true,"a@b.cd":false}}}}', "a@b.cd"],
  ['{"data":{"attributes":{"x":{"y":1,"y":1}}}}', "y"],
])("a member twice: %s", (body, name) => expectRefused(body, twice(name)));

test.each([
  '{"__proto__":{"data":1}}',
  '{"data":{"type":"proxy_bindings","attributes":{"__proto__":{"is_browsable":true}}}}',
  '{"data":{"type":"proxy_bindings","attributes":{"real_addresses":{"__proto__":true,"a@example.org":true}}}}',
  '{"data":{"type":"proxy_bindings","attributes":{"real_addresses":{"\\u005f_proto__":true}}}}',
])("a prototype: %s", (body) => expectRefused(body, 'A member cannot be named "__proto__".'));

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}${close.repeat(depth)}`;

test.each([
  ["arrays", nested("[", "]", 200_000)],
  ["arrays as data", `{"data":${nested("[", "]", 200_000)}}`],
  ["objects as data", `{"data":${'{"data":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
  ["arrays as attributes", `{"data":{"type":"x","attributes":${nested("[", "]", 200_000)}}}`],
])("200,000 deep: %s", async (_name, body) => {
  for (const question of questions) {
    const answer = await ask({ ...question, body });
    expect([question.path, answer.status]).toEqual([question.path, 422]);
    expect(answer.body).toEqual(errorDocument("ValidationFailed", "rest", expect.any(String)));
  }
});

test("200,000 deep where nobody looks is ignored, as every unknown member is", async () => {
  const carl = await newAccount("carl");
  const deep = `{"data":{"type":"proxy_bindings","attributes":{"x":${nested("[", "]", 200_000)}}}}`;
  const answer = await carl.ask("POST", bindingsPath, deep);
  expect(answer.status).toBe(201);
});

test.each(titled(["1e400", "-1e400", "12345678901234567890", "0.1e-999", "-0", `1${"0".repeat(100_000)}`]))(
  "the number %s is no string, and no flag",
  async (_title, number) => {
    const attributes = ["real_addresses", "proxy_address", "callback_url", "description", "is_browsable"];
    // Nought is a flag, whatever its sign and however small it was once.
    const asked = attributes.filter((name) => Number(number) !== 0 || name !== "is_browsable");
    for (const name of asked) {
      const body = `{"data":{"type":"proxy_bindings","attributes":{"${name}":${number}}}}`;
      const answer = await anna.ask("POST", bindingsPath, body);
      expect(answer.status).toBe(422);
      const message = expect.stringContaining(`data.attributes.${name}`);
      expect(answer.body).toEqual(errorDocument("ValidationFailed", "rest", message));
    }
  },
);

test("a hundred thousand members or addresses are answered, and none of them taken", async () => {
  const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`a${at}@example.org`, true]));
  for (const real_addresses of [Object.keys(many), many]) {
    const answers = [
      await anna.ask("POST", bindingsPath, bindingBody({ real_addresses: Object.keys(many) })),
      await anna.ask("PATCH", String(questions[1]?.path), bindingBody({ real_addresses })),
    ];
    for (const { status, body } of answers) {
      expect([status, body["data"]?.["type"]]).toEqual([422, "errors"]);
      expect(String(body["data"]?.["attributes"]?.["message"]).length).toBeLessThan(2_000);
    }
  }
});

test("whoever has no credentials reads that, however much they were sending", async () => {
  const [question] = questions;
  for (const framing of ["content-length", "transfer-encoding"]) {
    const body = Buffer.alloc(2 * 1024 * 1024, " ");
    const value = framing === "content-length" ? String(body.length) : "chunked";
    const headers = { connection: "close", [framing]: value };
    const answer = await ask({ method: "POST", path: question?.path ?? "", headers, body });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(errorDocument("CredentialsMissing", "rest"));
  }
});
