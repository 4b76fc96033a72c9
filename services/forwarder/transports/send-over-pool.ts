import type { SessionPool } from "../smtp/pool.ts";
import { SmtpFailure } from "../smtp/smtp-failure.ts";
import type { ExchangerLimits } from "./exchanger-limits.ts";
import { oneLine, resultOf } from "./send-result.ts";
import type { OutboundMessage, SendResult } from "./transport.ts";

/** Sends over a pool's sessions. @throws what `content` throws, and what the pool's `open` throws */
export async function sendOverPool(
  pool: SessionPool,
  message: OutboundMessage,
  exchangers?: ExchangerLimits,
): Promise<SendResult> {
  for (;;) {
    const outcome = await pool.use(async (session) => {
      const isKept = session.messageCount > 0;
      const { remote } = session;
      const leave = exchangers?.use(session.remoteAddress);
      try {
        const reply = await session.send(message.envelope, message.content);
        return { kind: "delivered" as const, response: oneLine(reply.text), remote };
      } catch (error) {
        // A kept session that the server had closed meanwhile says nothing about the message: it goes over another.
        return isKept && isStale(error) ? undefined : resultOf(error, remote);
      } finally {
        leave?.();
      }
    });
    if (outcome) return outcome;
  }
}

/** Lost before the first reply to this message, or by 421, which closes the session and says nothing of the message. */
function isStale(error: unknown): boolean {
  return (
    error instanceof SmtpFailure && error.stage === "sender" && (error.reply === undefined || error.reply.code === 421)
  );
}
