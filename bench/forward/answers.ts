import { restClient } from "../../test/support/http/rest-client.ts";
import { ownersZone, signed } from "../../test/support/mail/owners-server.ts";
import { SmtpClient } from "../../test/support/mail/smtp.ts";
import { type CountingSink, sessionCount } from "./max-rate.ts";
import { account, type RunningPostern, startPostern } from "./postern.ts";
import { cpuSeconds, quiet } from "./resources.ts";

const limitMs = 600_000;
const contact = "sender@sender.example";
/** Answers in a row are what is measured. */
const limits = {
  LIMIT_SENT_PER_HOUR: "10000000",
  LIMIT_SENT_PER_DAY: "10000000",
  LIMIT_SENT_PER_CONTACT_PER_HOUR: "10000000",
};

/** CPU seconds for 1,000 messages. */
interface AnswerCosts {
  forward: number;
  answeringForward: number;
  answer: number;
}

interface AnswerLoad {
  messages: number;
  sizeBytes: number;
  rounds: number;
}

/** What a forward costs, one of a binding that answers, and an answer, all of one process, by turns; of all rounds the least. */
export async function answerCosts(relayPort: number, sink: CountingSink, load: AnswerLoad): Promise<AnswerCosts> {
  const postern = await startPostern(relayPort, "on", { environment: limits, zone: ownersZone });
  const costs = { forward: Infinity, answeringForward: Infinity, answer: Infinity };
  try {
    const answering = await answeringBinding(postern);
    const forwards = async () => Array<string>(load.messages).fill(forward(load.sizeBytes));
    const kinds: [keyof AnswerCosts, string, () => Promise<string[]>][] = [
      ["forward", postern.recipient, forwards],
      ["answeringForward", answering.proxyAddress, forwards],
      ["answer", answering.reverseAddress, () => answers(answering.reverseAddress, load)],
    ];
    // The first round warms up, and lets the contact write.
    for (let round = 0; round <= load.rounds; round++)
      for (const [kind, recipient, compose] of kinds) {
        const cost = await costOf(postern, sink, recipient, await compose());
        if (round > 0) costs[kind] = Math.min(costs[kind], cost);
      }
    return costs;
  } finally {
    await postern.stop();
  }
}

async function costOf(
  { smtpPort, rootPids }: RunningPostern,
  sink: CountingSink,
  recipient: string,
  messages: readonly string[],
): Promise<number> {
  await quiet(rootPids, limitMs);
  const [before, cpuBefore] = [await sink.count(), cpuSeconds(rootPids)];
  const waiting = messages.values();
  const send = async () => {
    const client = await SmtpClient.open(smtpPort);
    for (const message of waiting) {
      const replies = await client.deliver([recipient], message, contact);
      if (!replies.at(-1)?.startsWith("250")) throw new Error(`a message was not taken: ${replies.join(", ")}`);
    }
    client.destroy();
  };
  await Promise.all(Array.from({ length: sessionCount }, send));
  await sink.reaches(before + messages.length);
  await quiet(rootPids, limitMs);
  return ((cpuSeconds(rootPids) - cpuBefore) * 1_000) / messages.length;
}

/** A second binding of the account, which answers, and what stands for the sender there. */
async function answeringBinding({ url }: RunningPostern): Promise<{ proxyAddress: string; reverseAddress: string }> {
  const rest = await restClient(url, account);
  const graph = async (query: string, variables: object) => {
    const { body, text } = await rest.send("POST", "/graphql", { query, variables });
    if (!body?.["data"] || body["errors"]) throw new Error(text);
    return body["data"];
  };
  const input = { realAddresses: [account.username], isBrowsable: false, answers: true };
  const { createProxyBinding } = await graph(
    "mutation ($input: CreateProxyBindingInput) { createProxyBinding(input: $input) { proxyBinding { id proxyAddress } } }",
    { input },
  );
  const binding = createProxyBinding?.["proxyBinding"];
  const { createContact } = await graph(
    "mutation ($id: ID!, $address: String!) { createContact(bindingId: $id, address: $address) { contact { reverseAddress } } }",
    { id: binding?.["id"], address: contact },
  );
  return {
    proxyAddress: String(binding?.["proxyAddress"]),
    reverseAddress: String(createContact?.["contact"]?.["reverseAddress"]),
  };
}

function forward(sizeBytes: number): string {
  return `From: <${contact}>\r\nTo: <you@example.org>\r\nSubject: bench\r\n\r\n${text(sizeBytes)}`;
}

let composed = 0;

/** Signed by the owner's server; each is another one. */
function answers(reverseAddress: string, { messages, sizeBytes }: AnswerLoad): Promise<string[]> {
  return Promise.all(
    Array.from({ length: messages }, async () => {
      composed += 1;
      const header = [
        `From: ${account.username}`,
        `To: ${reverseAddress}`,
        `Date: ${new Date().toUTCString()}`,
        `Message-ID: <bench-${composed}@mail.example.org>`,
        "Subject: bench",
      ];
      const message = Buffer.from(`${header.join("\r\n")}\r\n\r\n${text(sizeBytes)}`);
      return (await signed(message, "example.org")).toString("latin1");
    }),
  );
}

/** Lines as people write them: a search for encoded addresses takes what has no blanks for base64. */
function text(sizeBytes: number): string {
  const line = "Thank you, the parcel came on Monday, and the second one is to be sent back.\r\n";
  return line.repeat(Math.ceil(sizeBytes / line.length));
}
