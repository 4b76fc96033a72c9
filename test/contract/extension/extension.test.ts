import { beforeAll, describe, expect, test } from "@jest/globals";
import { bearerOf, codeBody, newAccount, type TestAccount } from "../support/accounts.ts";
import { type Answer, ask } from "../support/ask.ts";
import { bindingBody, bindingsPath, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { operator } from "../support/installation.ts";
import { totp } from "../support/totp.ts";

// What other programs of this contract call as well.

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const post = (path: string, body: unknown) => ask({ method: "POST", path, body });
const json = ({ text }: Answer) => JSON.parse(text);
const fresh = () => `fresh-${Date.now()}-${Math.random().toString(36).slice(2)}@example.org`;

describe("signing up", () => {
  test("the answer is the same whether the name is free", async () => {
    const attributes = (username: string) => ({
      data: { type: "users", attributes: { username, password: "long enough to be good", plan: 1 } },
    });
    for (const username of [fresh(), anna.username]) {
      const answer = await post("/api/v1/users", attributes(username));
      expect([answer.status, answer.body]).toEqual([201, {}]);
    }
    const weak = await post("/api/v1/users", {
      data: { type: "users", attributes: { username: fresh(), password: "1" } },
    });
    expect([weak.status, weak.body]).toEqual([
      422,
      errorDocument("ValidationFailed", "auth", expect.stringMatching(/^data\.attributes\.password: /)),
    ]);
  });

  test("a link is sent again, and whether there is one is not told", async () => {
    for (const email of [fresh(), anna.username, "no address"]) {
      const answer = await post("/api/v1/resend-confirmation", {
        data: { type: "confirmation", attributes: { email } },
      });
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
  });
});

describe("the second factor", () => {
  const code = (given: string) => ({ data: { code: given } });
  const asked = (bearer: string, method: string, path: string, body?: unknown) =>
    ask({ method, path, headers: { authorization: `Bearer ${bearer}` }, body });

  test("set up, put in force, and turned off in a session that has just given it", async () => {
    const account = await newAccount();
    const { secret, qr_url } = json(await asked(account.bearer, "POST", "/api/v1/2fa-google"));
    expect(qr_url).toMatch(/^otpauth:\/\/totp\//);
    const confirmed = await asked(account.bearer, "POST", "/api/v1/confirm-google", code(totp(secret)));
    const codes = Object.values(confirmed.body["data"]?.["attributes"]?.["codes"] ?? {}).map(String);
    expect(codes.length).toBeGreaterThan(5);
    // Who has just given a code need not give another in the same session.
    expect((await asked(account.bearer, "GET", bindingsPath)).status).toBe(200);
    const half = await bearerOf(account);
    expect((await asked(half, "DELETE", "/api/v1/users/remove-2fa")).body).toEqual(
      errorDocument("SecondFactorRequired", "auth"),
    );
    const granted = await asked(half, "POST", "/api/v1/2fa", codeBody(codes[0]));
    const bearer = String(granted.body["data"]?.["attributes"]?.["token"]);
    expect((await asked(bearer, "DELETE", "/api/v1/users/remove-2fa")).status).toBe(204);
    expect((await asked(bearer, "DELETE", "/api/v1/users/remove-2fa")).body).toEqual(
      errorDocument("SecondFactorNotEnabled", "auth"),
    );
  });

  test("turned off by a recovery code", async () => {
    const account = await newAccount();
    const { secret } = await operator().beginSecondFactor({ accountId: account.accountId });
    const { recoveryCodes } = await operator().confirmSecondFactor({
      accountId: account.accountId,
      code: totp(secret),
    });
    const half = await bearerOf(account);
    const granted = await asked(half, "POST", "/api/v1/2fa", codeBody(recoveryCodes[0]));
    const bearer = String(granted.body["data"]?.["attributes"]?.["token"]);
    expect((await asked(bearer, "DELETE", "/api/v1/users/remove-2fa", code("000000"))).body).toEqual(
      errorDocument("WrongSecondFactor", "auth"),
    );
    expect((await asked(bearer, "DELETE", "/api/v1/users/remove-2fa", code(String(recoveryCodes[1])))).status).toBe(
      204,
    );
  });

  test("not by an API token", async () => {
    const byToken = await ask({ method: "POST", path: "/api/v1/2fa-google", headers: { token: anna.token } });
    expect(byToken.status).toBe(401);
  });
});

test("domains: the service's, and none of one's own", async () => {
  const service = { domain: "postern.localhost", display_name: "postern.localhost", isPremium: false, isShared: true };
  expect(json(await anna.ask("GET", "/gapi/available-domains"))).toEqual([service]);
  const name = `own-${Date.now()}.example.com`;
  await anna.ask("POST", "/api/postern/v1/domains", { name });
  expect(json(await anna.ask("GET", "/gapi/custom-domains"))).toEqual([]);
  const [own] = json(await anna.ask("GET", "/gapi/custom-domains?ignoreProcessing=1"));
  expect(own).toMatchObject({
    domain: name,
    display_name: name,
    status: 0,
    isShared: false,
    verification_hash: expect.stringMatching(/^postern-verify=/),
  });
  expect(new Date(`${own.createdAt}Z`).getFullYear()).toBe(new Date().getUTCFullYear());
});

describe("what is wrong is named as the program sent it", () => {
  const served = "x@postern.localhost";
  const contact = (attributes: object, id: string) => ({
    data: {
      type: "proxy_binding_contacts",
      attributes,
      relationships: { proxy_binding: { data: { type: "proxy_bindings", id } } },
    },
  });
  const replacement = (oldEmail: string, newEmail: string) => ({
    data: { type: "replace-real-emails", attributes: { oldEmail, newEmail } },
  });
  const sites = Array.from({ length: 101 }, (_, at) => `shop-${at}.example`);

  test.each<[string, string, string, (id: string) => unknown]>([
    ["data.attributes.recipient_email", "POST", "/api/v1/contacts", (id) => contact({ recipient_email: "x" }, id)],
    [
      "data.attributes.description",
      "POST",
      "/api/v1/contacts",
      (id) => contact({ recipient_email: "a@shop.example", description: "x".repeat(201) }, id),
    ],
    ["data.attributes.oldEmail", "POST", "/api/v1/emails/replace", () => replacement("x", "new@example.org")],
    ["data.attributes.newEmail", "POST", "/api/v1/emails/replace", () => replacement("kept@example.org", "x")],
    ["data.attributes.newEmail", "POST", "/api/v1/emails/replace", () => replacement("kept@example.org", served)],
    ["data.attributes.new_real_address", "PATCH", bindingsPath, () => bindingBody({ new_real_address: served })],
    ["list", "PATCH", "/gapi/used-on", (id) => ({ proxy_binding_id: id, list: sites })],
  ])("%s of %s %s", async (member, method, path, bodyOf) => {
    const { id } = await madeBinding(anna, { real_addresses: ["kept@example.org"] });
    const answer = await anna.ask(method, path === bindingsPath ? `${path}/${id}` : path, bodyOf(id));
    const message = expect.stringMatching(new RegExp(`^${member.replaceAll(".", "\\.")}: `));
    expect([answer.status, answer.body]).toEqual([422, errorDocument("ValidationFailed", "bindings", message)]);
  });
});

test("settings are kept by key", async () => {
  const change = (settings: unknown) => anna.ask("PATCH", "/gapi/settings/update", { settings });
  expect(json(await anna.ask("GET", "/gapi/settings"))).toEqual([]);
  const both = [
    { key: "a", value: "1" },
    { key: "b", value: "ü".repeat(500) },
  ];
  expect(json(await change(both))).toEqual(both);
  expect(json(await change([{ key: "a", value: "2" }]))).toEqual([{ key: "a", value: "2" }, both[1]]);
  expect(json(await anna.ask("GET", "/gapi/settings"))).toEqual([{ key: "a", value: "2" }, both[1]]);
  for (const wrong of [[{ key: "", value: "" }], [{ key: "c", value: "x".repeat(1_001) }], [{ key: "c" }], "x"])
    expect((await change(wrong)).status).toBe(422);
  const many = Array.from({ length: 101 }, (_, at) => ({ key: String(at), value: "" }));
  expect((await change(many)).body).toEqual(errorDocument("QuotaExceeded", "auth"));
  expect(json(await anna.ask("GET", "/gapi/settings"))).toHaveLength(2);
});

test("web sites that an address was given to", async () => {
  const { id } = await madeBinding(anna);
  const noted = { proxy_binding_id: id, list: ["shop.example", "shop.example", "forum.example"] };
  expect(json(await anna.ask("PATCH", "/gapi/used-on", noted))).toEqual({
    ...noted,
    list: ["shop.example", "forum.example"],
  });
  expect(json(await anna.ask("GET", "/gapi/used-on"))).toEqual([{ ...noted, list: ["shop.example", "forum.example"] }]);
  const stranger = await newAccount();
  expect((await stranger.ask("PATCH", "/gapi/used-on", noted)).status).toBe(404);
});

test("contacts: made, listed, and found by their reverse address", async () => {
  const { id, proxyAddress } = await madeBinding(anna, { real_addresses: [anna.username] });
  const relationships = { proxy_binding: { data: { type: "proxy_bindings", id } } };
  const attributes = { recipient_email: "ann@shop.example", description: "Ann" };
  const made = await anna.ask("POST", "/api/v1/contacts", {
    data: { type: "proxy_binding_contacts", attributes, relationships },
  });
  expect(made.status).toBe(201);
  const reverse = made.body["data"]?.["attributes"]?.["reverse_proxy_address"];
  expect(reverse).toEqual(expect.stringMatching(/^re\+[a-z2-7]{26}@postern\.localhost$/));
  expect(made.body["data"]).toMatchObject({
    type: "proxy_binding_contacts",
    attributes: { ...attributes, status: 1 },
    relationships: { ...relationships, user: { data: { type: "users", id: anna.accountId } } },
  });
  const listed = await anna.ask("GET", `${bindingsPath}/${id}/contacts`);
  expect(listed.body).toEqual({ data: [made.body["data"]] });
  const found = await anna.ask(
    "GET",
    `/gapi/proxy-binding/reverse-lookup?reverseAddress=${encodeURIComponent(String(reverse))}`,
  );
  expect(json(found)).toEqual({ proxy_address: proxyAddress, send_from: anna.username });
  const asItStands = await anna.ask("GET", `/gapi/proxy-binding/reverse-lookup?reverseAddress=${String(reverse)}`);
  expect(asItStands.body).toEqual(found.body);
  const stranger = await newAccount();
  expect((await stranger.ask("GET", `${bindingsPath}/${id}/contacts`)).status).toBe(404);
  expect(
    (
      await stranger.ask(
        "GET",
        `/gapi/proxy-binding/reverse-lookup?reverseAddress=${encodeURIComponent(String(reverse))}`,
      )
    ).status,
  ).toBe(404);
  expect((await anna.ask("POST", "/api/v1/contacts", bindingBody({}))).status).toBe(422);
});
