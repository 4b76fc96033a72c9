import { eventually } from "../eventually.ts";
import { call, type Document, type RestClient } from "../http/rest-client.ts";
import { type Installation, startInstallation } from "../installation/installation.ts";
import { DnsServer, type Zone } from "../peers/dns-server.ts";
import type { CapturedMail } from "./captured-mail.ts";
import { ownersZone, type Signing, signed } from "./owners-server.ts";
import { SmtpClient } from "./smtp.ts";

/** The owner's mail server sends from here, as its SPF record says; a stranger who has a copy of a mail sends from elsewhere. */
export const ownersHost = "127.0.0.1";
export const strangersHost = "127.0.0.5";

export interface AnswerOptions {
  /** Fields before the body; a From, Date and Message-ID are added where there is none. */
  header: readonly string[];
  body?: string;
  /** The domain that signs; undefined: nobody. */
  signer?: string | undefined;
  signing?: Signing;
  host?: string;
}

interface Binding {
  readonly id: string;
  readonly proxyAddress: string;
}

/** An installation with an owner at example.org, whose server signs, and contacts outside. */
export class AnsweringOwner {
  readonly dns: DnsServer;
  readonly installation: Installation;
  readonly rest: RestClient;
  readonly realAddress: string;
  #count = 0;

  private constructor(dns: DnsServer, installation: Installation, rest: RestClient) {
    this.dns = dns;
    this.installation = installation;
    this.rest = rest;
    this.realAddress = installation.account.username;
  }

  static async start(environment: Readonly<Record<string, string>> = {}, zone: Zone = {}): Promise<AnsweringOwner> {
    const dns = await DnsServer.start({
      "example.org TXT": [`v=spf1 ip4:${ownersHost} -all`],
      ...ownersZone,
      ...zone,
    });
    const installation = await startInstallation({ environment: { DNS_SERVERS: dns.address, ...environment } });
    return new AnsweringOwner(dns, installation, await installation.rest());
  }

  /** A binding of the owner's that answers. */
  async binding(settings: Record<string, unknown> = {}): Promise<Binding> {
    const input = { realAddresses: [this.realAddress], isBrowsable: true, answers: true, displayName: "Olive Owner" };
    const { createProxyBinding } = await this.graph(
      "mutation ($input: CreateProxyBindingInput) { createProxyBinding(input: $input) { proxyBinding { id proxyAddress } } }",
      { input: { ...input, ...settings } },
    );
    return createProxyBinding?.["proxyBinding"] as unknown as Binding;
  }

  /** @throws Error with the graph's errors */
  async graph(query: string, variables: Record<string, unknown> = {}): Promise<Document> {
    const { url } = this.installation;
    const { body } = await call(`${url}/graphql`, "POST", { query, variables }, { token: this.rest.token });
    if (body?.["errors"]) throw new Error(JSON.stringify(body["errors"]));
    return body?.["data"] as Document;
  }

  /** Mail from outside; the forwarded message as its owner gets it. */
  async forwarded(to: string, header: readonly string[], body = "Hello there.", host = strangersHost): Promise<string> {
    const mark = this.mark();
    const client = await SmtpClient.open(this.installation.smtpPort, host);
    const content = [`X-Mark: ${mark}`, ...header, "", body, ""].join("\r\n");
    const reply = (await client.deliver([to], content, "contact@shop.example")).at(-1) ?? "";
    client.destroy();
    if (!reply.startsWith("250")) throw new Error(reply);
    return (await this.left(({ message }) => message.includes(mark))).message.toString("latin1");
  }

  /** The reverse address of whoever is named in a field of a forwarded message. */
  reverseIn(message: string, field = "From"): string {
    const unfolded = message.replaceAll(/\r\n[ \t]/g, " ");
    const [, body = ""] = new RegExp(`^${field}:(.*)$`, "im").exec(unfolded) ?? [];
    const [found = ""] = /re\+[a-z2-7]{26}@[\w.-]+/.exec(body) ?? [];
    if (found === "") throw new Error(`no reverse address in ${field} of\n${message}`);
    return found;
  }

  mark(): string {
    this.#count += 1;
    return `mark-${this.#count}-${process.pid}`;
  }

  /** An answer as the owner's server would send it. */
  async signed({
    header,
    body = "Thank you.\r\n",
    signer = "example.org",
    signing = {},
  }: AnswerOptions): Promise<Buffer> {
    const has = (name: string) => header.some((field) => field.toLowerCase().startsWith(`${name}:`));
    const fields = [
      ...(has("from") ? [] : [`From: Olive <${this.realAddress}>`]),
      ...(has("date") ? [] : [`Date: ${new Date().toUTCString().replace("GMT", "+0000")}`]),
      ...(has("message-id") ? [] : [`Message-ID: <${this.mark()}@mail.example.org>`]),
      ...header,
    ];
    const message = Buffer.from(`${fields.join("\r\n")}\r\n\r\n${body}`, "latin1");
    if (signer === "") return message;
    return signed(message, signer, signing);
  }

  /** Sends it; the reply to RCPT where that is a refusal, else to DATA. */
  async answer(to: string, options: AnswerOptions): Promise<string> {
    return this.submit(to, await this.signed(options), options.host);
  }

  async submit(to: string, message: Buffer, host = ownersHost): Promise<string> {
    const client = await SmtpClient.open(this.installation.smtpPort, host);
    const replies = await client.deliver([to], message, this.realAddress);
    client.destroy();
    return replies.find((reply) => !reply.startsWith("250")) ?? replies.at(-1) ?? "";
  }

  /** The first mail that left and is it. */
  left(isIt: (mail: CapturedMail) => boolean): Promise<CapturedMail> {
    return eventually(async () => {
      const mail = (await this.installation.outbound()).find(isIt);
      if (!mail) throw new Error("nothing left");
      return mail;
    });
  }

  async dispose(): Promise<void> {
    await this.installation.dispose();
    await this.dns.stop();
  }
}
