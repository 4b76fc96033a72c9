import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { call, type Document, type RestAnswer } from "../support/http/rest-client.ts";
import { DnsServer } from "../support/peers/dns-server.ts";
import { AttackedInstallation, type Owner } from "./support/accounts.ts";

// Files and services that an account imports from are the attacker's.

let attacked: AttackedInstallation;
let dns: DnsServer;
let inside: Server;
let asked = 0;
let owner: Owner;

beforeAll(async () => {
  inside = createServer((_request, response) => {
    asked += 1;
    response.end('{"aliases": []}');
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  dns = await DnsServer.start({ "rebound.example A": ["127.0.0.1"] });
  attacked = await AttackedInstallation.start({ DNS_SERVERS: dns.address });
  owner = await attacked.owner();
});

afterAll(async () => {
  await attacked.dispose();
  await dns.stop();
  inside.close();
});

const path = "/api/postern/v1/imports";

function ask(method: string, at: string, body?: unknown, who = owner): Promise<RestAnswer> {
  const { url } = attacked.installation;
  return call(`${url}${path}${at}`, method, body, { authorization: `Bearer ${who.bearer}` });
}

const port = () => (inside.address() as AddressInfo).port;

/** Another owner for each, since looks are limited. */
async function look(body: unknown): Promise<RestAnswer> {
  return ask("POST", "", body, await attacked.owner());
}

test("the API of an inside address is asked for nothing, however the address is written", async () => {
  const hosts = ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "169.254.169.254"];
  for (const host of hosts) {
    const answer = await look({ source: "simplelogin-api", baseUrl: `http://${host}:${port()}`, key: "k" });
    expect([host, answer.status, answer.text]).toEqual([host, 422, expect.stringContaining("baseUrl:")]);
  }
  expect(asked).toBe(0);
});

test("nor is one whose name leads inside when it is asked", async () => {
  const who = await attacked.owner();
  const access = { source: "simplelogin-api", baseUrl: `http://rebound.example:${port()}`, key: "k" };
  const { body } = await ask("POST", "", access, who);
  await attacked.sql("update bindings.import set attempt_count = 2, due_at = now() where id = $1", [
    body?.["data"]?.["id"],
  ]);
  await eventually(async () => {
    const job = (await ask("GET", `/${body?.["data"]?.["id"]}`, undefined, who)).body?.["data"];
    expect(job).toMatchObject({ state: "failed", fault: expect.stringContaining("special") });
  });
  expect(asked).toBe(0);
  expect(await attacked.sql("select from bindings.import where sealed_key is not null")).toEqual([]);
});

test("files that grow, never end, or are nested without end are refused, and the service goes on", async () => {
  const many = `alias\n${"a@b.example\n".repeat(10_001)}`;
  const bombs: [string, string, number][] = [
    ["simplelogin", many, 422],
    ["simplelogin", `alias\n"${"x".repeat(5_000_000)}`, 422],
    ["simplelogin", `${"alias,".repeat(200_000)}\n`, 422],
    ["simplelogin", "x".repeat(13_000_000), 413],
    ["postern", "[".repeat(1_000_000), 422],
    ["postern", JSON.stringify({ proxyBindings: Array.from({ length: 10_001 }, () => ({})) }), 422],
  ];
  for (const [source, content, status] of bombs) {
    const answer = await look({ source, content });
    expect([source, content.slice(0, 10), answer.status]).toEqual([source, content.slice(0, 10), status]);
  }
  const harmless = await look({ source: "simplelogin", content: "alias\na\0@b.example\n\ud800@b.example\n" });
  expect(harmless.status).toBe(201);
});

test("more looks than 20 an hour are not taken", async () => {
  const who = await attacked.owner();
  const statuses: number[] = [];
  for (let at = 0; at < 21; at += 1)
    statuses.push((await ask("POST", "", { source: "simplelogin", content: "alias\na@b.example\n" }, who)).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
});

async function finished(id: Document | undefined, who: Owner): Promise<Document[]> {
  expect((await ask("POST", `/${id}/start`, {}, who)).status).toBe(202);
  await eventually(async () => {
    expect((await ask("GET", `/${id}`, undefined, who)).body?.["data"]).toMatchObject({ state: "done" });
  });
  return (await ask("GET", `/${id}/rows`, undefined, who)).body?.["data"] ?? [];
}

test("nobody is mailed: neither targets nor contacts, which may not be written to either", async () => {
  const who = await attacked.owner();
  const id = "11111111-1111-4111-8111-111111111111";
  const file = {
    proxyBindings: [
      {
        id,
        proxyAddress: "mine@postern.localhost",
        answers: true,
        realAddresses: [
          { address: "victim@example.net", isEnabled: true, isVerified: true, isVerificationNeeded: false },
        ],
      },
    ],
    contacts: [{ bindingId: id, address: "stranger@example.net", received: 99, invitesReplies: true }],
  };
  const { body } = await ask("POST", "", { source: "postern", content: JSON.stringify(file) }, who);
  const rows = await finished(body?.["data"]?.["id"], who);
  expect(rows.map(({ state }) => state)).toEqual(["done", "done"]);
  const listed = await who.client.field("{ proxyBindings { nodes { realAddresses { address isVerified } } } }");
  expect(JSON.stringify(listed)).toContain('{"address":"victim@example.net","isVerified":false}');
  const sent = await call(
    `${attacked.installation.url}/api/postern/v1/messages`,
    "POST",
    { from: "mine@postern.localhost", to: ["stranger@example.net"], subject: "s", text: "t" },
    { authorization: `Bearer ${who.bearer}` },
  );
  expect([sent.status, sent.text]).toEqual([403, expect.stringContaining("SendingNotAllowed")]);
  expect(await attacked.installation.outbound()).toEqual([]);
});

test("an address that is somebody else's is told by no look, and is not taken over", async () => {
  const [victim, thief] = [await attacked.owner(), await attacked.owner()];
  const taken = "taken-by-victim@postern.localhost";
  const create = `mutation ($address: String) { createProxyBinding(input: { proxyAddress: $address }) { isCreated } }`;
  await victim.client.field(create, { address: taken });
  const content = `alias,note,enabled,mailboxes\n${taken},,True,\nfree-of-all@postern.localhost,,True,\n`;
  const { body } = await ask("POST", "", { source: "simplelogin", content }, thief);
  const looked = (await ask("GET", `/${body?.["data"]?.["id"]}/rows`, undefined, thief)).body?.["data"] ?? [];
  expect(looked.map(({ verdict }: Document) => verdict)).toEqual(["same", "same"]);
  const rows = await finished(body?.["data"]?.["id"], thief);
  expect(rows[0]).toMatchObject({ state: "done", new: expect.not.stringContaining("taken-by-victim") });
  expect(rows[1]).toMatchObject({ state: "done", new: "free-of-all@postern.localhost" });
});

test("a key makes by an import nothing that is out of its bounds, and without admin no import at all", async () => {
  const who = await attacked.owner();
  const create = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }`;
  const keyOf = async (input: object) =>
    String((await who.client.field(create, { input: { name: "k", ...input } }))["key"]);
  const bound = await keyOf({ scopes: ["admin"], targetIds: ["only@example.net"] });
  const weak = await keyOf({ scopes: ["alias:create", "alias:read", "alias:write"] });
  const { url } = attacked.installation;
  const content =
    "alias,note,enabled,mailboxes\na@sl.example,,True,other@example.net\nb@sl.example,,True,only@example.net\n";
  const refused = await call(`${url}${path}`, "POST", { source: "simplelogin", content }, { token: weak });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("ScopeMissing")]);
  const looked = await call(`${url}${path}`, "POST", { source: "simplelogin", content }, { token: bound });
  const id = looked.body?.["data"]?.["id"];
  expect((await call(`${url}${path}/${id}/start`, "POST", {}, { token: bound })).status).toBe(202);
  await eventually(async () => {
    const { body } = await ask("GET", `/${id}/rows`, undefined, who);
    expect(body?.["data"]).toMatchObject([{ state: "refused" }, { state: "done" }]);
  });
});
