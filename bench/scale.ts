/**
 * What a message, a read and a search cost while there is more and more of everything.
 * npm run bench:scale -- [--bindings=1000,10000,100000,1000000] [--emails=10000,100000,1000000,10000000] [--deliveries=100000] [--messages=500] [--rounds=3]; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { makeBinding } from "../test/support/http/rest-bindings.ts";
import { call } from "../test/support/http/rest-client.ts";
import { startInstallation } from "../test/support/installation/installation.ts";
import { DnsServer } from "../test/support/peers/dns-server.ts";
import { CountingSink, sendAtMaxRate } from "./forward/max-rate.ts";
import { addBindings, addDeliveries, addEmails } from "./scale/rows.ts";
import { analyze, claimMs, indexBindings, sizesOf, vacuum } from "./scale/tables.ts";

const { values } = parseArgs({
  options: {
    bindings: { type: "string", default: "1000,10000,100000,1000000" },
    emails: { type: "string", default: "10000,100000,1000000,10000000" },
    deliveries: { type: "string", default: "100000" },
    messages: { type: "string", default: "500" },
    rounds: { type: "string", default: "3" },
  },
});

const messages = Number(values.messages);
const rounds = Number(values.rounds);
const reads = 9;
/** As many as are there within the time that a statement may take. */
const rowsAtOnce = 20_000;
const [relayPort = 0] = await freePorts(1);
const dns = await DnsServer.start({});
const installation = await startInstallation({
  mode: "single",
  hasOwnPostgres: true,
  environment: {
    DNS_SERVERS: dns.address,
    OUTBOUND: `smtp://127.0.0.1:${relayPort}`,
    FORWARD_SIGN: "off",
    LIMIT_CLIENT_PER_MIN: "1000000",
    LIMIT_BINDING_PER_MIN: "1000000",
    LOG_LEVEL: "warn",
  },
});
const sink = await CountingSink.start(relayPort);

/** Milliseconds, the median. */
async function timed(run: () => Promise<unknown>): Promise<string> {
  const found: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const startedAt = performance.now();
    await run();
    found.push(performance.now() - startedAt);
  }
  return (found.sort((one, other) => one - other)[Math.floor(reads / 2)] ?? 0).toFixed(0);
}

try {
  const rest = await installation.rest();
  const databaseUrl = await installation.databaseUrl();
  const route = { real_addresses: [installation.account.username], is_browsable: false };
  const { id, proxyAddress: recipient } = await makeBinding(rest, route);
  const { smtpPort, url } = installation;
  const rootPids = installation.processes().map(({ pid }) => pid);
  const system = { name: "Postern", smtpPort, recipient, rootPids, stop: async () => undefined };
  await sendAtMaxRate(system, sink, { messages, sizeBytes: 4096 });

  const page = async (search: string) => {
    const query = `query Addresses($search: String) { proxyBindings(first: 50, search: $search) { totalCount nodes { proxyAddress } } }`;
    const body = { query, variables: { search } };
    const { status, text } = await call(`${url}/graphql`, "POST", body, { authorization: `Bearer ${rest.bearer}` });
    if (status !== 200 || text.includes('"errors"')) throw new Error(`the graph answered ${status}: ${text}`);
  };
  const readOne = async () => {
    const { status, text } = await rest.get(`/api/v1/proxy-bindings/${id}`);
    if (status !== 200) throw new Error(`REST answered ${status}: ${text}`);
  };
  const row = async (what: string, count: number, table: string) => {
    let [cpuSecondsPer1000, forwardedPerS] = [Number.POSITIVE_INFINITY, 0];
    for (let round = 0; round < rounds; round += 1) {
      const flood = await sendAtMaxRate(system, sink, { messages, sizeBytes: 4096 });
      cpuSecondsPer1000 = Math.min(cpuSecondsPer1000, flood.cpuSecondsPer1000);
      forwardedPerS = Math.max(forwardedPerS, flood.forwardedPerS);
    }
    const { tableMib, indexMib } = await sizesOf(databaseUrl, table);
    const read = [await timed(readOne), await timed(() => page("")), await timed(() => page("owner777"))];
    const claim = await claimMs(databaseUrl, reads);
    const vacuumS = await vacuum(databaseUrl, table);
    const cells = [
      `${count} ${what}`,
      cpuSecondsPer1000.toFixed(2),
      forwardedPerS.toFixed(0),
      ...read,
      claim.toFixed(1),
    ];
    const ends = [vacuumS.toFixed(1), tableMib.toFixed(0), indexMib.toFixed(0)];
    process.stdout.write(`| ${[...cells, ...ends].join(" | ")} |\n`);
  };
  const grow = async (
    what: string,
    counts: string,
    table: string,
    add: (url: string, from: number, to: number) => Promise<void>,
  ) => {
    let there = 0;
    for (const count of counts.split(",").map(Number)) {
      for (; there < count; there = Math.min(count, there + rowsAtOnce))
        await add(databaseUrl, there, Math.min(count, there + rowsAtOnce));
      if (table === "bindings.binding") await indexBindings(databaseUrl);
      await analyze(databaseUrl);
      await row(what, count, table);
    }
  };

  const columns = [
    "there are",
    "CPU s for 1,000",
    "forwarded a second",
    "REST ms",
    "page ms",
    "search ms",
    "claim ms",
    "vacuum s",
    "table MiB",
  ];
  process.stdout.write(`| ${[...columns, "indexes MiB"].join(" | ")} |\n| --- ${"| --- ".repeat(columns.length)}|\n`);
  await grow("bindings", values.bindings, "bindings.binding", addBindings);
  await grow("emails", values.emails, "mailbox.email", addEmails);
  await grow("waiting deliveries", values.deliveries, "forwarder.delivery", addDeliveries);
} finally {
  await sink.stop();
  await installation.dispose();
  await dns.stop();
}
