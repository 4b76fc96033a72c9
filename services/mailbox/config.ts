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
  ATTACHMENT_LINK_HOURS: integer(24, { min: 1, max: 720 }).describe("Hours that a link to an attachment is good for"),
});
