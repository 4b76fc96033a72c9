import { deepEqual } from "node:assert/strict";
import { countPending, keptEmails } from "../faults/stored-state.ts";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { restClient } from "../support/http/rest-client.ts";
import { MailLoad } from "../support/mail/mail-load.ts";
import type { Site } from "./site.ts";

/** charts/postern-dev's. */
const account = { username: "you@example.org", password: "postern-dev" };
const database = { user: "postern:postern", port: 5432, name: "postern" };
const patience = { patienceMs: 5 * 60_000, restMs: 2_000 };

/** No limit holds the load, all of which seems to come from one node. */
export const unlimited = "--set=config.LIMIT_EXEMPT_CIDRS=10.0.0.0/8";

/** Sends mail to a release until it is stopped, as servers do: what was not taken is sent again. */
export async function loadOn(site: Site, restMs: number): Promise<MailLoad> {
  const rest = await restClient(`http://${await addressOf(site, "postern-http")}`, account);
  const binding = await makeBinding(rest, { real_addresses: [account.username], is_browsable: true });
  return new MailLoad({
    name: "cluster",
    host: await addressOf(site, "postern-smtp"),
    port: 25,
    recipients: [[binding.proxyAddress]],
    sessions: 5,
    restMs,
    isRepeated: true,
  });
}

/** What became of a load, in a line. */
export function summaryOf({ accepted, refused, refusals, unanswered }: MailLoad): string {
  const replies = Array.from(refusals, ([reply, count]) => `${count} by ${reply || "a lost connection"}`);
  const putOff = `${refused.length} put off${replies.length > 0 ? ` (${replies.join("; ")})` : ""}`;
  return `${accepted.length} accepted, ${putOff}, ${unanswered.length} unanswered and sent again`;
}

/** Of a load that was stopped: what was answered by 250 is kept and sent on, nothing was refused for good. */
export async function expectNothingLost(site: Site, { accepted, refused }: MailLoad): Promise<void> {
  const forGood = refused.filter(({ reply }) => reply.startsWith("5"));
  if (forGood.length > 0) throw new Error(`refused for good: ${JSON.stringify(forGood.slice(0, 3))}`);
  const url = await databaseUrl(site);
  const ids = accepted.flatMap((mail) => mail.emailIds);
  await eventually(async () => {
    const kept = new Set((await keptEmails(url)).map(({ id }) => id));
    deepEqual(
      ids.filter((id) => !kept.has(id)),
      [],
    );
    const { undelivered, outbox, dead, unparsed, unprocessed } = { ...(await countPending(url)) };
    deepEqual(
      { undelivered, outbox, dead, unparsed, unprocessed },
      { undelivered: 0, outbox: 0, dead: 0, unparsed: 0, unprocessed: 0 },
    );
  }, patience);
}

/** Of the superuser of the stores' PostgreSQL. */
export async function databaseUrl(site: Site): Promise<string> {
  const pod = [
    "get",
    "pods",
    "--selector=app.kubernetes.io/name=postgres",
    "--output=jsonpath={.items[0].status.podIP}",
  ];
  return `postgres://${database.user}@${await site.kubectl(...pod)}:${database.port}/${database.name}`;
}

/** The machine has a way to services by a node. */
export function addressOf(site: Site, service: string): Promise<string> {
  return site.kubectl("get", "service", service, "--output=jsonpath={.spec.clusterIP}");
}
