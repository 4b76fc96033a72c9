const jaeger = "http://127.0.0.1:16686";
/** Of one mail to one address, from the sender's transaction to the delivery (docs/traces.md). */
const expected = ["SMTP transaction", "accept", "consume mailbox.mail.accepted", "delivery", "SMTP send"];
const throughServices = ["postern-ingress", "postern-mailbox", "postern-forwarder"];

interface Trace {
  traceID: string;
  spans: { operationName: string; processID: string }[];
  processes: Record<string, { serviceName: string }>;
}

/** Finds an email's trace as docs/traces.md says. @returns what it is, in a line @throws what is missing in it */
export async function readTrace(emailId: string): Promise<string> {
  const query = new URLSearchParams({
    service: "postern-mailbox",
    tags: JSON.stringify({ "postern.email_id": emailId }),
    limit: "5",
  });
  const answer = await fetch(`${jaeger}/api/traces?${query}`, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`Jaeger answered ${answer.status}: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: Trace[] };
  const [trace] = data;
  if (!trace) throw new Error("there is no trace of it");
  const names = new Set(trace.spans.map(({ operationName }) => operationName));
  const services = new Set(trace.spans.map(({ processID }) => trace.processes[processID]?.serviceName ?? ""));
  const missing = [
    ...expected.filter((name) => !names.has(name)),
    ...throughServices.filter((name) => !services.has(name)),
  ];
  if (missing.length > 0)
    throw new Error(`not in its trace: ${missing.join(", ")}; there are ${[...names].join(", ")}`);
  return `trace ${trace.traceID}: ${trace.spans.length} spans of ${[...services].sort().join(", ")}`;
}
