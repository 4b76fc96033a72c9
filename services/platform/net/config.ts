import { Resolver } from "node:dns";
import { cidrs, defineConfig, list } from "../config.ts";

/** Read by bindings, which refuses a URL that is written as a special address, and by webhook, which refuses to connect to one. */
export const callbackTargetsConfig = defineConfig({
  CALLBACK_ALLOW_CIDRS: cidrs("").describe(
    "Special address ranges (loopback, private …) that callbacks may reach; what a target there answers (headers, the first 2 KiB) can be read by the owner of the callback",
  ),
});

const form = "addresses of name servers, with or without port, comma-separated";

/** For services that look names up, or connect to hosts named by users or by senders of mail. */
export const nameServersConfig = defineConfig({
  DNS_SERVERS: list("", form, nameServer)
    .meta({ unset: "the system's resolver" })
    .describe("Who is asked where mail exchangers and callback targets are; for tests and split networks"),
});

function nameServer(given: string): string | undefined {
  try {
    new Resolver().setServers([given]);
    return given;
  } catch {
    return undefined;
  }
}
