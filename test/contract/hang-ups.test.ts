import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import { attachmentLink } from "./support/attachments.ts";
import { bindingsPath } from "./support/bindings.ts";
import { contractInstallation } from "./support/installation.ts";
import { madeRecorder, recorderPath } from "./support/recorders.ts";

// A client that hangs up is no fault of the service's: no 500, and no error in the log.

let anna: TestAccount;
let recorder: string;
let attachment: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  recorder = await madeRecorder(anna);
  attachment = (await attachmentLink(anna, longMessage)).path;
});

/** More than the kernel's buffers take before anybody reads. */
const longMessage = `From: ann@example.com
Subject: long
MIME-Version: 1.0
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=long.bin
Content-Transfer-Encoding: base64

${`${"A".repeat(76)}\n`.repeat(120_000)}`;

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL((await contractInstallation()).url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** How many requests were counted with each status so far. */
async function counted(): Promise<Map<string, number>> {
  const { url } = await contractInstallation();
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^postern_http_request_duration_seconds_count\{.*status="(\d+)".*\} (\d+)$/gm);
  const byStatus = new Map<string, number>();
  for (const [, status = "", count] of lines) byStatus.set(status, (byStatus.get(status) ?? 0) + Number(count));
  return byStatus;
}

const head = (method: string, path: string, headers: readonly string[]) =>
  [`${method} ${path} HTTP/1.1`, "Host: postern.localhost", ...headers, "", ""].join("\r\n");

const long = ["Content-Type: application/json", "Content-Length: 1000"];
const chunked = ["Content-Type: application/json", "Transfer-Encoding: chunked"];

/** Requests as they begin; the rest of them never comes, or nobody waits for the answer. */
const beginnings: [string, () => string][] = [
  ["in the body of a sign-in", () => `${head("POST", "/api/v1/auth", long)}{"data":`],
  ["in a chunked body", () => `${head("POST", "/api/v1/auth", chunked)}10\r\n{"data"`],
  ["in the body of a creation", () => `${head("POST", bindingsPath, [`Token: ${anna.token}`, ...long])}{`],
  ["in a call of a recorder", () => `${head("POST", `${recorderPath}/call/${recorder}`, long)}abc`],
  ["in a query of the graph", () => `${head("POST", "/graphql", long)}{"query":`],
  ["in a body that nobody reads", () => `${head("POST", "/nothing", long)}abc`],
  ["while a list is made", () => head("GET", bindingsPath, [`Token: ${anna.token}`])],
  ["while the graph answers", () => `${head("POST", "/graphql", graphHeaders())}${graphQuery}`],
  ["in the midst of an attachment", () => head("GET", attachment, [])],
  ["in the midst of an export", () => head("GET", "/export", [`Token: ${anna.token}`])],
];

const graphQuery = '{"query":"{ me { id } }"}';
const graphHeaders = () => [
  `Token: ${anna.token}`,
  "Content-Type: application/json",
  `Content-Length: ${graphQuery.length}`,
];

test.each(beginnings)("%s", async (_name, beginning) => {
  const { logPath, url } = await contractInstallation();
  const loggedBefore = (await readFile(logPath, "utf8")).length;
  const before = await counted();
  const times = 5;
  for (let turn = 0; turn < times; turn++) {
    const socket = await connected();
    socket.pause();
    socket.write(beginning());
    // Seen by the service before the connection is gone: what it was told of a request by then is different every time.
    await new Promise((resolve) => setTimeout(resolve, turn * 10));
    socket.resetAndDestroy();
  }
  await eventually(async () => {
    const after = await counted();
    const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, each) => total + each, 0);
    // The two readings of the metrics are no requests of this kind.
    expect(sum(after) - sum(before)).toBeGreaterThanOrEqual(times - 1);
  });
  const after = await counted();
  for (const status of after.keys())
    if (Number(status) >= 500) expect([status, after.get(status)]).toEqual([status, before.get(status)]);
  // The service is there, and what it says next comes after what it had to say of these.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const logged = (await readFile(logPath, "utf8")).slice(loggedBefore).split("\n").filter(Boolean);
  const errors = logged.map((line) => JSON.parse(line) as { level: string }).filter(({ level }) => level === "error");
  expect(errors).toEqual([]);
});
