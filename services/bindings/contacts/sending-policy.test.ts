import { expect, test } from "@jest/globals";
import { dayMs } from "../../platform/durations.ts";
import { newId } from "../../platform/ids.ts";
import { SendingPolicy, type sendingModes } from "./sending-policy.ts";

const stranger = {
  ownerId: newId(),
  madeBy: "owner",
  received: 0,
  invitesReplies: false,
  isBesideWriter: false,
} as const;

function policy(mode: (typeof sendingModes)[number], ageDays: number, isUsernameVerified = true): SendingPolicy {
  const createdAt = new Date(Date.now() - ageDays * dayMs).toISOString();
  const auth = { account: async ({ id }: { id: string }) => ({ id, createdAt, isUsernameVerified }) };
  return new SendingPolicy({ mode, minAgeDays: 7, auth: auth as never });
}

test("an account writes first where SENDING is all, once it is confirmed and old enough", async () => {
  expect(await policy("all", 6).fault(stranger)).toBe("not-written");
  expect(await policy("all", 8, false).fault(stranger)).toBe("not-written");
  expect(await policy("all", 8).fault(stranger)).toBeUndefined();
  expect(await policy("answers", 8).fault(stranger)).toBe("not-written");
  expect(await policy("off", 8).fault({ ...stranger, received: 1 })).toBe("sending-off");
});

test("whoever wrote, or invited replies, is written to by any account; whom a message only named, beside one of those", async () => {
  const young = policy("answers", 0, false);
  expect(await young.fault({ ...stranger, received: 1 })).toBeUndefined();
  expect(await young.fault({ ...stranger, invitesReplies: true })).toBeUndefined();
  expect(await young.fault({ ...stranger, madeBy: "mail", isBesideWriter: true })).toBeUndefined();
  expect(await young.fault({ ...stranger, madeBy: "mail" })).toBe("not-written");
  expect(await young.fault({ ...stranger, isBesideWriter: true })).toBe("not-written");
});
