import type { Exercise } from "./exercise.ts";
import { restarted } from "./restarted.ts";

/** The callback target of the exercise is in a private network, which webhook no longer calls. */
export const callbacksFailing: Exercise = {
  async raise(fixture) {
    await restarted(fixture, "webhook", { CALLBACK_ALLOW_CIDRS: "" });
  },
  async mend(fixture, book) {
    book.does("restore outgoing connections: CALLBACK_ALLOW_CIDRS holds the target's network again");
    await restarted(fixture, "webhook", { CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" });
  },
};
