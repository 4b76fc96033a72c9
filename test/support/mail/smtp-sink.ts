import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message as the next hop got it. */
export interface ReceivedMail {
  sender: string;
  recipient: string;
  bytes: Buffer;
  /** Parameters of MAIL FROM. */
  parameters: Record<string, unknown>;
  isSecure: boolean;
  /** Which connection it came over. */
  sessionId: string;
}

/** What a sink is to answer instead of 250: an SMTP code and a text. */
export class SinkRefusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

export interface SinkOptions extends SMTPServerOptions {
  /** Asked at RCPT TO; throws what it refuses. */
  atRecipient?(recipient: string): void;
  /** Asked once the message is there; throws what it refuses. Its sender waits for it. */
  atMessage?(message: ReceivedMail): void | Promise<void>;
}

/** A real SMTP server on a loopback port that keeps what it is given. */
export class SmtpSink {
  readonly messages: ReceivedMail[] = [];
  readonly #server: SMTPServer;
  #changed = Promise.withResolvers<void>();

  private constructor({ atRecipient, atMessage, ...options }: SinkOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      ...options,
      onRcptTo: ({ address }, _session, done) => {
        refusalOf(() => atRecipient?.(address)).then(done, done);
      },
      onData: (stream, session, done) => {
        const { mailFrom, rcptTo } = session.envelope;
        const take = async (bytes: Buffer): Promise<void> => {
          const message: ReceivedMail = {
            sender: mailFrom ? mailFrom.address : "",
            recipient: rcptTo[0]?.address ?? "",
            bytes,
            parameters: (mailFrom && (mailFrom.args as Record<string, unknown>)) || {},
            isSecure: session.secure,
            sessionId: session.id,
          };
          const refusal = await refusalOf(() => atMessage?.(message));
          if (!refusal) this.messages.push(message);
          done(refusal);
          this.#changed.resolve();
          this.#changed = Promise.withResolvers();
        };
        buffer(stream).then(take, done);
      },
    });
    // A client that goes away in the middle is what some tests are about.
    this.#server.on("error", () => undefined);
  }

  static async start(options: SinkOptions = {}): Promise<SmtpSink> {
    const sink = new SmtpSink(options);
    await once(sink.#server.listen(0, "127.0.0.1"), "listening");
    return sink;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Until so many messages have come. */
  async received(count: number): Promise<ReceivedMail[]> {
    while (this.messages.length < count) await this.#changed.promise;
    return this.messages;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

async function refusalOf(ask: () => void | Promise<void>): Promise<Error | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    return error as Error;
  }
}
