import type { SessionPool } from "../smtp/pool.ts";
import { SmtpFailure } from "../smtp/smtp-failure.ts";
import { oneLine, outcomeOf } from "./outcome.ts";
import type { Outcome, Parcel } from "./transport.ts";

/** Sends over a pool's sessions. @throws what `content` throws, and what could not even be reached, as the pool's `open` throws it */
export async function sendOverPool(pool: SessionPool, parcel: Parcel): Promise<Outcome> {
  for (;;) {
    const outcome = await pool.use(async (session) => {
      const isKept = session.messageCount > 0;
      const { remote } = session;
      try {
        const reply = await session.send(parcel.envelope, parcel.content);
        return { kind: "delivered" as const, response: oneLine(reply.text), remote };
      } catch (error) {
        // A kept session that the server had ended meanwhile says nothing about the message: it goes over another.
        return isKept && isStale(error) ? undefined : outcomeOf(error, remote);
      }
    });
    if (outcome) return outcome;
  }
}

/** Lost before the server had said a word to this message, or with 421, which closes the session and judges nothing. */
function isStale(error: unknown): boolean {
  return (
    error instanceof SmtpFailure && error.stage === "sender" && (error.reply === undefined || error.reply.code === 421)
  );
}
