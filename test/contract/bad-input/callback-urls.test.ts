import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import type { Json } from "../support/ask.ts";
import { bindingsOf, changeBinding, createBinding, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";

let anna: TestAccount;
let id: string;
let before: Json;
beforeAll(async () => {
  anna = await newAccount("anna");
  id = (await madeBinding(anna, { callback_url: "https://example.com/" })).id;
  before = await bindingsOf(anna);
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
});

/** Loopback, private, link-local and otherwise special addresses, in every notation that some client would follow. */
const hosts = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.255.255.254",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7F.0.0.1",
  "0177.0.0.01",
  "127.0x0.1",
  "%31%32%37.0.0.1",
  "①②⑦.⓪.⓪.①",
  "１２７。０。０。１",
  "0",
  "0.0.0.0",
  "10.0.0.1",
  "10.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "3232235521",
  "169.254.169.254",
  "2852039166",
  "100.64.0.1",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:a00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::1]",
  "[2002:7f00:1::1]",
  "[2001::1]",
  "[2001:db8::1]",
  "[100::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[fe80::1]",
  "[ff02::1]",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ｌｏｃａｌｈｏｓｔ",
  "loc%61lhost",
  "anything.localhost",
  "anything.localhost.",
];

const refusal = errorDocument(
  "ValidationFailed",
  "bindings",
  "data.attributes.callback_url: its host is a loopback, private or otherwise special address, which callbacks may not reach.",
);

test.each(hosts)("%s is not called, whatever stands around it", async (host) => {
  const urls = [`http://${host}/`, `HTTPS://user:password@${host}:8443/a?b=c#d`, `http://example.com@${host}`];
  for (const callback_url of urls) {
    const created = await createBinding(anna, { callback_url });
    const changed = await changeBinding(anna, id, { callback_url });
    for (const { status, body } of [created, changed]) {
      expect([callback_url, status]).toEqual([callback_url, 422]);
      expect(body).toEqual(refusal);
    }
  }
});

test.each([
  "http://[fe80::1%25eth0]/",
  "http://[::1/",
  "http://127.0.0.1:port/",
  "http://256.256.256.256/",
  "http://1.2.3.4.5/",
  "http://exa mple.com/",
  "http://example.com\\@127.0.0.1\t/",
  "http://\u0000127.0.0.1/",
  "http:///127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http:127.0.0.1",
  "file:///etc/passwd",
  "gopher://127.0.0.1/",
  "data:,x",
  "//127.0.0.1/",
])("%j is no URL to call", async (callback_url) => {
  const { status, body } = await createBinding(anna, { callback_url });
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", expect.stringMatching(/^(bindings|rest)$/)));
});

test("only the recorder's own call URLs are called where the service stands", async () => {
  const recorder = await anna.ask("POST", "/api/v1/callback");
  const call = String(recorder.body["call_url"]);
  const elsewhere = [
    call.replace("/callback/call/", "/callback/get/"),
    call.replace("/callback/call/", "/callback/call/../../proxy-bindings/"),
    call.replace("/callback/call/", "/callback/call/%2e%2e/get/"),
    new URL("/metrics", call).href,
    call.replace(/:\d+/, ":1"),
    call.replace("http:", "https:"),
  ];
  for (const callback_url of elsewhere) {
    const { status, body } = await createBinding(anna, { callback_url });
    expect([callback_url, status]).toEqual([callback_url, 422]);
    expect(body).toEqual(refusal);
  }
});
