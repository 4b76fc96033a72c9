import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import type { CapturedMail } from "../../support/mail/captured-mail.ts";
import { SmtpClient } from "../../support/mail/smtp.ts";
import { DnsServer } from "../../support/peers/dns-server.ts";

export interface Sending {
  recipients?: readonly string[];
  sender?: string;
  /** Where it is sent from. */
  from?: string;
  /** How long to say nothing in the middle of the message. */
  pauseMs?: number;
}

/** Replies to DATA, as far as their status code. */
export const refused = "550 5.7.1";
export const taken = "250 2.0.0";

/** An installation whose name, fwd.corp.example, belongs to an organisation with mail of its own. */
export class OwnNameInstallation {
  readonly dns: DnsServer;
  readonly installation: Installation;
  #count = 0;

  private constructor(dns: DnsServer, installation: Installation) {
    this.dns = dns;
    this.installation = installation;
  }

  static async start(): Promise<OwnNameInstallation> {
    const dns = await DnsServer.start({
      "_dmarc.corp.example TXT": ["v=DMARC1; p=none"],
      "_dmarc.fwd.corp.example TXT": ["v=DMARC1; p=quarantine"],
      "_dmarc.bank.example TXT": ["v=DMARC1; p=reject"],
      "corp.example TXT": ["v=spf1 ip4:127.0.0.5 -all"],
      "failing.corp.example TXT": ["SERVFAIL"],
      "failing._domainkey.attacker.example TXT": ["SERVFAIL"],
    });
    const environment = { SERVICE_DOMAIN: "fwd.corp.example", DNS_SERVERS: dns.address };
    return new OwnNameInstallation(dns, await startInstallation({ environment }));
  }

  /** A proxy address that leads to the bootstrap account. */
  async proxyAddress(): Promise<string> {
    const real_addresses = [this.installation.account.username];
    return (await makeBinding(await this.installation.rest(), { real_addresses })).proxyAddress;
  }

  /** Sends a message of a header and `body`; the reply, and a mark that it can be found by once it has left. */
  async send(header: string, { recipients = [], sender = "x@attacker.example", from, pauseMs = 0 }: Sending) {
    const mark = `mark-${++this.#count}-${process.pid}`;
    const client = await SmtpClient.open(this.installation.smtpPort, from);
    await client.command(`MAIL FROM:<${sender}>`);
    for (const recipient of recipients) await client.command(`RCPT TO:<${recipient}>`);
    await client.command("DATA");
    client.send(`X-Mark: ${mark}\r\n${header}`);
    await delay(pauseMs);
    const reply = await client.command("\r\nbody\r\n.");
    client.destroy();
    return { reply: reply.slice(0, 9), mark };
  }

  /** The mail that left with something in it, or to somebody. */
  left(isIt: (mail: CapturedMail) => boolean): Promise<CapturedMail> {
    return eventually(async () => {
      const mail = (await this.installation.outbound()).find(isIt);
      if (!mail) throw new Error("nothing left");
      return mail;
    });
  }

  /** The From fields of the mail that left with a mark. */
  async fromOf(mark: string): Promise<string[]> {
    return fromFields(await this.left(({ message }) => message.includes(mark)));
  }

  async dispose(): Promise<void> {
    await this.installation.dispose();
    await this.dns.stop();
  }
}

/** Unfolded, and whatever stands between their name and its colon. */
export function fromFields({ message }: CapturedMail): string[] {
  const header = message.toString("utf8").split("\r\n\r\n", 1)[0] ?? "";
  const fields = header.split(/\r\n(?![ \t])/).map((field) => field.replaceAll("\r\n", ""));
  return fields.flatMap((field) => /^from[ \t]*:(.*)$/is.exec(field)?.[1] ?? []);
}
