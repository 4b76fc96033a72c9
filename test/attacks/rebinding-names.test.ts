import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { type RestClient, restClient } from "../support/http/rest-client.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { DnsServer } from "../support/peers/dns-server.ts";
import { AttackedInstallation, password } from "./support/accounts.ts";
import { GraphClient } from "./support/graph-client.ts";

// A name server of the attacker's gives an address that may be reached at one question, and one that may not at the next (DNS rebinding).
// Whatever a running Postern calls, nothing reaches the second.

/** May be reached, as an address on the Internet may. */
const outside = "127.0.0.66";
/** May not. */
const inside = "127.0.0.67";

let attacked: AttackedInstallation;
let dns: DnsServer;
let target: HttpServer;
let exchanger: Server;
let port: number;
let exchangerPort: number;
let rest: RestClient;
let client: GraphClient;
/** Servers at the inside address, and what connected to each. */
const insideServers: Server[] = [];
const reached: string[] = [];
/** Names that were answered with the inside address. */
const rebound = new Set<string>();
let calls = 0;
let greetings = 0;

beforeAll(async () => {
  // An open connection to the outside, kept as long as its client likes; and a redirect to the inside.
  target = createHttpServer((request, response) => {
    calls += 1;
    request.resume();
    response
      .writeHead(calls % 2 === 0 ? 307 : 503, { location: `http://${inside}:${port}/`, connection: "keep-alive" })
      .end();
  });
  port = await listening(target, outside);
  exchanger = createServer((socket) => {
    greetings += 1;
    socket.on("error", () => socket.destroy());
    socket.end("421 4.3.2 come again\r\n");
  });
  exchangerPort = await listening(exchanger, outside);
  for (const each of [port, exchangerPort, 443]) {
    const server = createServer((socket: Socket) => {
      reached.push(`${each}`);
      socket.destroy();
    });
    await once(server.listen(each, inside), "listening");
    insideServers.push(server);
  }
  dns = await DnsServer.start(
    reboundZone(["callback.example", "hook.example", "mx.example", "exchanger.example", "mta-sts.mx.example"]),
  );
  dns.zone["mx.example MX"] = ["10 exchanger.example", `20 ${inside}`];
  dns.zone["_mta-sts.mx.example TXT"] = ["v=STSv1; id=1"];
  dns.ttlS = () => 0;
  attacked = await AttackedInstallation.start({
    DNS_SERVERS: dns.address,
    CALLBACK_ALLOW_CIDRS: `${outside}/32`,
    OUTBOUND_ALLOW_CIDRS: `${outside}/32`,
    OUTBOUND: "mx",
    MX_PORT: String(exchangerPort),
    FORWARD_RETRY_S: "1,1,1,1,1",
    CALLBACK_RETRY_S: "1,1,1,1,1",
  });
  const username = "owner@mx.example";
  await attacked.operator.addAccount({ username, password });
  rest = await restClient(attacked.installation.url, { username, password });
  client = new GraphClient(attacked.installation.url, { bearer: rest.bearer });
}, 200_000);
afterAll(async () => {
  await attacked?.dispose();
  await dns?.stop();
  for (const server of [target, exchanger, ...insideServers]) server?.close();
  target?.closeAllConnections();
});

async function listening(server: Server, address: string): Promise<number> {
  await once(server.listen(0, address), "listening");
  const bound = server.address();
  return typeof bound === "object" ? (bound?.port ?? 0) : 0;
}

/** Addresses of names that change with each question. */
function reboundZone(names: readonly string[]): Record<string, readonly string[]> {
  const zone: Record<string, readonly string[]> = {};
  for (const name of names) {
    let questions = 0;
    Object.defineProperty(zone, `${name} A`, {
      enumerable: true,
      get: () => {
        const isInside = questions++ % 2 === 1;
        if (isInside) rebound.add(name);
        return [isInside ? inside : outside];
      },
    });
  }
  return zone;
}

test("callbacks, account webhooks, tests of both, mail and MTA-STS policies reach the outside address alone", async () => {
  const { id, proxyAddress } = await makeBinding(rest, {
    real_addresses: ["owner@mx.example"],
    is_browsable: true,
    callback_url: `http://user:word@callback.example.:${port}/`,
  });
  const webhook = await rest.send("PUT", "/api/postern/v1/webhook", { url: `http://hook.example:${port}/` });
  expect(webhook.status).toBe(201);
  const ids: string[] = [];
  for (let count = 0; count < 4; count++)
    ids.push(
      ...emailIds(await sendMail(attacked.installation.smtpPort, { to: proxyAddress, subject: "x", text: "x" })),
    );
  for (let count = 0; count < 4; count++) {
    await client.field(`mutation ($id: ID!) { testCallback(proxyBindingId: $id) { isSuccess } }`, { id });
    await client.field(`mutation { testAccountWebhook { isSuccess } }`);
  }
  await eventually(async () =>
    expect(
      await attacked.sql(
        `select 1 from forwarder.delivery where state = 'waiting' union all select 1 from webhook.callback where state = 'waiting'
         union all select 1 from webhook.event_call where state = 'waiting'`,
      ),
    ).toEqual([]),
  );
  // What shows that it was tried: each name led to both addresses.
  expect([...rebound].sort()).toEqual(["callback.example", "exchanger.example", "hook.example", "mta-sts.mx.example"]);
  expect(Math.min(calls, greetings)).toBeGreaterThan(3);
  expect(reached).toEqual([]);
  expect(ids).toHaveLength(4);
});
