import { SinkRefusal, SmtpSink } from "../../support/mail/smtp-sink.ts";

export interface RefusingHop {
  readonly sink: SmtpSink;
  /** The recipients that it refuses, now or from then on. */
  readonly refused: Set<string>;
}

/** A next hop that takes mail but for some recipients. @param code of the reply to these */
export async function startRefusingHop(code: number, text: string): Promise<RefusingHop> {
  const refused = new Set<string>();
  const sink = await SmtpSink.start({
    atRecipient: (recipient) => {
      if (refused.has(recipient)) throw new SinkRefusal(code, text);
    },
  });
  return { sink, refused };
}
