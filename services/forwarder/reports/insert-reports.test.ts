import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import type { ReportDraft } from "./author-reports.ts";
import { insertReports } from "./insert-reports.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await forwarderDatabase();
});
afterEach(async () => {
  await db.query("truncate delivery, notice, author_report cascade");
});
afterAll(() => db.dispose());

function draft(toldOf: string): ReportDraft {
  const message = Buffer.from("Subject: a report\r\n\r\n");
  return { noticeId: newId(), author: "author@a.example", toldOf, message, smtpUtf8: false, eightBitMime: false };
}

/** Reports of two deliveries of one email, in one transaction or one after the other, and the first of them again. */
async function reportTwoDeliveries(tellsOf: "email" | "delivery", isAtOnce: boolean): Promise<void> {
  const emailId = newId();
  const [first, second] = [newId(), newId()];
  const reports = [first, second, first].map((deliveryId) => draft(tellsOf === "email" ? emailId : deliveryId));
  for (const batch of isAtOnce ? [reports] : reports.map((report) => [report]))
    await db.tx((tx) => insertReports(tx, batch));
}

test.each([
  ["of an email forwarded to several real addresses its author is told once", "email", 1],
  ["of a message to several contacts its owner is told of each that it did not reach, once", "delivery", 2],
] as const)("%s", async (_, tellsOf, expected) => {
  for (const isAtOnce of [true, false]) {
    await reportTwoDeliveries(tellsOf, isAtOnce);
    const { rows } = await db.query("select from delivery join notice on notice_id = notice.id");
    expect(rows).toHaveLength(expected);
    await db.query("truncate delivery, notice, author_report cascade");
  }
});
