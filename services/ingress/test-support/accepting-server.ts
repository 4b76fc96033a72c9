import { buffer } from "node:stream/consumers";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { eightBitData } from "../smtp/eight-bit-data.ts";
import { messageBytes } from "../smtp/message-bytes.ts";
import { SmtpListener } from "../smtp/smtp-listener.ts";
import { type MailHandler, SmtpServer } from "../smtp/smtp-server.ts";
import { selfSigned } from "../tls/self-signed.ts";

const keyPair = await selfSigned("mx.example.com");
export const sizeLimitBytes = 256 * 1024;
const started: SmtpListener[] = [];

/** Stops the servers that a test started. */
export async function stopServers(): Promise<void> {
  await Promise.all(started.splice(0).map((listener) => listener.stop()));
}

/** An SMTP server that accepts and records every message. 127.0.0.7 is a proxy, 127.0.0.9 exempt from limits. */
export async function acceptingServer(
  handler: Partial<MailHandler> = {},
  bounds = { maxConnections: 100, maxConnectionsPerClient: 100 },
) {
  const taken: { messages: Buffer[]; refused: unknown[] } = { messages: [], refused: [] };
  const all: MailHandler = {
    mail: async () => undefined,
    recipient: async () => undefined,
    closed: () => undefined,
    async data(stream) {
      try {
        taken.messages.push(await buffer(eightBitData(messageBytes(stream), "refuse")));
        return "2.0.0 Accepted as 1";
      } catch (error) {
        taken.refused.push(error);
        throw error;
      } finally {
        stream.resume();
      }
    },
    ...handler,
  };
  const smtp = new SmtpServer(
    { name: "mx.example.com", sizeLimitBytes, recipientLimit: 2, idleTimeoutMs: 60_000, keyPair },
    all,
  );
  const listener = new SmtpListener(smtp, {
    port: 0,
    ...bounds,
    isExempt: (address) => address === "127.0.0.9",
    isProxy: (address) => address === "127.0.0.7",
    drainTimeoutMs: 5_000,
    logger: silentLogger,
  });
  started.push(listener);
  await listener.start();
  return { listener, smtp, port: listener.port, taken };
}
