import { match } from "node:assert/strict";
import type { Exercise } from "./exercise.ts";
import { restarted } from "./restarted.ts";

/** The callback target of the exercise is in a private network, which webhook no longer calls. */
export const callbacksFailing: Exercise = {
  async raise(fixture) {
    // Given up soon: with eight more attempts each, a machine that is busy otherwise would not get to the last of them in time.
    await restarted(fixture, "webhook", { CALLBACK_ALLOW_CIDRS: "", CALLBACK_RETRY_S: "1" });
  },
  async mend(fixture, book) {
    // The target answers this machine, so what is wrong is what webhook may call.
    match(await book.run("curl -si -d {} URL", { URL: fixture.target.url }), /^HTTP\/1.1 200 /);
    book.does("restore outgoing connections: CALLBACK_ALLOW_CIDRS holds the target's network again");
    await restarted(fixture, "webhook", { CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", CALLBACK_RETRY_S: "1,1,1,1,1,1,1,1" });
  },
};
