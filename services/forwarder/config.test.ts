import { expect, test } from "@jest/globals";
import { scheduleLengthS } from "../platform/jobs/retry-schedule.ts";
import { standardRetriesS } from "./config.ts";

test("mail is given up between four and five days (RFC 5321 section 4.5.4.1)", () => {
  const days = scheduleLengthS(standardRetriesS) / 86_400;
  expect(days).toBeGreaterThan(4);
  expect(days).toBeLessThanOrEqual(5);
});
