import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "./support/eventually.ts";
import { makeBinding } from "./support/http/rest-bindings.ts";
import { startInstallation } from "./support/installation/installation.ts";
import { emailIds } from "./support/mail/send-mail.ts";
import { SmtpClient } from "./support/mail/smtp.ts";

// npm run test:corpus -- DIR: each .eml file under DIR goes through an installation of its own, and has to come out
// unchanged below our own fields. A line for each file; exit code 1 if any is changed or refused, or there is none.

/** All that may stand above a message that was passed on. */
const ownFields =
  /^(?:(?:received|authentication-results|arc-seal|arc-message-signature|arc-authentication-results|dkim-signature):[^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*)+$/i;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: npm run test:corpus -- DIR\n");
  process.exit(64);
}
process.exit((await passAll(folder)) ? 0 : 1);

async function passAll(corpus: string): Promise<boolean> {
  const names = (await readdir(corpus, { recursive: true })).filter((name) => name.endsWith(".eml")).sort();
  const installation = await startInstallation({ mode: "single" });
  let changed = 0;
  try {
    const rest = await installation.rest();
    const { proxyAddress } = await makeBinding(rest, { real_addresses: [installation.account.username] });
    for (const name of names) {
      const sent = asLines(await readFile(join(corpus, name)));
      const verdict = await pass(sent, proxyAddress);
      if (verdict !== "unchanged") changed += 1;
      process.stdout.write(`${verdict}\t${name}\n`);
    }
  } finally {
    await installation.dispose();
  }
  process.stdout.write(`${names.length} files, ${changed} not unchanged\n`);
  return changed === 0 && names.length > 0;

  async function pass(sent: Buffer, proxyAddress: string): Promise<string> {
    const client = await SmtpClient.open(installation.smtpPort);
    const reply = (await client.deliver([proxyAddress], stuffed(sent))).at(-1) ?? "";
    client.destroy();
    if (emailIds(reply).length === 0) return `refused (${reply})`;
    const left = await eventually(async () => {
      const [found] = await installation.outbound();
      if (!found) throw new Error("it has not left yet");
      return found;
    });
    // Looked at once, so that the next look need not read it again.
    await rm(join(installation.dataDir, "outbound", `${left.name}.eml`));
    const at = left.message.length - sent.length;
    const isKept = at > 0 && left.message.subarray(at).equals(sent);
    return isKept && ownFields.test(left.message.toString("latin1", 0, at)) ? "unchanged" : "CHANGED";
  }
}

/** As SMTP carries it: files often have LF alone, and no end to their last line. */
function asLines(file: Buffer): Buffer {
  const text = file.toString("latin1").replace(/\r\n|\r|\n/g, "\r\n");
  return Buffer.from(text.endsWith("\r\n") ? text : `${text}\r\n`, "latin1");
}

/** RFC 5321 section 4.5.2. */
function stuffed(message: Buffer): Buffer {
  return Buffer.from(message.toString("latin1").replace(/^\./gm, ".."), "latin1");
}
