import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { type SinkOptions, SinkRefusal, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { JobClaims } from "../../platform/jobs/job-claims.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { incoming, mailAccepted } from "../test-support/event.ts";
import { ForwarderUnderTest, reversePaths } from "../test-support/forwarder.ts";
import { deliveryTable } from "./delivery.ts";
import { forwardsOf, insertForwards } from "./insert-forwards.ts";

let db: TestDatabase;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  db = await forwarderDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await db.query("truncate delivery, notice, outbox cascade");
});
afterAll(() => db.dispose());

const retriesS = [0.05, 0.05, 0.05];
const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\n.hello\r\n";

async function sink(options: SinkOptions = {}): Promise<SmtpSink> {
  const started = await SmtpSink.start(options);
  closing.push(() => started.stop());
  return started;
}

async function forwarderTo(
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ForwarderUnderTest> {
  const started = await ForwarderUnderTest.start(db, {
    OUTBOUND: url,
    FORWARD_RETRY_S: retriesS.join(","),
    ...environment,
  });
  closing.push(() => started.stop());
  return started;
}

/** Waits until every delivery has come to its end, and gives states by address. */
async function settled(): Promise<Record<string, string>> {
  for (;;) {
    const { rows } = await db.query<{ address: string; state: string }>("select address, state from delivery");
    if (rows.every(({ state }) => state !== "waiting"))
      return Object.fromEntries(rows.map(({ address, state }) => [address, state]));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function eventCounts(): Promise<Record<string, number>> {
  const { rows } = await db.query<{ topic: string; count: number }>(
    "select topic, count(*)::int as count from outbox group by topic",
  );
  return Object.fromEntries(rows.map(({ topic, count }) => [topic, count]));
}

describe("a forwarded message", () => {
  test("goes to each real address as it came, under our trace, from a reverse path of ours", async () => {
    const next = await sink();
    const forwarder = await forwarderTo(next.url, { FORWARD_SIGN: "off" });
    const email = await forwarder.accept(message, ["a@x.example", "b@y.example"], {
      authenticationResults: "postern.localhost; spf=pass",
    });
    await next.received(2);
    expect(await settled()).toEqual({ "a@x.example": "delivered", "b@y.example": "delivered" });
    for (const { bytes, sender } of next.messages) {
      const text = bytes.toString("latin1");
      expect(text.endsWith(message)).toBe(true);
      expect(text.slice(0, -message.length)).toMatch(
        /^Authentication-Results: postern.localhost; spf=pass\r\nReceived: from mx\.sender\.example \(\[192\.0\.2\.1\]\)\r\n\tby postern\.localhost with ESMTP id [\w-]+\r\n\tfor <proxy@postern\.localhost>;\r\n\t[^\r]+\r\n$/,
      );
      expect(text).not.toMatch(/x\.example|y\.example/);
      expect(reversePaths.read(sender, new Date())).toBeDefined();
    }
    expect(await eventCounts()).toEqual({ "delivery.settled": 2 });
    expect(
      await forwarder.service.client.deliveries({ ownerId: email.ownerId, emailIds: [email.emailId] }),
    ).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
  });

  test("that is a bounce keeps its null reverse path", async () => {
    const next = await sink();
    await (await forwarderTo(next.url)).accept(message, ["a@x.example"], { envelopeSender: "" });
    expect(await next.received(1)).toMatchObject([{ sender: "" }]);
  });

  test("that is greylisted comes again, and the other recipient has it once", async () => {
    let refusals = 2;
    const next = await sink({
      atRecipient: (recipient) => {
        if (recipient === "grey@x.example" && refusals-- > 0) throw new SinkRefusal(451, "4.7.1 come again");
      },
    });
    await (await forwarderTo(next.url)).accept(message, ["grey@x.example", "b@x.example"]);
    await next.received(2);
    expect(await settled()).toEqual({ "grey@x.example": "delivered", "b@x.example": "delivered" });
    expect(next.messages.map(({ recipient }) => recipient).sort()).toEqual(["b@x.example", "grey@x.example"]);
    expect(await eventCounts()).toEqual({ "delivery.deferred": 2, "delivery.settled": 2 });
  });

  test("that is refused for good, or for too long, is given up and the rest goes on", async () => {
    const codes: Record<string, number> = { "never@x.example": 550, "later@x.example": 450 };
    const next = await sink({
      atRecipient: (recipient) => {
        if (codes[recipient]) throw new SinkRefusal(codes[recipient], "no");
      },
    });
    const forwarder = await forwarderTo(next.url);
    const email = await forwarder.accept(message, ["never@x.example", "later@x.example", "b@x.example"]);
    await next.received(1);
    expect(await settled()).toEqual({
      "never@x.example": "given_up",
      "later@x.example": "given_up",
      "b@x.example": "delivered",
    });
    const deliveries = await forwarder.service.client.deliveries({ ownerId: email.ownerId, emailIds: [email.emailId] });
    expect(
      Object.fromEntries(
        deliveries.map(({ realAddress, attempts }) => [realAddress, attempts.map(({ response }) => response)]),
      ),
    ).toEqual({
      "never@x.example": ["550 no"],
      "later@x.example": ["450 no", "450 no", "450 no", "450 no"],
      "b@x.example": [expect.stringMatching(/^250/)],
    });
    codes["never@x.example"] = 0;
    await forwarder.service.client.retry({
      ownerId: email.ownerId,
      emailId: email.emailId,
      realAddress: "never@x.example",
    });
    expect((await next.received(2)).at(-1)).toMatchObject({ recipient: "never@x.example" });
  });

  test("whose connection is lost after the final dot comes again", async () => {
    const next = await ScriptedServer.start(
      acceptAll({
        ".": (socket, connection) => {
          if (connection > 1) return "250 taken\r\n";
          socket.destroy();
          return undefined;
        },
      }),
    );
    closing.push(() => next.stop());
    await (await forwarderTo(`smtp://127.0.0.1:${next.port}`)).accept(message, ["a@x.example"]);
    expect(await settled()).toEqual({ "a@x.example": "delivered" });
    expect(await eventCounts()).toEqual({ "delivery.deferred": 1, "delivery.settled": 1 });
  });
});

describe("what is out of reach", () => {
  test("on our side is no attempt", async () => {
    const next = await sink();
    const forwarder = await forwarderTo(next.url, { FORWARD_RETRY_S: "" });
    forwarder.outages.push(new Outage("ingress", { retryAfterS: 0 }), new Outage("ingress", { retryAfterS: 0 }));
    await forwarder.accept(message, ["a@x.example"]);
    await next.received(1);
    expect(await settled()).toEqual({ "a@x.example": "delivered" });
    expect(await eventCounts()).toEqual({ "delivery.settled": 1 });
  });

  test("for ever, because the bytes are gone, is given up and says so", async () => {
    const forwarder = await forwarderTo((await sink()).url);
    forwarder.outages.push(new Refusal("NotFound", { public: "There is no such message." }));
    const email = await forwarder.accept(message, ["a@x.example"]);
    expect(await settled()).toEqual({ "a@x.example": "given_up" });
    const [delivery] = await forwarder.service.client.deliveries({ ownerId: email.ownerId, emailIds: [email.emailId] });
    expect(delivery?.attempts).toMatchObject([{ response: "the message is no longer kept, so it cannot be sent" }]);
  });
});

test("deliveries of a worker that died are taken over when its lease ends", async () => {
  const next = await sink();
  await db.tx((tx) =>
    insertForwards(
      tx,
      forwardsOf([incoming(mailAccepted(["a@x.example"], { rawId: "0190b4a2-0000-7000-8000-000000000001" }))]),
    ),
  );
  expect(
    await new JobClaims(db, deliveryTable({ all: 10, perDomain: 10, perOwner: 10 }, 1), newId()).claim(10, {
      keys: [],
      atLimit: [[], []],
    }),
  ).toHaveLength(1);
  const forwarder = await forwarderTo(next.url);
  forwarder.raw.set("0190b4a2-0000-7000-8000-000000000001", Buffer.from(message));
  expect(await next.received(1)).toMatchObject([{ recipient: "a@x.example" }]);
});

test("a stop finishes deliveries in flight, and what it left is sent after the next start", async () => {
  const next = await sink();
  const first = await forwarderTo(next.url, { FORWARD_CONCURRENCY: "2" });
  const bytes = new Map<string, Buffer>();
  for (let index = 0; index < 30; index++) await first.accept(message, [`${index}@x.example`]);
  for (const [rawId, content] of first.raw) bytes.set(rawId, content);
  await first.stop();
  closing.pop();
  expect((await db.query("select 1 from delivery where worker_id is not null")).rowCount).toBe(0);
  const second = await forwarderTo(next.url);
  for (const [rawId, content] of bytes) second.raw.set(rawId, content);
  await next.received(30);
  await settled();
  expect(new Set(next.messages.map(({ recipient }) => recipient)).size).toBe(30);
  expect(next.messages).toHaveLength(30);
});

test("a mail of the service's own is a mail that nobody's machine answers, and is forgotten once sent", async () => {
  const next = await sink();
  const forwarder = await forwarderTo(next.url);
  const noticeId = await forwarder.notice("real@x.example", "Click https://postern.localhost/verify/ä\nBcc: nobody");
  const [sent] = await next.received(1);
  const parsed = await simpleParser(sent?.bytes ?? "");
  expect(parsed).toMatchObject({
    subject: "Grüße",
    messageId: `<${noticeId}@postern.localhost>`,
    text: "Click https://postern.localhost/verify/ä\nBcc: nobody",
  });
  expect(parsed.from?.value).toEqual([{ name: "postern", address: "postmaster@postern.localhost" }]);
  expect(parsed.headers.get("auto-submitted")).toBe("auto-generated");
  expect(parsed.bcc).toBeUndefined();
  expect(reversePaths.read(sent?.sender ?? "", new Date())).toBeDefined();
  await settled();
  expect((await db.query("select 1 from notice")).rowCount).toBe(0);
  expect(await eventCounts()).toEqual({});
});

test("a link in it stands whole on one line of the source", async () => {
  const next = await sink();
  const forwarder = await forwarderTo(next.url);
  const link = `https://postern.localhost/verify/${"a=b".repeat(60)}`;
  await forwarder.notice("real@x.example", `Open this link:\n\n    ${link}\n`);
  const [sent] = await next.received(1);
  expect(sent?.bytes.toString("latin1")).toContain(`\r\n    ${link}\r\n`);
  expect((await simpleParser(sent?.bytes ?? "")).text).toBe(`Open this link:\n\n    ${link}\n`);
});
