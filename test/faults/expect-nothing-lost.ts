import { expect } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import type { LoadedMail, MailLoad } from "../support/mail/mail-load.ts";
import type { FaultFixture } from "./fault-fixture.ts";
import { counters, countPending, type KeptEmail, keptEmails } from "./stored-state.ts";

/** How many deliveries and callbacks may have happened twice: those that were in flight when a process was killed. */
interface AllowedDuplicates {
  forwardedTwice: number;
  calledTwice: number;
}

const exactlyOnce: AllowedDuplicates = { forwardedTwice: 0, calledTwice: 0 };
const allDone = {
  outbox: 0,
  dead: 0,
  unparsed: 0,
  undelivered: 0,
  uncalledBack: 0,
  unprocessed: 0,
  orphanedRawMessages: 0,
};

/**
 * Once everything has come to its end: what got its 250 is stored once, forwarded and called back, and counted; of what
 * was refused there is no trace; of what was never answered there is all or nothing.
 */
export async function expectNothingLost(fixture: FaultFixture, tolerance = exactlyOnce): Promise<void> {
  const { loads, browsable, forwardOnly } = fixture;
  const bindingIds = [browsable.id, forwardOnly.id];
  const url = await fixture.installation.databaseUrl();
  const accepted = loads.flatMap((load) => load.accepted);
  const acceptedIds = accepted.flatMap((mail) => mail.emailIds);
  const kept = await eventually(
    async () => {
      const emails = await keptEmails(url, bindingIds);
      const ids = new Set(emails.map(({ id }) => id));
      expect(acceptedIds.filter((id) => !ids.has(id))).toEqual([]);
      expect(await countPending(url)).toEqual(allDone);
      expect(await counters(url, bindingIds)).toEqual(countsOf(fixture, emails));
      return emails;
    },
    // A machine that forwards ten a second has a minute and more of work left when a load stops.
    { patienceMs: 240_000, restMs: 250 },
  );
  // Whoever is deferred comes again; nobody is told that an address does not exist.
  expect(loads.flatMap((load) => load.refused).filter(({ reply }) => reply.startsWith("5"))).toEqual([]);
  const forwarded = tally(fixture.sink.messages.map(({ bytes }) => markerOf(bytes)));
  const taken = fixture.target.received.filter(({ status }) => status === 200);
  const called = tally(taken.map(({ headers }) => String(headers["webhook-id"])));
  expect(kept.filter(({ id }) => !called.has(id))).toEqual([]);
  expectInOrder(fixture);
  const wanted = wantedForwards(loads, forwarded);
  // Whatever was stored was forwarded too, and the other way round.
  expect(kept.length).toBe([...wanted.values()].reduce((sum, count) => sum + count, 0));
  await expectBrowsable(fixture, kept);
  const twice: AllowedDuplicates = {
    forwardedTwice: surplus(forwarded, wanted),
    calledTwice: surplus(called, tally(kept.map(({ id }) => id))),
  };
  report(loads, kept.length, twice);
  expect(twice.forwardedTwice).toBeLessThanOrEqual(tolerance.forwardedTwice);
  expect(twice.calledTwice).toBeLessThanOrEqual(tolerance.calledTwice);
}

/** Each attempt at a callback came after the one before it, whichever process made it. */
function expectInOrder({ target }: FaultFixture): void {
  const attempts = Map.groupBy(target.received, ({ headers }) => String(headers["webhook-id"]));
  for (const [id, ofOne] of attempts) {
    const madeAt = ofOne.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect({ id, madeAt }).toEqual({ id, madeAt: madeAt.toSorted((one, other) => one - other) });
  }
}

/** How often each message is to have left: once for each recipient. One whose fate is open: so, or not at all. */
function wantedForwards(loads: readonly MailLoad[], forwarded: ReadonlyMap<string, number>): Map<string, number> {
  const accepted = loads.flatMap((load) => load.accepted);
  const open = loads.flatMap(fateOpen).filter(({ marker }) => forwarded.has(marker));
  return new Map([...accepted, ...open].map(({ marker, recipients }) => [marker, recipients.length]));
}

/** Where the connection, or the answer to the commit behind a 451, was lost after all had been sent. */
function fateOpen({ unanswered, refused }: MailLoad): LoadedMail[] {
  return [...unanswered, ...refused.filter(({ isSentWhole }) => isSentWhole)];
}

/** Its owner sees each email of the browsable binding, once, and processed. */
async function expectBrowsable({ rest, browsable }: FaultFixture, kept: readonly KeptEmail[]): Promise<void> {
  const answer = await rest.get(`/api/v1/received-emails-links/${browsable.id}`);
  const links = answer.body?.["data"] ?? [];
  const expected = kept.filter(({ bindingId }) => bindingId === browsable.id).map(({ id }) => id);
  expect(links.map((link) => String(link["id"])).sort()).toEqual(expected.sort());
  expect(links.filter((link) => link["attributes"]?.["is_processed"] !== true)).toEqual([]);
}

function countsOf({ browsable, forwardOnly }: FaultFixture, emails: readonly KeptEmail[]): Map<string, number> {
  const count = (id: string) => emails.filter(({ bindingId }) => bindingId === id).length;
  return new Map([browsable.id, forwardOnly.id].map((id) => [id, count(id)]));
}

function markerOf(message: Buffer): string {
  return /^Subject: (.*)\r$/m.exec(message.toString("latin1"))?.[1] ?? "";
}

function tally(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** How many came more often than they should; fails where one came too seldom, or nobody knows it. */
function surplus(found: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): number {
  const tooSeldom = [...wanted].filter(([name, count]) => (found.get(name) ?? 0) < count);
  const strangers = [...found.keys()].filter((name) => !wanted.has(name));
  expect({ tooSeldom, strangers }).toEqual({ tooSeldom: [], strangers: [] });
  return [...found].reduce((sum, [name, count]) => sum + count - (wanted.get(name) ?? 0), 0);
}

/** For whoever reads the run: how much there was, and what a kill cost. */
function report(loads: readonly MailLoad[], emails: number, { forwardedTwice, calledTwice }: AllowedDuplicates): void {
  const sum = (count: (load: MailLoad) => number) => loads.reduce((total, load) => total + count(load), 0);
  const messages = `${sum((load) => load.accepted.length)} accepted, ${sum((load) => load.refused.length)} refused, ${sum((load) => load.unanswered.length)} unanswered`;
  process.stdout.write(`${messages}: ${emails} emails; twice ${forwardedTwice} forwards, ${calledTwice} callbacks\n`);
}
