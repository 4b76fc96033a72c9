import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { pauseSending } from "../answers/sending-pauses.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { recordComplaint } from "./record-complaint.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await forwarderDatabase();
});
afterAll(() => db.dispose());

interface Reported {
  ownerId: string;
  reporter: string;
  address: string;
  isAutomatic?: boolean;
  deliveryId?: string;
}

async function report({ ownerId, reporter, address, isAutomatic = false, deliveryId = newId() }: Reported) {
  const [emailId, rawId] = [newId(), newId()];
  const receivedAt = new Date();
  await db.query("insert into complaint_mail (email_id, raw_id, reporter, received_at) values ($1, $2, $3, $4)", [
    ...[emailId, rawId, reporter, receivedAt],
  ]);
  const delivery = { id: deliveryId, emailId: newId(), ownerId, addressId: newId(), address };
  const complaint = { feedbackType: "abuse", envelopeSenders: [], messageId: undefined, recipients: [] };
  const mail = { emailId, rawId, reporter, receivedAt, attemptCount: 0 };
  return recordComplaint(db, mail, { complaint, delivery: { ...delivery, isAnswer: true, isAutomatic } });
}

const three = ["one", "two", "three"] as const;

/** What must pause nobody, however much there is of it. */
const harmless: readonly (readonly [name: string, (at: (typeof three)[number]) => Omit<Reported, "ownerId">])[] = [
  ["unproved", (at) => ({ reporter: "", address: `ann@${at}.example` })],
  ["from one organisation", (at) => ({ reporter: `${at}.provider.example`, address: `ann@${at}.example` })],
  ["from names below a provider's suffix", (at) => ({ reporter: `${at}.duckdns.org`, address: `ann@${at}.example` })],
  [
    "about contacts of one organisation",
    (at) => ({ reporter: `${at}.example`, address: `${at}@mail.${at}.shop.example` }),
  ],
  ["about automatic answers", (at) => ({ reporter: `${at}.example`, address: `ann@${at}.example`, isAutomatic: true })],
];

test("accounts are paused by proved reports alone, of several organisations about contacts at several", async () => {
  for (const [, of] of harmless) {
    const ownerId = newId();
    for (const at of three) expect(await report({ ...of(at), ownerId })).toBe(true);
  }
  const complained = newId();
  for (const at of three)
    await report({ ownerId: complained, reporter: `${at}.example`, address: `ann@${at}.example` });
  const task = pauseSending({
    db,
    auth: { account: async ({ id }) => ({ id, username: "owner@home.example", isDisabled: false }) as never },
    serviceName: "Postern",
    serviceDomain: "postern.localhost",
    logger: silentLogger,
    complaints: { minOrganisations: 3, percent: 1 },
  });
  task.start();
  // One statement finds all who are to be paused.
  const { rows } = await eventually(async () => {
    const paused = await db.query("select owner_id from paused_sending");
    expect(paused.rows).toContainEqual({ ownerId: complained });
    return paused;
  });
  await task.stop();
  expect(rows).toEqual([{ ownerId: complained }]);
  expect((await db.query("select owner_id from paused_sending")).rows).toEqual(rows);
});

test("of one delivery the first proved report counts, also where an unproved one came before", async () => {
  const about = { ownerId: newId(), deliveryId: newId(), address: "ann@shop.example" };
  const recorded = async () =>
    (await db.query("select reporter, is_counted from complaint where delivery_id = $1", [about.deliveryId])).rows;
  expect(await report({ ...about, reporter: "" })).toBe(true);
  expect(await recorded()).toEqual([{ reporter: "", isCounted: false }]);
  expect(await report({ ...about, reporter: "provider.example" })).toBe(false);
  expect(await report({ ...about, reporter: "" })).toBe(false);
  expect(await recorded()).toEqual([{ reporter: "provider.example", isCounted: true }]);
});
