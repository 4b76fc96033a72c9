import { defineConfig, list } from "../config.ts";

/** For services that look names up in DNS for mail. */
export const dnsConfig = defineConfig({
  DNS_SERVERS: list("", "name servers as host or host:port, comma-separated")
    .meta({ unset: "the system's resolver" })
    .describe("Who is asked for MX, TXT and TLSA records; for tests and split networks"),
});
