import { SmtpClient } from "../../support/mail/smtp.ts";

/** Sends a message in pieces. @returns the answer to it, or to the command that was refused. */
export async function sendPieces(port: number, recipient: string, pieces: Iterable<Buffer>): Promise<string> {
  const client = await SmtpClient.open(port);
  try {
    for (const command of ["MAIL FROM:<author@example.org>", `RCPT TO:<${recipient}>`, "DATA"]) {
      const reply = await client.command(command);
      if (/^[45]/.test(reply)) return reply;
    }
    await client.sendPieces(pieces);
    return await client.command(".");
  } finally {
    client.destroy();
  }
}
