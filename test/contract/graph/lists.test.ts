import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { emailIds, sendMail } from "../../support/mail/send-mail.ts";
import { type MadeBinding, madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";
import { refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";

const list = `query ($first: Int, $after: String, $search: String, $filter: EmailFilter) {
  emails(first: $first, after: $after, search: $search, filter: $filter) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id subject sender fromName fromAddress preview isUnread isKept direction text codes links olderId newerId
      outcomes { expected delivered failed retrying held nextAttemptAt }
      binding { proxyAddress mail { received failed unread lastMailAt days { day received delivered failed } } }
    }
  }
}`;
const one = `query ($id: ID!) { email(id: $id) { id isKept subject text html isHtml headers { name } attachments { url } timeline { kind } } }`;
const account = `{ me { mail { received failed unread days(last: 1) { received } } } }`;
const mark = `mutation ($ids: [ID!]!, $isUnread: Boolean!) { markEmails(ids: $ids, isUnread: $isUnread) { receivedEmails { id isUnread } } }`;
const markAll = `mutation ($bindingId: ID) { markAllRead(bindingId: $bindingId) { count } }`;

interface Listed {
  id: string;
  subject: string | null;
  [field: string]: unknown;
}

let owner: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  [owner, stranger] = await Promise.all([newAccount(), newAccount()]);
}, 200_000);

async function send(to: MadeBinding, subject: string, text: string): Promise<string> {
  const { smtpPort } = await graphInstallation();
  return String(emailIds(await sendMail(smtpPort, { to: to.proxyAddress, subject, text }))[0]);
}

async function emails(who: TestAccount, variables: object = {}): Promise<Listed[]> {
  const { emails: page } = await who.get(list, variables as Record<string, unknown>);
  return page?.["nodes"] as unknown as Listed[];
}

describe("mail over all bindings", () => {
  test("has the address that it was sent to, with its tag, beside the proxy address", async () => {
    const addressee = await newAccount();
    const { id: bindingId, proxyAddress: recipient } = await madeBinding(addressee, { isBrowsable: true });
    const envelopeRecipient = recipient.replace("@", "+Run42@");
    const { smtpPort } = await graphInstallation();
    const [id = ""] = emailIds(await sendMail(smtpPort, { to: envelopeRecipient, subject: "Tagged", text: "x" }));
    const single = `query ($id: ID!) { email(id: $id) { recipient envelopeRecipient } }`;
    const listed = `query ($bindingId: ID) { emails(filter: { bindingId: $bindingId }) { nodes { recipient envelopeRecipient } } }`;
    await eventually(async () =>
      expect(await addressee.get(listed, { bindingId })).toEqual({
        emails: { nodes: [{ recipient, envelopeRecipient }] },
      }),
    );
    expect(await addressee.get(single, { id })).toEqual({ email: { recipient, envelopeRecipient } });
    await refused(stranger.ask(single, { id }), "NOT_FOUND", "NotFound");
    expect(await stranger.get(listed, { bindingId })).toEqual({ emails: { nodes: [] } });
  });

  test("is listed, searched, counted and marked, for its owner", async () => {
    const kept = await madeBinding(owner, { isBrowsable: true });
    const forwarded = await madeBinding(owner, { realAddresses: ["unverified@example.net"] });
    const text = "Your code is 481516.\nhttps://shop.example/confirm?x=1";
    const id = await send(kept, "Parcel", text);
    await eventually(async () => expect(await emails(owner, { search: "parc" })).toMatchObject([{ id }]));
    const held = await send(forwarded, "secret words", "nobody keeps these");
    await eventually(async () =>
      expect(await emails(owner)).toMatchObject([
        {
          id: held,
          subject: null,
          text: null,
          preview: null,
          codes: null,
          isKept: false,
          outcomes: { expected: 1, held: 1 },
        },
        {
          id,
          subject: "Parcel",
          fromAddress: "ann@example.com",
          preview: "Your code is 481516. https://shop.example/confirm?x=1",
          isUnread: true,
          isKept: true,
          direction: "FORWARD",
          codes: ["481516"],
          links: ["https://shop.example/confirm?x=1"],
          outcomes: { expected: 0, failed: 0, nextAttemptAt: null },
          binding: {
            proxyAddress: kept.proxyAddress,
            mail: { received: 1, failed: 0, unread: 1, days: [{ received: 1 }] },
          },
        },
      ]),
    );
    expect(await emails(owner, { search: "secret" })).toEqual([]);
    expect(await emails(stranger)).toEqual([]);
    expect(await emails(stranger, { filter: { bindingId: kept.id } })).toEqual([]);
    expect(await emails(owner, { filter: { undelivered: ["HELD"], isKept: false } })).toMatchObject([{ id: held }]);
    expect((await owner.get(account))["me"]).toEqual({
      mail: { received: 2, failed: 0, unread: 1, days: [{ received: 2 }] },
    });
    expect(await stranger.get(mark, { ids: [id], isUnread: false })).toEqual({ markEmails: { receivedEmails: [] } });
    expect(await stranger.get(markAll, { bindingId: kept.id })).toEqual({ markAllRead: { count: 0 } });
    expect(await owner.get(mark, { ids: [id, held, "'"], isUnread: false })).toMatchObject({
      markEmails: {
        receivedEmails: [
          { id, isUnread: false },
          { id: held, isUnread: false },
        ],
      },
    });
    expect(await emails(owner, { filter: { isUnread: true } })).toEqual([]);
    expect(await owner.get(markAll, {})).toEqual({ markAllRead: { count: 0 } });
  });

  test("what is not kept has a delivery log alone", async () => {
    const id = await send(await madeBinding(owner), "nobody reads this", "nor this");
    await eventually(async () =>
      expect((await owner.get(one, { id }))["email"]).toEqual({
        id,
        isKept: false,
        subject: null,
        text: null,
        html: null,
        isHtml: null,
        headers: null,
        attachments: null,
        timeline: [{ kind: "accepted" }],
      }),
    );
    await refused(stranger.ask(one, { id }), "NOT_FOUND", "NotFound");
  });

  test("of a binding that is no longer browsable nothing is shown or found", async () => {
    const binding = await madeBinding(owner, { isBrowsable: true });
    const id = await send(binding, "zebra", "zebras");
    await eventually(async () => expect(await emails(owner, { search: "zebra" })).toMatchObject([{ id }]));
    const update = `mutation ($id: ID!) { updateProxyBinding(id: $id, input: { isBrowsable: false }) { proxyBinding { id } } }`;
    await owner.get(update, { id: binding.id });
    expect(await emails(owner, { search: "zebra" })).toEqual([]);
    const [shown] = await emails(owner, { first: 1 });
    expect(shown).toMatchObject({ id, subject: null, text: null, preview: null, links: null, isKept: false });
    expect((await owner.get(one, { id }))["email"]).toMatchObject({ subject: null, text: null, headers: null });
  });

  test("takes no more than it says", async () => {
    await refused(owner.ask(list, { first: 101 }), "BAD_USER_INPUT", "ValidationFailed");
    await refused(owner.ask(list, { after: "x" }), "BAD_USER_INPUT", "ValidationFailed");
    const ids = Array.from({ length: 101 }, () => owner.id);
    await refused(owner.ask(mark, { ids, isUnread: false }), "BAD_USER_INPUT", "ValidationFailed");
  });
});
