import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { acceptAll, ScriptedServer } from "../../support/mail/scripted-server.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { asSuperuser } from "../../support/peers/database.ts";

// Leases are longer than any test: what was in flight is taken over because its worker is seen to be dead, or not at all.
const leases = { FORWARD_LEASE_S: "3600", CALLBACK_LEASE_S: "3600" };

let installation: Installation;
let nextHop: ScriptedServer;
let target: Server;
/** Neither the next hop nor the target says what became of what it was sent. */
let isSilent = true;
let callCount = 0;

beforeAll(async () => {
  nextHop = await ScriptedServer.start(acceptAll({ ".": () => (isSilent ? undefined : "250 2.0.0 taken\r\n") }));
  target = createServer(async (request, response) => {
    await once(request.resume(), "end");
    callCount += 1;
    if (!isSilent) response.end();
  });
  await once(target.listen(0, "127.0.0.1"), "listening");
  const environment = { OUTBOUND: `smtp://127.0.0.1:${nextHop.port}`, CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", ...leases };
  installation = await startInstallation({ environment, hasOwnPostgres: true });
});
afterAll(async () => {
  await installation?.dispose();
  await nextHop?.stop();
  target?.closeAllConnections();
  target?.close();
});

const messageCount = () => nextHop.lines.filter((line) => line === ".").length;

interface JobRow {
  state: string;
  isLeased: boolean;
}

async function jobs(): Promise<JobRow[]> {
  const jobsOf = (table: string) =>
    `select state, coalesce(lease_until > now() + interval '30 min', false) as is_leased from ${table} where email_id is not null`;
  return asSuperuser<JobRow>(
    await installation.databaseUrl(),
    `${jobsOf("forwarder.delivery")} union all ${jobsOf("webhook.callback")}`,
  );
}

test("what a killed process had in flight goes on once it starts again, long before its leases end", async () => {
  const rest = await installation.rest();
  const { proxyAddress } = await makeBinding(rest, {
    real_addresses: [installation.account.username],
    callback_url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`,
  });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "in flight", text: "x" });
  await eventually(() => expect([messageCount(), callCount]).toEqual([1, 1]));
  const inFlight = { state: "waiting", isLeased: true };
  expect(await jobs()).toEqual([inFlight, inFlight]);
  for (const each of new Set([installation.process("forwarder"), installation.process("webhook")])) await each.kill();
  isSilent = false;
  await installation.revive();
  await eventually(
    async () => {
      expect([messageCount(), callCount]).toEqual([2, 2]);
      const done = { state: "delivered", isLeased: false };
      expect(await jobs()).toEqual([done, done]);
    },
    { patienceMs: 240_000, restMs: 100 },
  );
}, 300_000);
