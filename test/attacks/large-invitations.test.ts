import { expect, test } from "@jest/globals";
import { calendarMailboxes, incomingInvitations } from "../../services/forwarder/answers/incoming/incoming-calendar.ts";

// A stranger invites half a million people, or one whose line is as long, in the process that takes everybody's mail.

const reverseAddresses = new Map([["ann@shop.example", "re+aaaabbbbccccddddeeeeffff22@proxy.example"]]);
const sizeBytes = 8 * 1024 * 1024;

function invitation(line: string): Buffer {
  const lines = line.repeat(sizeBytes / line.length);
  return Buffer.from(`Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n${lines}\r\nEND:VCALENDAR\r\n`);
}

/** How often others have their turn meanwhile. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let [turns, isDone] = [0, false];
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await work();
  isDone = true;
  return turns;
}

test("while an invitation is rewritten, others get their turn", async () => {
  const message = invitation("ATTENDEE:mailto:ann@shop.example\r\n");
  const turns = await turnsDuring(async () => {
    const { edits } = await incomingInvitations(message, reverseAddresses);
    expect(edits).toHaveLength(1);
    const written = String(edits[0]?.bytes);
    expect(written).not.toContain("ann@shop.example");
    expect(written).toMatch(/^BEGIN:VCALENDAR\r\n(?:ATTENDEE:mailto:re\+[^\r]+\r\n){1000}/);
  });
  expect(turns).toBeGreaterThan(20);
});

test("nor are more people looked for than are answered to, and others get their turn", async () => {
  const attendees = Array.from({ length: 100_000 }, (_, at) => `ATTENDEE:mailto:a${at}@shop.example\r\n`);
  const message = invitation(`${attendees.join("")}ORGANIZER:mailto:last@shop.example\r\n`);
  const turns = await turnsDuring(async () => {
    const found = await calendarMailboxes(message);
    expect(found.length).toBeLessThan(2_001);
    expect(found.slice(0, 2).map(({ address }) => address)).toEqual(["last@shop.example", "a0@shop.example"]);
  });
  expect(turns).toBeGreaterThan(20);
});
