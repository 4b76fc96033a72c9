/**
 * From the 250 of a mail to the answer of who waits for it, with few and many who wait beside each other.
 * npm run bench:wait -- [--mode=single|fleet] [--waiters=1,50,200] [--mails=200] [--rest=20]; see bench/README.md.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Inbox, Postern } from "../clients/typescript/src/index.ts";
import { admin } from "../test/support/installation/admin.ts";
import { type Installation, startInstallation } from "../test/support/installation/installation.ts";
import { SmtpClient } from "../test/support/mail/smtp.ts";

const { values } = parseArgs({
  options: {
    mode: { type: "string", default: "single" },
    waiters: { type: "string", default: "1,50,200" },
    mails: { type: "string", default: "200" },
    /** Milliseconds between an answer and the next mail. */
    rest: { type: "string", default: "20" },
  },
});

/** Of one account 50 requests may wait at once; a wait that ends and one that begins may overlap. */
const waitersPerAccount = 40;
const warmUps = 20;
const password = "a benchmark account's password";

/** Inboxes of as many accounts as that many waiters need. */
async function inboxes(installation: Installation, count: number): Promise<Inbox[]> {
  const made: Inbox[] = [];
  for (let account = 0; made.length < count; account += 1) {
    const username = `waiter-${count}-${account}@example.org`;
    await admin(installation, "account", "add", username, `--password=${password}`);
    const postern = await Postern.signIn({ username, password }, { url: installation.url });
    const address = await postern.addresses.create();
    for (let at = 0; at < waitersPerAccount && made.length < count; at += 1) made.push(postern.inbox(address));
  }
  return made;
}

/** Milliseconds from each 250 to the answer, sorted. */
async function measure(installation: Installation, count: number, mails: number): Promise<number[]> {
  const boxes = await inboxes(installation, count);
  const acceptedAt = new Map<string, number>();
  const answeredAt = new Map<string, number>();
  const ended = new AbortController();
  const waiting = boxes.map(async (box) => {
    while (!ended.signal.aborted) {
      const { subject } = await box.next({ timeoutMs: 600_000, signal: ended.signal });
      answeredAt.set(subject, performance.now());
    }
  });
  const watched = Promise.all(waiting).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  const smtp = await SmtpClient.open(installation.smtpPort);
  for (let at = 0; at < mails + warmUps; at += 1) {
    const subject = `mail-${at}`;
    const to = boxes[at % boxes.length]?.address ?? "";
    const replies = await smtp.deliver([to], `Subject: ${subject}\r\n\r\nYour code is 482913.\r\n`);
    if (!replies.at(-1)?.startsWith("250")) throw new Error(`the mail was refused: ${replies.join("; ")}`);
    acceptedAt.set(subject, performance.now());
    // One mail at a time: how soon, not how many.
    while (!answeredAt.has(subject)) await Promise.race([delay(2), watched]);
    await delay(Number(values.rest));
  }
  ended.abort();
  await watched;
  smtp.destroy();
  const latencies = [...acceptedAt].slice(warmUps).map(([subject, ms]) => (answeredAt.get(subject) ?? Infinity) - ms);
  return latencies.sort((a, b) => a - b);
}

const mode = values.mode === "fleet" ? "fleet" : "single";
const environment = { LIMIT_CLIENT_PER_MIN: "1000000", LIMIT_BINDING_PER_MIN: "1000000", LOG_LEVEL: "warn" };
const installation = await startInstallation({ mode, environment });
try {
  process.stdout.write("| | waiters | mails | p50 ms | p99 ms | most ms |\n| --- | --- | --- | --- | --- | --- |\n");
  for (const count of values.waiters.split(",").map(Number)) {
    const found = await measure(installation, count, Number(values.mails));
    const at = (share: number) => (found[Math.ceil(found.length * share) - 1] ?? Infinity).toFixed(0);
    const cells = [mode, count, found.length, at(0.5), at(0.99), at(1)];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
} finally {
  await installation.dispose();
}
