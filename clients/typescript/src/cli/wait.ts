import type { AwaitedEmail } from "../email.ts";
import { ContentError } from "../errors.ts";
import type { Postern } from "../postern.ts";
import { parsed, positionals, seconds } from "./arguments.ts";
import { UsageError } from "./exit-codes.ts";
import { plain, say } from "./output.ts";

/** `postern wait ADDRESS` */
export async function wait(args: string[], client: () => Postern): Promise<void> {
  const { values, positionals: given } = parsed(args, {
    from: { type: "string" },
    subject: { type: "string" },
    since: { type: "string" },
    timeout: { type: "string", default: "60" },
    leave: { type: "boolean", default: false },
    code: { type: "boolean", default: false },
    link: { type: "boolean", default: false },
  });
  const [address = ""] = positionals(given, ["An address"]);
  if (values.code && values.link) throw new UsageError("--code and --link exclude each other.");
  const { from, subject, since, leave } = values;
  const timeoutMs = seconds(values.timeout, "--timeout") * 1_000;
  const email = await client().emails.next({ address, from, subject, since, take: !leave }, { timeoutMs });
  if (values.code) say(first(email.codes, "code", email));
  else if (values.link) say(first(email.links, "link", email));
  else say(values.json ? JSON.stringify(email) : shown(email));
}

/** @throws ContentError */
function first([found]: readonly string[], what: string, { subject }: AwaitedEmail): string {
  if (found === undefined) throw new ContentError(`The email ${JSON.stringify(subject)} holds no ${what}.`);
  return plain(found);
}

function shown({ from, sender, recipient, subject, codes, links, text }: AwaitedEmail): string {
  const head = { From: from || sender, To: recipient, Subject: subject, Code: codes[0], Link: links[0] };
  const lines = Object.entries(head).flatMap(([name, value]) => (value ? [`${name}: ${plain(value)}`] : []));
  return [...lines, "", ...text.split(/\r?\n/).map(plain)].join("\n").trimEnd();
}
