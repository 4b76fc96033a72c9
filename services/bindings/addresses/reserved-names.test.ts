import { expect, test } from "@jest/globals";
import { isReserved } from "./reserved-names.ts";

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
  expect(isReserved(localPart, "postern")).toBe(true);
});

test.each(["alice", "abuser", "bouncer", "rooted", "srs", "no.reply.to.me"])("%s is not", (localPart) => {
  expect(isReserved(localPart, "postern")).toBe(false);
});
