import { expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { loadConfig } from "../../platform/config.ts";
import { newId } from "../../platform/ids.ts";
import { createLimits } from "../../platform/security/rate-limits.ts";
import { bindingsConfig } from "../config.ts";
import { SendingLimits } from "./sending-limits.ts";

type Sending = Parameters<SendingLimits["consume"]>[0];

/** How many of one owner's messages are taken, of far more than any limit. */
async function takenOf(sendings: (at: number) => Partial<Sending>, environment: Record<string, string> = {}) {
  const limits = await createLimits(undefined, silentLogger);
  const sending = new SendingLimits(limits, loadConfig(bindingsConfig, environment));
  const ownerId = newId();
  const taken: boolean[] = [];
  for (let at = 0; at < 600; at++)
    taken.push(
      await sending.consume({ ownerId, contactId: newId(), isNew: false, isAutomatic: false, ...sendings(at) }),
    );
  return taken.filter((isTaken) => isTaken).length;
}

const contactId = newId();
const manyAnHour = { LIMIT_SENT_PER_HOUR: "100000" };

test.each<[string, number, (at: number) => Partial<Sending>, Record<string, string>]>([
  ["100 recipients an hour for an account", 100, () => ({}), {}],
  ["500 a day", 500, () => ({}), manyAnHour],
  ["30 an hour for a contact", 30, () => ({ contactId }), {}],
  ["20 contacts an hour that nothing was sent to before", 20, () => ({ isNew: true }), {}],
  ["one automatic answer a day for a contact", 1, () => ({ contactId, isAutomatic: true }), {}],
  ["an automatic answer for each contact", 100, () => ({ isAutomatic: true }), {}],
])("%s, unless a variable says otherwise", async (_limit, count, sendings, environment) => {
  expect(await takenOf(sendings, environment)).toBe(count);
});

test("what one account sends counts for no other", async () => {
  expect(await takenOf(() => ({ ownerId: newId() }))).toBe(600);
});

test("an answer for which one limit has no room counts towards none: a responder's is taken once there is room", async () => {
  const limits = await createLimits(undefined, silentLogger);
  const sending = new SendingLimits(limits, loadConfig(bindingsConfig, { LIMIT_SENT_PER_HOUR: "1" }));
  const [ownerId, contactId] = [newId(), newId()];
  const answer = { ownerId, contactId, isNew: false, isAutomatic: true };
  expect(await sending.consume({ ...answer, contactId: newId() })).toBe(true);
  expect(await sending.consume(answer)).toBe(false);
  // As if the hour were over.
  expect(await sending.consume({ ...answer, ownerId: newId() })).toBe(true);
});
