import { expect, test } from "@jest/globals";
import { ReservedNames } from "./reserved-names.ts";

const reservedNames = new ReservedNames("postern");

test.each([
  "postmaster",
  "PostMaster",
  "abuse",
  "abuse+case42",
  "hostmaster",
  "webmaster",
  "mailer-daemon",
  "noreply",
  "no-reply",
  "root",
  "admin",
  "bounce",
  "bounce+token",
  "Bounce+x@y",
  "SRS0=hash=tt=example.com=user",
  "srs1-hash",
  "prvs=1234=user",
])("%s is reserved", (localPart) => {
  expect(reservedNames.has(localPart)).toBe(true);
});

test.each(["alice", "abuser", "bouncer", "rooted", "srs", "no.reply.to.me"])("%s is not", (localPart) => {
  expect(reservedNames.has(localPart)).toBe(false);
});

test("the service's own name is reserved, and what looks like it", () => {
  const names = new ReservedNames("Shield");
  expect(["shield", "SHIELD", "sh1eld", "shield+x"].map((each) => names.has(each))).toEqual([true, true, true, true]);
  expect(reservedNames.has("shield")).toBe(false);
});
