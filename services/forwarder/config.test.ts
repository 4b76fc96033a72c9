import { expect, test } from "@jest/globals";
import { dayS } from "../platform/durations.ts";
import { scheduleLengthS } from "../platform/jobs/retry-schedule.ts";
import { defaultRetriesS } from "./config.ts";

test("mail is given up between four and five days (RFC 5321 section 4.5.4.1)", () => {
  const days = scheduleLengthS(defaultRetriesS) / dayS;
  expect(days).toBeGreaterThan(4);
  expect(days).toBeLessThanOrEqual(5);
});
