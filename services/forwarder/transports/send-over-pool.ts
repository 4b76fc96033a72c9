import type { SessionPool } from "../smtp/pool.ts";
import type { SmtpClientSession } from "../smtp/session.ts";
import { SmtpFailure } from "../smtp/smtp-failure.ts";
import type { ExchangerLimits } from "./exchanger-limits.ts";
import { oneLine, resultOf } from "./send-result.ts";
import type { OutboundMessage, SendResult } from "./transport.ts";

/** Where a destination has several servers. */
interface Exchangers {
  limits: ExchangerLimits;
  /** A session with one of them that is not at these addresses; undefined where there is none. */
  openNext(tried: readonly string[]): Promise<SmtpClientSession | undefined>;
}

interface Sent {
  result: SendResult;
  /** Why it failed. */
  failure?: unknown;
}

/** Sends over a pool's sessions. @throws what `content` throws, and what the pool's `open` throws */
export async function sendOverPool(
  pool: SessionPool,
  message: OutboundMessage,
  exchangers?: Exchangers,
): Promise<SendResult> {
  for (;;) {
    const outcome = await pool.use(async (session) => {
      const isKept = session.messageCount > 0;
      const sent = await sendOver(session, message, exchangers);
      // A kept session that the server had closed meanwhile says nothing about the message: it goes over another.
      if (isKept && isStale(sent.failure)) return undefined;
      return exchangers ? await sendToNext(exchangers, message, session.remoteAddress, sent) : sent.result;
    });
    if (outcome) return outcome;
  }
}

/**
 * Goes on to further exchangers while those before end their service (RFC 5321 section 5.1). Within the place that the pool gave
 * to the first session, so that a destination never has more that carry a message.
 */
async function sendToNext(exchangers: Exchangers, message: OutboundMessage, first: string, sent: Sent) {
  const tried = [first];
  let last = sent;
  while (isServiceEnded(last.failure)) {
    const session = await exchangers.openNext(tried);
    if (!session) break;
    try {
      last = await sendOver(session, message, exchangers);
      tried.push(session.remoteAddress);
    } finally {
      session.quit();
    }
  }
  return last.result;
}

async function sendOver(session: SmtpClientSession, message: OutboundMessage, exchangers?: Exchangers): Promise<Sent> {
  const { remote } = session;
  const leave = exchangers?.limits.use(session.remoteAddress);
  try {
    const reply = await session.send(message.envelope, message.content);
    return { result: { kind: "delivered", response: oneLine(reply.text), remote } };
  } catch (failure) {
    return { result: resultOf(failure, remote), failure };
  } finally {
    leave?.();
  }
}

/** Lost before the first reply to this message, or by 421, which closes the session and says nothing of the message. */
function isStale(error: unknown): boolean {
  return (
    error instanceof SmtpFailure && error.stage === "sender" && (error.reply === undefined || error.reply.code === 421)
  );
}

/** By 421 or by a lost connection; not once the content is on its way: where its last reply is lost, the server may have taken it. */
function isServiceEnded(error: unknown): boolean {
  if (!(error instanceof SmtpFailure)) return false;
  return error.reply ? error.reply.code === 421 : error.stage !== "content";
}
