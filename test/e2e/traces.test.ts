import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { type CallbackTarget, callbackTarget } from "../support/http/callback-target.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { type CollectedSpan, type TraceCollector, traceCollector } from "../support/peers/trace-collector.ts";
import { registeredAttributes } from "../support/semantic-conventions.ts";

let installation: Installation;
let rest: RestClient;
let target: CallbackTarget;
let collector: TraceCollector;

beforeAll(async () => {
  target = await callbackTarget();
  collector = await traceCollector();
  installation = await startInstallation({
    environment: { CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", ...collector.environment },
  });
  rest = await installation.rest();
});
afterAll(async () => {
  await installation?.dispose();
  await Promise.all([target?.close(), collector?.close()]);
});

const clientKind = 3;
const lines = () => installation.output().split("\n");

/** Sends a mail that is forwarded, kept and called back. */
async function mailTo(recipients: readonly string[]): Promise<string[]> {
  const text = "a word that is nobody's business";
  return emailIds(await sendMail(installation.smtpPort, { to: [...recipients], subject: "Confidential", text }));
}

const binding = () =>
  makeBinding(rest, {
    callback_url: `${target.url}/a-token?key=a-key`,
    is_browsable: true,
    real_addresses: [installation.account.username],
  });

/**
 * A span and those above it, by name. Between processes a call is a span on either side, and in one process it is one: that
 * of the caller is left out, so that both modes are told alike.
 */
function lineOf(span: CollectedSpan | undefined): string {
  if (!span) return "";
  const parent = collector.spans.find((each) => each.spanId === span.parentSpanId && each.traceId === span.traceId);
  const above = parent && parent.kind === clientKind && parent.name === span.name ? parentOf(parent) : parent;
  return above ? `${lineOf(above)} > ${span.name}` : span.name;
}

function parentOf(span: CollectedSpan): CollectedSpan | undefined {
  return collector.spans.find((each) => each.spanId === span.parentSpanId && each.traceId === span.traceId);
}

/** Where else a call of the same name is on the caller's side. */
const isCaller = (span: CollectedSpan) =>
  collector.spans.some((each) => each.parentSpanId === span.spanId && each.name === span.name);

/** The traces that know an email. */
const tracesOf = (emailId: string) =>
  new Set(collector.spans.flatMap((span) => (span.attributes["postern.email_id"] === emailId ? [span.traceId] : [])));

/** What a trace is made of, statements left out, each line once. */
function linesOf(traceId: string): string[] {
  const spans = collector.spans.filter(
    (span) => span.traceId === traceId && span.attributes["db.system.name"] === undefined && !isCaller(span),
  );
  return [...new Set(spans.map(lineOf))].sort();
}

const accepted = "SMTP transaction";
const kept = `${accepted} > consume mailbox.mail.accepted`;
const forwarded = `${accepted} > consume forwarder.mail.accepted`;
const called = `${kept} > store message > consume webhook.mail.stored`;
/** From the connection to each delivery and callback. */
const story = [
  accepted,
  `${accepted} > resolve recipients`,
  `${accepted} > resolve recipients > bindings.resolve`,
  `${accepted} > accept`,
  `${accepted} > consume bindings.mail.accepted`,
  kept,
  `${kept} > read message`,
  `${kept} > read message > ingress.rawMessage`,
  `${kept} > store message`,
  called,
  `${called} > callback`,
  `${called} > callback > mailbox.callbackContent`,
  `${called} > callback > HTTP POST`,
  `${called} > consume mailbox.delivery.settled`,
  forwarded,
  `${forwarded} > delivery`,
  `${forwarded} > delivery > ingress.rawMessage`,
  `${forwarded} > delivery > SMTP send`,
  `${forwarded} > consume mailbox.delivery.settled`,
].sort();

test("an email is one trace, from the connection to each delivery and callback", async () => {
  const { proxyAddress } = await binding();
  const [emailId = ""] = await mailTo([proxyAddress]);
  const traceId = await eventually(() => {
    const [found = "", ...others] = tracesOf(emailId);
    expect(others).toEqual([]);
    expect(linesOf(found).filter((line) => story.includes(line))).toEqual(story);
    return found;
  });
  // The release of the bytes may or may not be there by now, a callback may have been claimed with others, and a result may have
  // been recorded with others; nothing else is.
  const shared = /mail\.released$|> auth\.|> record (?:deliveries|callbacks)(?: >|$)/;
  await eventually(() => {
    // Those that a span is under end after it, and may come in a later request.
    const further = linesOf(traceId).filter((line) => !story.includes(line) && !shared.test(line));
    expect(further).toEqual([]);
  });
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  expect(spans.filter(({ isFailed }) => isFailed)).toEqual([]);
  const fleet = ["bindings", "forwarder", "ingress", "mailbox", "webhook"].map((name) => `postern-${name}`);
  const expected = installation.mode === "single" ? ["postern"] : fleet;
  expect([...new Set(spans.map(({ service }) => service))]).toEqual(expect.arrayContaining(expected));
  // The log is found from the trace, and the trace from the log.
  const line = lines().find((each) => each.includes("message accepted") && each.includes(emailId));
  expect(line).toContain(traceId);
});

test("statements and transactions are told by name, under what they belong to", async () => {
  const { proxyAddress } = await binding();
  const [emailId = ""] = await mailTo([proxyAddress]);
  await eventually(() => {
    const [traceId = ""] = tracesOf(emailId);
    const commit = collector.spans.find((span) => span.traceId === traceId && span.name === "ingress commit");
    expect(lineOf(commit)).toBe(`${accepted} > accept > ingress transaction accept > ingress commit`);
  });
});

test("a request is one trace, through the door and the services, whatever a stranger says of it", async () => {
  const strange = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = {
    // Not to be recorded, it says.
    traceparent: `00-${strange}-00f067aa0ba902b7-00`,
    tracestate: "a=b@c",
    baggage: "user=ann@example.com",
  };
  await fetch(`${installation.url}/api/v1/proxy-bindings`, { headers: { token: rest.token, ...headers } });
  const query = { query: "query Me { me { username } }" };
  await fetch(`${installation.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${rest.bearer}`, ...headers },
    body: JSON.stringify(query),
  });
  const list = "HTTP GET > GET /api/v1/proxy-bindings";
  await eventually(() => {
    const linked = collector.spans
      .filter(({ links }) => links.some(({ traceId }) => traceId === strange))
      .sort((a, b) => a.name.localeCompare(b.name));
    expect(linked.map(({ name }) => name)).toEqual(["HTTP GET", "HTTP POST"]);
    const [listLines = [], graphLines = []] = linked.map(({ traceId }) => linesOf(traceId));
    expect(listLines).toEqual(expect.arrayContaining([`${list} > auth.authenticate`, `${list} > bindings.list`]));
    expect(graphLines).toContain("HTTP POST > graphql > apollo > graph auth");
  });
  expect(linesOf(strange)).toEqual([]);
});

test("emails that come together are a trace each, linked where they were worked on together", async () => {
  // What is done for several at once is seen in one of them.
  const each = story.filter((line) => !line.endsWith("bindings.resolve"));
  const bindings = await Promise.all(Array.from({ length: 4 }, () => binding()));
  const emails = (await Promise.all(bindings.map(({ proxyAddress }) => mailTo([proxyAddress])))).flat();
  await eventually(() => {
    const traces = emails.map((emailId) => [...tracesOf(emailId)]);
    expect(new Set(traces.flat()).size).toBe(emails.length);
    for (const [traceId = ""] of traces) expect(linesOf(traceId).filter((line) => each.includes(line))).toEqual(each);
  });
  // Every link of a consumer's is answered by the other end.
  await eventually(() => {
    const consuming = collector.spans.filter((span) => span.name.startsWith("consume "));
    expect(consuming.flatMap((span) => span.links.filter((link) => !isAnswered(span, link.spanId)))).toEqual([]);
    for (const span of consuming)
      expect(span.links.length > 0).toBe(Number(span.attributes["messaging.batch.message_count"]) > 1);
  });
});

/** Whether the span of that id links back. */
function isAnswered(span: CollectedSpan, otherId: string): boolean {
  const other = collector.spans.find(({ spanId }) => spanId === otherId);
  return other?.links.some(({ spanId }) => spanId === span.spanId) === true;
}

test("attributes have the names of OpenTelemetry's registry or are our own, and log lines and buckets lead to traces", async () => {
  const registered = registeredAttributes();
  expect(registered.has("http.request.method") && !registered.has("http.method")).toBe(true);
  const { proxyAddress } = await binding();
  const [emailId = ""] = await mailTo([proxyAddress]);
  await eventually(() => {
    const accepted = collector.logs.filter(({ body }) => body === "message accepted");
    const found = accepted.find(({ attributes }) => String(attributes["postern.email_ids"]).includes(emailId));
    expect([...tracesOf(emailId)]).toEqual([found?.traceId]);
  });
  const aboutEmails = lines().filter((line) => /"emailIds?":/.test(line));
  expect(aboutEmails.length).toBeGreaterThan(0);
  expect(aboutEmails.filter((line) => !line.includes('"traceId":'))).toEqual([]);
  const spans = collector.spans.flatMap(({ attributes }) => Object.keys(attributes));
  const sent = new Set([...spans, ...collector.logs.flatMap(({ attributes }) => Object.keys(attributes))]);
  for (const name of Object.keys(collector.resource)) sent.add(name);
  const isOurs = (name: string) => name.startsWith("postern.");
  expect([...sent].filter((name) => !isOurs(name) && !registered.has(name))).toEqual([]);
  await eventually(() => expect(collector.metrics.map(({ name }) => name)).toContain("postern.smtp_accepted"));
  expect(collector.metrics.filter(({ name }) => !isOurs(name))).toEqual([]);
  await eventually(async () => {
    const headers = {
      accept: "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;q=0.3",
    };
    const page = await (await fetch(`${installation.url}/metrics`, { headers })).text();
    const exemplars = [...page.matchAll(/_seconds_bucket.* # \{trace_id="(\w+)"/g)].map(([, traceId]) => traceId);
    expect(collector.spans.some(({ traceId }) => exemplars.includes(traceId))).toBe(true);
  });
});

test("no trace holds an address, content or a token", async () => {
  const { username, password } = installation.account;
  await fetch(`${installation.url}/api/v1/auth`, {
    method: "POST",
    body: JSON.stringify({ data: { type: "auth-request", attributes: { username, password: "wrong" } } }),
  });
  await sendMail(installation.smtpPort, { to: "nobody@postern.localhost", text: "x" }).catch(() => undefined);
  await eventually(() => {
    const refused = collector.spans.filter((span) => span.attributes["postern.smtp.refusal"] === "unknownRecipient");
    expect(refused.length).toBeGreaterThan(0);
  });
  for (const secret of [
    "[struck out]",
    "@",
    "Confidential",
    "nobody's business",
    "a-token",
    "a-key",
    rest.token,
    rest.bearer,
    password,
  ])
    expect(collector.text.includes(secret)).toBe(false);
  expect(JSON.stringify(collector.logs)).not.toContain(username);
  for (const { headers } of target.received)
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(traceparent|baggage)$/)]),
    );
});
