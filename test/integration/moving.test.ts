import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { call, type Document, type RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { DnsServer } from "../support/peers/dns-server.ts";

// Reach, "Acceptance": export, erase, import elsewhere.

const domain = "moving.example";

let dns: DnsServer;
let [here, there]: (Installation | undefined)[] = [];

beforeAll(async () => {
  dns = await DnsServer.start({});
  const environment = {
    DNS_SERVERS: dns.address,
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    AUTOMATIC_BINDING: "false",
  };
  [here, there] = await Promise.all([
    startInstallation({ environment, mode: "single" }),
    startInstallation({ environment, mode: "single" }),
  ]);
}, 300_000);

afterAll(async () => {
  await Promise.all([here?.dispose(), there?.dispose()]);
  await dns.stop();
});

function installed(installation: Installation | undefined): Installation {
  if (!installation) throw new Error("is not started");
  return installation;
}

async function ask(rest: RestClient, installation: Installation, query: string, variables = {}): Promise<Document> {
  const { token } = rest;
  const { body } = await call(`${installation.url}/graphql`, "POST", { query, variables }, { token });
  if (body?.["errors"]) throw new Error(JSON.stringify(body["errors"]));
  return body?.["data"] as Document;
}

/** Adds a domain where it is not yet, and proves it. */
async function prove(rest: RestClient): Promise<Document> {
  const added = (await rest.send("POST", "/api/postern/v1/domains", { name: domain })).body?.["data"] as Document;
  for (const { name, type, expected } of added["records"] as unknown as Record<string, string>[])
    if (expected !== "") dns.zone[`${name} ${type}`] = [String(expected)];
  const checked = await rest.send("POST", `/api/postern/v1/domains/${added["id"]}/check`);
  expect(checked.body?.["data"]).toMatchObject({ state: "verified" });
  return added;
}

/** What is to be the same afterwards. */
const everything = `{
  proxyBindings(first: 100, sort: ASC) {
    nodes {
      proxyAddress description callbackUrl isBrowsable answers displayName answersStrangers sendsEncrypted
      realAddresses { address isEnabled spfSuffices }
      contacts { nodes { address name isBlocked } }
      rules { name conditions { from subjectContains } actions { refuse } }
    }
  }
  domains { name patterns { glob creates perHour targets } rules { name actions { discard } } }
}`;

const sorted = (data: Document): Document[] =>
  [...(data["proxyBindings"]?.["nodes"] ?? [])].sort((one, other) =>
    String(one["proxyAddress"]).localeCompare(String(other["proxyAddress"])),
  );

async function fill(rest: RestClient, installation: Installation): Promise<void> {
  const { id: domainId } = await prove(rest);
  const create = `mutation ($input: CreateProxyBindingInput) { createProxyBinding(input: $input) { proxyBinding { id } } }`;
  const made: string[] = [];
  for (const proxyAddress of [`shop@${domain}`, "paper@postern.localhost"]) {
    const input = {
      proxyAddress,
      description: `For "${proxyAddress}"`,
      isBrowsable: true,
      answers: true,
      displayName: "Jo",
      realAddresses: ["me@elsewhere.example", "you@elsewhere.example"],
    };
    made.push(
      String((await ask(rest, installation, create, { input }))["createProxyBinding"]?.["proxyBinding"]?.["id"]),
    );
  }
  const [shop = ""] = made;
  const change = `mutation ($id: ID!, $input: UpdateProxyBindingInput!) { updateProxyBinding(id: $id, input: $input) { isVerificationSent } }`;
  const realAddresses = [
    { address: "me@elsewhere.example", isEnabled: true },
    { address: "you@elsewhere.example", isEnabled: false, spfSuffices: true },
  ];
  await ask(rest, installation, change, { id: shop, input: { realAddresses } });
  const contact = `mutation ($id: ID!) { createContact(bindingId: $id, address: "Ann@shop.example", name: "Ann") { contact { id } } }`;
  const { createContact } = await ask(rest, installation, contact, { id: shop });
  const block = `mutation ($id: ID!) { updateContact(id: $id, isBlocked: true) { contact { id } } }`;
  await ask(rest, installation, block, { id: createContact?.["contact"]?.["id"] });
  const patterns = [{ glob: "list-*", targets: [], creates: true, perHour: 7 }];
  await rest.send("PUT", `/api/postern/v1/domains/${domainId}/patterns`, { patterns });
  const rule = `mutation ($input: CreateRuleInput!) { createRule(input: $input) { rule { id } } }`;
  const content = { name: "No news", conditions: { from: ["news.example"] }, actions: { refuse: true } };
  await ask(rest, installation, rule, { input: { bindingId: shop, ...content } });
  const other = { name: "Away with it", conditions: {}, actions: { discard: true } };
  await ask(rest, installation, rule, { input: { domainId, ...other } });
}

test("exported, erased and imported elsewhere, addresses, targets, rules and contacts are the same", async () => {
  const [from, to] = [installed(here), installed(there)];
  const [rest, restThere] = await Promise.all([from.rest(), to.rest()]);
  await fill(rest, from);
  const before = await ask(rest, from, everything);
  const exported = await rest.get("/export?mail=false");
  expect([exported.status, exported.text.includes('"emails"')]).toEqual([200, false]);
  const { token } = rest;
  const erased = await call(
    `${from.url}/graphql`,
    "POST",
    { query: `mutation { deleteAccount(password: "${from.account.password}") { id } }` },
    { authorization: `Bearer ${rest.bearer}` },
  );
  expect([erased.text, (await call(`${from.url}/api/v1/users/me`, "GET", undefined, { token })).status]).toEqual([
    expect.not.stringContaining("errors"),
    403,
  ]);
  const { body } = await restThere.send("POST", "/api/postern/v1/imports", {
    source: "postern",
    content: exported.text,
  });
  const id = body?.["data"]?.["id"];
  const run = async () => {
    const started = await restThere.send("POST", `/api/postern/v1/imports/${id}/start`, { makesNewAddresses: false });
    expect(started.status).toBe(202);
    await eventually(async () => {
      const job = await ask(restThere, to, `query ($id: ID!) { importJob(id: $id) { state progress } }`, { id });
      expect(job["importJob"]).toEqual({ state: "done", progress: 1 });
    });
  };
  // The first time the domain is claimed; what is on it follows once it is proved.
  await run();
  const left = (await restThere.get(`/api/postern/v1/imports/${id}/rows`)).body?.["data"] ?? [];
  expect(left.find(({ old }: Document) => String(old) === `shop@${domain}`)).toMatchObject({ state: "left" });
  await prove(restThere);
  await run();
  const after = await ask(restThere, to, everything);
  expect(sorted(after)).toEqual(sorted(before));
  expect(after["domains"]).toEqual(before["domains"]);
  expect((await to.outbound()).filter(({ envelopeTo }) => envelopeTo.endsWith("elsewhere.example"))).toEqual([]);
});

/** SimpleLogin's list, in pages of two. */
async function simpleLogin(): Promise<{ server: Server; asked: IncomingMessage[]; url: string }> {
  const asked: IncomingMessage[] = [];
  const aliases = ["one", "two", "three"].map((name, at) => ({
    email: `${name}@sl.example`,
    note: at === 0 ? null : name,
    enabled: at !== 1,
    mailboxes: [{ id: 1, email: "me@elsewhere.example" }],
  }));
  const server = createServer((request, response) => {
    asked.push(request);
    const page = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("page_id"));
    response.end(JSON.stringify({ aliases: aliases.slice(page * 2, page * 2 + 2) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sl/` };
}

test("SimpleLogin's API is read to its end with the key, which is forgotten then", async () => {
  const to = installed(there);
  const rest = await to.rest();
  const { server, asked, url: baseUrl } = await simpleLogin();
  const input = { source: "simplelogin_api", baseUrl, key: "a key of theirs" };
  const bad = await call(
    `${to.url}/graphql`,
    "POST",
    { query: "mutation ($input: ImportInput!) { importDryRun(input: $input) { id } }", variables: { input } },
    { token: rest.token },
  );
  expect(bad.text).toContain("BAD_USER_INPUT");
  const begun = await rest.send("POST", "/api/postern/v1/imports", {
    source: "simplelogin-api",
    baseUrl,
    key: "theirs",
  });
  const id = begun.body?.["data"]?.["id"];
  const query = `query ($id: ID!) { importJob(id: $id) { state source total rows { old verdict } } }`;
  await eventually(async () => {
    expect((await ask(rest, to, query, { id }))["importJob"]).toEqual({
      state: "checked",
      source: "simplelogin_api",
      total: 3,
      rows: ["one", "two", "three"].map((name) => ({ old: `${name}@sl.example`, verdict: "new" })),
    });
  });
  server.close();
  expect(asked.map(({ url, headers }) => [url, headers["authentication"]])).toEqual(
    [0, 1, 2].map((page) => [`/sl/api/v2/aliases?page_id=${page}`, "theirs"]),
  );
});
