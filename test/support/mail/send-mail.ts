import nodemailer, { type SendMailOptions } from "nodemailer";

/** Sends one message as a mail program would; the answer to its final dot. @throws what the server refused. */
export async function sendMail(smtpPort: number, mail: SendMailOptions): Promise<string> {
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: smtpPort,
    tls: { rejectUnauthorized: false },
  });
  try {
    return (await transport.sendMail({ from: "Ann <ann@example.com>", ...mail })).response;
  } finally {
    transport.close();
  }
}

/** The ids of the emails that an answer to the final dot names. */
export function emailIds(response: string): string[] {
  return response.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
}
