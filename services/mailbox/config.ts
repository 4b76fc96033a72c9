import { defineConfig, integer } from "../platform/config.ts";

export const mailboxConfig = defineConfig({
  RETENTION_DAYS: integer(30, { min: 1, max: 3_650 }).describe(
    "Days that received emails and their timelines are kept",
  ),
  MAILBOX_LEASE_S: integer(30, { min: 1, max: 3_600 }).describe(
    "After how many seconds another worker takes over a message that is being read; one that takes longer is read twice and stored once",
  ),
  PAYLOAD_LIMIT_MB: integer(10, { min: 1, max: 100 }).describe(
    "Megabytes that the payload of an email takes at most, in callbacks and in REST: the longest texts are cut",
  ),
  QUOTA_STORAGE_MB: integer(0, { min: 0, max: 1_000_000 })
    .meta({ form: "a whole number from 0 (no limit) to 1000000", unset: "no limit" })
    .describe(
      "Megabytes of mail that are kept of one account: beyond it mail is forwarded and called back, and not kept; an address that only keeps answers 452",
    ),
  ATTACHMENT_LINK_HOURS: integer(24, { min: 1, max: 720 }).describe("Hours that a link to an attachment is good for"),
});
