import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { type MadeBinding, madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";
import { graphInstallation } from "./support/installation.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

/** What a page of addresses would show: every service has a part in it. */
const addressList = `query ($first: Int!) {
  me { id quota { used } }
  proxyBindings(first: $first) {
    totalCount
    nodes {
      id proxyAddress realAddresses { address isVerified } owner { id username }
      emails(first: 5) {
        totalCount
        nodes { id subject text attachments { filename } timeline { kind } deliveries { state } callback { state } }
      }
    }
  }
}`;

/** Calls to other services that the gateway and, in one process, everybody made so far, by service and way. */
async function calls(): Promise<Map<string, number>> {
  const { url } = await graphInstallation();
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = metrics.matchAll(/^postern_peer_calls_total\{service="(\w+)",way="(\w+)"\} (\d+)$/gm);
  return new Map([...found].map(([, service, way, count]) => [`${service} ${way}`, Number(count)]));
}

/** Others use the installation at the same time, and their calls can only add: the fewest that were seen are the query's own. */
class FewestCalls {
  private readonly account: TestAccount;
  private readonly first: number;
  private readonly fewest = new Map<string, number>();

  constructor(account: TestAccount, first: number) {
    this.account = account;
    this.first = first;
  }

  /** Makes the query once more. */
  async sample(): Promise<void> {
    const before = await calls();
    const data = await this.account.get(addressList, { first: this.first });
    expect(data["proxyBindings"]?.["nodes"]).toHaveLength(this.first);
    for (const [key, count] of await calls()) {
      const made = count - (before.get(key) ?? 0);
      this.fewest.set(key, Math.min(made, this.fewest.get(key) ?? made));
    }
  }

  /** Calls by service and way. */
  seen(): Record<string, number> {
    return Object.fromEntries([...this.fewest].filter(([, count]) => count > 0).sort());
  }
}

test("a page of 50 bindings with 5 emails each costs as many calls to each service as a page of one", async () => {
  const { smtpPort } = await graphInstallation();
  const account = await newAccount();
  const bindings: MadeBinding[] = [];
  for (let at = 0; at < 50; at += 1) bindings.push(await madeBinding(account, { isBrowsable: true }));
  const to = bindings.map(({ proxyAddress }) => proxyAddress);
  for (let at = 0; at < 5; at += 1)
    await sendMail(smtpPort, { bcc: to, subject: `number ${at}`, text: "many at once" });
  await eventually(async () => {
    const data = await account.get(addressList, { first: 50 });
    const nodes = data["proxyBindings"]?.["nodes"] as unknown as { emails: { totalCount: number } }[];
    expect(nodes.map(({ emails }) => emails.totalCount)).toEqual(Array(50).fill(5));
  });
  const one = new FewestCalls(account, 1);
  const many = new FewestCalls(account, 50);
  await eventually(async () => {
    await one.sample();
    await many.sample();
    expect(one.seen()).toMatchObject({
      "auth graph": expect.any(Number),
      "mailbox graph": 1,
      "forwarder graph": 1,
      "webhook graph": 1,
    });
    expect(many.seen()).toEqual(one.seen());
  });
});
