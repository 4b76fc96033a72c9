import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import {
  bindingBody,
  bindingsPath,
  createBinding,
  freshAddress,
  freshName,
  madeBinding,
  unverified,
  verified,
} from "../support/bindings.ts";
import { bindingResource, generatedAddress, internalAddress } from "../support/documents.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
  const first = await createBinding(anna, {});
  expect(first.status).toBe(201);
  expect(first.body).toEqual({
    meta: { isVerificationEmailSend: false, firstProxyBinding: true },
    data: bindingResource(anna.accountId),
  });
});

/** What is answered but for the attributes that a test is about. */
const created = (attributes: Record<string, unknown>, isVerificationEmailSend = false) => ({
  meta: { isVerificationEmailSend, firstProxyBinding: false },
  data: bindingResource(anna.accountId, attributes),
});

test.each([
  ["nothing is given", {}],
  ["everything is null or empty", { proxy_address: null, callback_url: null, real_addresses: [], description: "" }],
  ["everything is empty", { proxy_address: "", callback_url: "", real_addresses: [] }],
])("where %s, addresses are made up and the rest has its default", async (_name, attributes) => {
  const { status, body } = await createBinding(anna, attributes);
  expect(status).toBe(201);
  expect(body).toEqual(created({}));
  const real = Object.entries(body["data"]?.["attributes"]?.["real_addresses"] ?? {});
  expect(real).toEqual([[expect.stringMatching(internalAddress), unverified]]);
});

test("everything is given: the account's own address needs no proof, another is sent a link", async () => {
  const proxy_address = `${freshName().toUpperCase()}@Postern.LOCALHOST`;
  const given = {
    proxy_address,
    callback_url: "https://user:secret@example.com:8443/hook?a=1&b=%20#c",
    is_browsable: true,
    description: "Für den Laden — 東京 🎉 <b>'\"; drop table binding; --",
    real_addresses: [anna.username, "Somebody.Else+tag@example.net"],
  };
  const { status, body } = await createBinding(anna, given);
  expect(status).toBe(201);
  const real_addresses = { [anna.username]: verified, "Somebody.Else+tag@example.net": unverified };
  const shown = proxy_address.replace("Postern.LOCALHOST", "postern.localhost");
  expect(body).toEqual(created({ ...given, proxy_address: shown, real_addresses }, true));
});

test("members that nobody knows are ignored, and so is what the service alone decides", async () => {
  const attributes = { type: 1, received_emails: 77, created_at: "2000-01-01 00:00:00", user: "x", x: { y: [null] } };
  const data = { ...bindingBody(attributes).data, id: "mine", relationships: { user: { data: { id: "other" } } } };
  const answer = await anna.ask("POST", bindingsPath, { meta: {}, data, jsonapi: { version: "1.0" } });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual(created({}));
});

test.each([
  [true, true],
  ["true", true],
  [1, true],
  [false, false],
  ["false", false],
  [0, false],
])("is_browsable %j is %j", async (is_browsable, expected) => {
  const { status, body } = await createBinding(anna, { is_browsable });
  expect(status).toBe(201);
  expect(body).toEqual(created({ is_browsable: expected }));
});

test("the reserved internal domains are sent no link, and an address twice is one", async () => {
  const given = ["a@int.postern.localhost", "b@POSTERN-int.int", "A@int.postern.localhost"];
  const { status, body } = await createBinding(anna, { real_addresses: given });
  expect(status).toBe(201);
  const real_addresses = { "a@int.postern.localhost": unverified, "b@POSTERN-int.int": unverified };
  expect(body).toEqual(created({ real_addresses }));
});

test("ten real addresses, beyond ASCII too", async () => {
  const given = Array.from({ length: 10 }, (_, at) => `käthe${at}@bücher.example`);
  const { status, body } = await createBinding(anna, { real_addresses: given });
  expect(status).toBe(201);
  const real_addresses = Object.fromEntries(given.map((address) => [address, unverified]));
  expect(body).toEqual(created({ real_addresses }, true));
});

test.each([
  "http://example.com",
  "HTTPS://example.com/",
  "https://example.com.:444/a%2e%2e/b",
  "http://93.184.215.14/hook",
  "http://[2606:4700::1111]/",
  "http://intranet/hook",
  "https://bücher.example/",
])("callback_url %s is taken and shown as it was given", async (callback_url) => {
  const { status, body } = await createBinding(anna, { callback_url });
  expect(status).toBe(201);
  expect(body).toEqual(created({ callback_url }));
});

test("the service's own recorder may be called, wherever the service stands", async () => {
  const recorder = await anna.ask("POST", "/api/v1/callback");
  const { status, body } = await createBinding(anna, { callback_url: recorder.body["call_url"] });
  expect(status).toBe(201);
  expect(body).toEqual(created({ callback_url: recorder.body["call_url"] }));
});

test("a released address goes back to its former owner, as a new binding", async () => {
  const proxy_address = freshAddress();
  const { id } = await madeBinding(anna, { proxy_address, description: "former" });
  expect((await anna.ask("DELETE", `${bindingsPath}/${id}`)).status).toBe(204);
  const { status, body } = await createBinding(anna, { proxy_address });
  expect(status).toBe(201);
  expect(body).toEqual(created({ proxy_address }));
  expect(body["data"]?.["id"]).not.toBe(id);
});

test.each([
  [{ token: "", authorization: "Bearer", "Content-Type": "application/vnd.api+json" }],
  [{ AUTHORIZATION: "bearer", "content-type": "text/plain; charset=latin1" }],
])("with a bearer token and any content type: %j", async (headers) => {
  const name = Object.keys(headers).find((each) => /^authorization$/i.test(each)) ?? "";
  const asked = { ...headers, [name]: `Bearer ${anna.bearer}` };
  const answer = await ask({ method: "POST", path: bindingsPath, headers: asked, body: bindingBody({}) });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual(created({ proxy_address: generatedAddress }));
});

test("a byte order mark and spaces around the document do not matter, up to 1 MiB of them", async () => {
  const text = `\ufeff\n ${JSON.stringify(bindingBody({}))}`;
  const whole = Buffer.concat([Buffer.from(text), Buffer.alloc(1024 * 1024 - Buffer.byteLength(text), " ")]);
  const answer = await anna.ask("POST", bindingsPath, whole);
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual(created({}));
});
