import { arrivals, persistently } from "../arrivals.ts";
import type { Email } from "../email.ts";
import { ForbiddenError, NotFoundError } from "../errors.ts";
import type { Postern } from "../postern.ts";
import { parsed, positionals } from "./arguments.ts";
import { plain, say } from "./output.ts";

/** `postern tail [ADDRESS]`: until it is ended. */
export async function tail(args: string[], client: () => Postern): Promise<void> {
  const { values, positionals: given } = parsed(args, {});
  const [wanted] = positionals(given, ["An address"], 0);
  const postern = client();
  const onLoss = () => void process.stderr.write("postern: the connection was broken for too long to show all.\n");
  for await (const { emailId } of arrivals(postern.transport, { onLoss })) {
    const email = await persistently(() => read(postern, emailId));
    if (!email || (wanted !== undefined && !isAt(email.recipient, wanted))) continue;
    const { id, sender, recipient, subject, receivedAt } = email;
    const short = { id, receivedAt, recipient, sender, subject };
    say(values.json ? JSON.stringify(short) : [receivedAt.toISOString(), recipient, sender, plain(subject)].join("\t"));
  }
}

/** Undefined where it was removed meanwhile, or is not kept. */
async function read(postern: Postern, emailId: string): Promise<Email | undefined> {
  return postern.emails.get(emailId).catch((error: unknown) => {
    const isNotKept = error instanceof ForbiddenError && error.kind === "NotBrowsable";
    if (isNotKept || error instanceof NotFoundError) return undefined;
    throw error;
  });
}

/** Whether an email came to an address, whatever its tag. */
function isAt(recipient: string, wanted: string): boolean {
  return recipient.toLowerCase() === wanted.toLowerCase().replace(/\+[^@]*(?=@)/, "");
}
