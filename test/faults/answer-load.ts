import { expect } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { MailLoad } from "../support/mail/mail-load.ts";
import { ownersZone, signed } from "../support/mail/owners-server.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { DnsServer } from "../support/peers/dns-server.ts";
import type { FaultFixture } from "./fault-fixture.ts";
import { answersKept } from "./stored-state.ts";

const contact = "ann@shop.example";
/** Every so many answers have the real address in their text, so that they are held. */
const heldEach = 4;
const everybodysLimits = "1000000";

/** What a fixture with answers has to be told. */
export async function answeringEnvironment(): Promise<{ dns: DnsServer; environment: Record<string, string> }> {
  const dns = await DnsServer.start({ ...ownersZone });
  return {
    dns,
    environment: {
      DNS_SERVERS: dns.address,
      LIMIT_SENT_PER_HOUR: everybodysLimits,
      LIMIT_SENT_PER_DAY: everybodysLimits,
      LIMIT_SENT_PER_CONTACT_PER_HOUR: everybodysLimits,
    },
  };
}

/** An owner's answers to a contact, sent beside the other mail of a fixture. */
export class Answers {
  readonly #fixture: FaultFixture;
  readonly #load: MailLoad;
  readonly #bindingId: string;
  readonly #held = new Set<string>();

  private constructor(fixture: FaultFixture, bindingId: string, reverseAddress: string) {
    this.#fixture = fixture;
    this.#bindingId = bindingId;
    const { username } = fixture.installation.account;
    this.#load = new MailLoad({
      port: fixture.installation.smtpPort,
      name: "answer",
      sessions: 5,
      sender: username,
      recipients: [[reverseAddress]],
      isRepeated: true,
      compose: (marker) => this.#compose(marker, reverseAddress),
      explain: () => fixture.installation.output().slice(-4_000),
    });
  }

  /** Once the contact has written. */
  static async sendUntilStopped(fixture: FaultFixture): Promise<Answers> {
    const { rest, installation, sink } = fixture;
    const binding = await makeBinding(rest, { real_addresses: [installation.account.username], is_browsable: true });
    const query =
      "mutation ($id: ID!) { updateProxyBinding(id: $id, input: { answers: true }) { proxyBinding { id } } }";
    await rest.send("POST", "/graphql", { query, variables: { id: binding.id } });
    const client = await SmtpClient.open(installation.smtpPort);
    await client.deliver([binding.proxyAddress], `From: ${contact}\r\nSubject: first\r\n\r\nHello.\r\n`, contact);
    client.destroy();
    const reverseAddress = await eventually(() => {
      const forwarded = sink.messages.map(({ bytes }) => bytes.toString("latin1"));
      const [found] = forwarded.flatMap(
        (each) => /^From:[^\n]*\n?[^\n]*<(re\+[a-z2-7]{26}@[^>]+)>/m.exec(each)?.[1] ?? [],
      );
      if (found === undefined) throw new Error("nothing was forwarded yet");
      return found;
    });
    sink.messages.length = 0;
    return new Answers(fixture, binding.id, reverseAddress);
  }

  acceptedMore(count: number): Promise<void> {
    return this.#load.acceptedMore(count);
  }

  stop(): Promise<void> {
    return this.#load.stop();
  }

  /**
   * Once everything has come to its end: each answer left once, however often its server sent it, or it is held, and its author was told.
   * @param sentTwice how many may have left twice: those in flight when a process was killed
   */
  async expectSettled(sentTwice: number): Promise<void> {
    const { installation, sink } = this.#fixture;
    const markers = [...new Set(this.#load.accepted.map(({ marker }) => marker))];
    const held = markers.filter((marker) => this.#held.has(marker)).length;
    const left = () => sink.messages.filter(({ recipient }) => recipient === contact).map(markerOf);
    const url = await installation.databaseUrl();
    await eventually(
      async () => {
        expect(await answersKept(url, this.#bindingId)).toEqual({ emails: markers.length, held, open: 0 });
        expect(new Set(left())).toEqual(new Set(markers.filter((marker) => !this.#held.has(marker))));
        expect(questionsTo(sink.messages)).toBeGreaterThanOrEqual(held);
      },
      { patienceMs: 120_000, restMs: 250 },
    );
    const twice = left().length - (markers.length - held);
    process.stdout.write(`${markers.length} answers: ${held} held, ${twice} left twice\n`);
    expect(twice).toBeLessThanOrEqual(sentTwice);
    expect(questionsTo(sink.messages)).toBeLessThanOrEqual(held + sentTwice);
  }

  async #compose(marker: string, reverseAddress: string): Promise<string> {
    const { username } = this.#fixture.installation.account;
    const isHeld = Number(/-(\d+)-end$/.exec(marker)?.[1]) % heldEach === heldEach - 1;
    if (isHeld) this.#held.add(marker);
    const message = [
      `From: ${username}`,
      `To: ${reverseAddress}`,
      `Date: ${new Date().toUTCString()}`,
      `Message-ID: <${marker}@mail.example.org>`,
      `Subject: ${marker}`,
      "",
      isHeld ? `Write to ${username}.` : "Thank you.",
      "",
    ].join("\r\n");
    return (await signed(Buffer.from(message), "example.org")).toString("latin1");
  }
}

function markerOf({ bytes }: { bytes: Buffer }): string {
  return /^Subject: (.*)\r$/m.exec(bytes.toString("latin1"))?.[1] ?? "";
}

/** Mails that ask an owner about an answer that is held. */
function questionsTo(messages: readonly { bytes: Buffer }[]): number {
  return messages.filter((each) => markerOf(each).endsWith("Your answer was not sent yet")).length;
}
