import { arrivals } from "../arrivals.ts";
import type { Email } from "../email.ts";
import { NotFoundError } from "../errors.ts";
import type { Postern } from "../postern.ts";
import { parsed, positionals } from "./arguments.ts";
import { plain, say } from "./output.ts";

/** `postern tail [ADDRESS]`: until it is ended. */
export async function tail(args: string[], client: () => Postern): Promise<void> {
  const { values, positionals: given } = parsed(args, {});
  const [wanted] = positionals(given, ["An address"], 0);
  const postern = client();
  for await (const { emailId } of arrivals(postern.transport)) {
    const email = await read(postern, emailId);
    if (!email || (wanted !== undefined && !isAt(email.recipient, wanted))) continue;
    const { id, sender, recipient, subject, receivedAt } = email;
    const short = { id, receivedAt, recipient, sender, subject };
    say(values.json ? JSON.stringify(short) : [receivedAt.toISOString(), recipient, sender, plain(subject)].join("\t"));
  }
}

/** Undefined where it was removed meanwhile. */
async function read(postern: Postern, emailId: string): Promise<Email | undefined> {
  return postern.emails.get(emailId).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

/** Whether an email came to an address, whatever its tag. */
function isAt(recipient: string, wanted: string): boolean {
  return recipient.toLowerCase() === wanted.toLowerCase().replace(/\+[^@]*(?=@)/, "");
}
