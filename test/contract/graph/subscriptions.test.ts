import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { type MadeBinding, madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";
import { graphInstallation } from "./support/installation.ts";

const ending = new AbortController();
afterAll(() => ending.abort());

let account: TestAccount;
let binding: MadeBinding;
// A fleet takes its time to start.
beforeAll(async () => {
  account = await newAccount();
  binding = await madeBinding(account, { isBrowsable: true });
}, 200_000);

/** Subscribes, and gathers what came; ended by the signal. */
async function subscribed(query: string, bearer: string, signal: AbortSignal) {
  const { url } = await graphInstallation();
  const response = await fetch(`${url}/graphql/stream`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ query }),
    signal,
  });
  const events: { data: Record<string, unknown> }[] = [];
  const read = async () => {
    let text = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const found = [...text.matchAll(/^event: next\ndata: (.*)\n\n/gm)].map(([, data = ""]) => JSON.parse(data));
      events.splice(0, events.length, ...found);
    }
  };
  if (response.ok) void read().catch(() => undefined);
  return { status: response.status, events };
}

test("an arrival is told with fields of every service, and its delivery as it changes", async () => {
  const { smtpPort } = await graphInstallation();
  const arrivals = await subscribed(
    `subscription { emailArrived(bindingId: "${binding.id}") { id subject binding { proxyAddress owner { id } } } }`,
    account.bearer,
    ending.signal,
  );
  await sendMail(smtpPort, { to: binding.proxyAddress, subject: "Live" });
  await eventually(() => expect(arrivals.events).toHaveLength(1));
  const email = arrivals.events[0]?.data["emailArrived"] as { id: string };
  expect(email).toMatchObject({
    subject: "Live",
    binding: { proxyAddress: binding.proxyAddress, owner: { id: account.id } },
  });
  const changes = await subscribed(
    `subscription { deliveryChanged(emailId: "${email.id}") { timeline { kind } } }`,
    account.bearer,
    ending.signal,
  );
  await eventually(() =>
    expect(changes.events[0]?.data).toMatchObject({
      deliveryChanged: { timeline: expect.arrayContaining([{ kind: "accepted" }]) },
    }),
  );
});

test("another account's binding is refused", async () => {
  const stranger = await newAccount();
  const query = `subscription { emailArrived(bindingId: "${binding.id}") { id } }`;
  expect((await subscribed(query, stranger.bearer, ending.signal)).status).toBe(404);
});
