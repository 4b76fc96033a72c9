import { deepEqual, equal, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { ServiceProcess } from "../scripts/fleet/service-process.ts";
import { cacheFolder } from "../scripts/peers/cache-folder.ts";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { onceOnly } from "../scripts/peers/once-only.ts";
import { type Release, releases, unpackRelease } from "../scripts/release/releases.ts";
import { messageOf } from "../services/platform/errors.ts";
import { eventually } from "./support/eventually.ts";
import { makeBinding } from "./support/http/rest-bindings.ts";
import { call, type RestClient, restClient } from "./support/http/rest-client.ts";
import { sendMail } from "./support/mail/send-mail.ts";
import { SmtpSink } from "./support/mail/smtp-sink.ts";
import { runAlone } from "./support/run/run-alone.ts";

// `npm run upgrade-check`: a release writes a data folder, this tree starts on it, and everything has to be there: accounts and
// their tokens, addresses, emails with their attachments and timelines, and a delivery that was waiting when the release stopped.
// Then the services of both run beside each other over one database and one Kafka; `--only=folder` and `--only=beside` do one of them.

const run = promisify(execFile);
const account = { username: "owner@example.org", password: "an account of the last release" };
const say = (line: string) => process.stdout.write(`${line}\n`);

/** A checkout of a release with its own dependencies; made once. */
async function checkoutOf(release: Release): Promise<URL> {
  const folder = cacheFolder(`release-${release.version}`);
  await onceOnly(folder, async () => {
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    await unpackRelease(release, partial);
    await run("node", ["scripts/ensure-installed.mjs"], { cwd: partial });
    await rename(partial, folder);
  });
  return pathToFileURL(`${folder}/`);
}

interface Installation {
  readonly url: string;
  readonly smtpPort: number;
  stop(): Promise<void>;
}

async function start(dataDir: string, outbound: string, folder?: URL): Promise<Installation> {
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${httpPort}`;
  const lines: string[] = [];
  const service = new ServiceProcess({
    target: "all",
    healthUrl: url,
    onLine: (line) => lines.push(line),
    ...(folder ? { folder } : {}),
    environment: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATA_DIR: dataDir,
      HTTP_PORT: String(httpPort),
      SMTP_PORT: String(smtpPort),
      OUTBOUND: outbound,
      FORWARD_RETRY_S: "1,1,2,2,5,5,5,5,60",
      BOOTSTRAP_USER: account.username,
      BOOTSTRAP_PASSWORD: account.password,
    },
  });
  service.start();
  await service.ready().catch(async (error: unknown) => {
    await service.stop();
    throw new Error(`${messageOf(error)}\n${lines.slice(-30).join("\n")}`);
  });
  return { url, smtpPort, stop: async () => void (await service.stop()) };
}

interface Resource {
  id: string;
  attributes: Record<string, unknown>;
}

interface Attachment {
  filename: string;
  mime: string;
  size: number;
  url: string;
}

async function read<T>(rest: RestClient, path: string): Promise<T> {
  const { status, text } = await rest.get(path);
  equal(status, 200, `GET ${path} answered ${status}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** What an account sees of its data, as the REST API shows it, without what an upgrade may change: ports and dates of change. */
async function inventory(rest: RestClient, bindingId: string) {
  const bindings = await read<Resource[]>(rest, "/api/v1/proxy-bindings");
  const links = await read<Resource[]>(rest, `/api/v1/received-emails-links/${bindingId}`);
  const details = await Promise.all(links.map(({ id }) => read<Resource>(rest, `/api/v1/received-emails/${id}`)));
  return {
    bindings: bindings.map(({ id, attributes }) => ({ id, ...attributes, updated_at: "" })),
    emails: details.map(({ id, attributes }) => ({
      id,
      payload: { ...(attributes["payload"] as Record<string, unknown>), attachments: null } as Record<string, unknown>,
      attachments: attachmentsOf(attributes).map(({ filename, mime, size }) => ({ filename, mime, size })),
    })),
  };
}

function attachmentsOf(attributes: Record<string, unknown>): Attachment[] {
  return attributes["attachments"] as Attachment[];
}

async function checkFolder(checkout: URL): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-upgrade-"));
  const [closedPort = 0] = await freePorts(1);
  let running: Installation | undefined;
  const sink = await SmtpSink.start();
  try {
    running = await start(dataDir, `smtp://127.0.0.1:${closedPort}`, checkout);
    const before = await restClient(running.url, account);
    const made = { real_addresses: [account.username], is_browsable: true, description: "from the last release" };
    const binding = await makeBinding(before, made);
    const attachments = [{ filename: "receipt.txt", content: "kept" }];
    const mail = { to: binding.proxyAddress, subject: "Before the upgrade", text: "Hello", attachments };
    await sendMail(running.smtpPort, mail);
    let written: Awaited<ReturnType<typeof inventory>> | undefined;
    await eventually(async () => {
      written = await inventory(before, binding.id);
      equal(written.emails.length, 1);
      deepEqual(written.emails[0]?.payload["subject"], "Before the upgrade");
      const counted = written.bindings.find(({ id }) => id === binding.id) as Record<string, unknown> | undefined;
      equal(counted?.["received_emails"], 1);
    });
    await running.stop();

    running = await start(dataDir, `smtp://127.0.0.1:${sink.port}`);
    const { url, smtpPort } = running;
    const after = await restClient(url, account);
    equal(after.token, before.token, "the API token is another one");
    const byBearer = await call(`${url}/api/v1/proxy-bindings`, "GET", undefined, {
      authorization: `Bearer ${before.bearer}`,
    });
    equal(byBearer.status, 200, "a bearer token of the last release is refused");
    deepEqual(await inventory(after, binding.id), written);
    const { attributes } = await read<Resource>(after, `/api/v1/received-emails/${written?.emails[0]?.id}`);
    equal(await (await fetch(attachmentsOf(attributes)[0]?.url ?? "")).text(), "kept");
    await eventually(() => ok(sink.messages.some(({ bytes }) => bytes.includes("Before the upgrade"))));
    await sendMail(smtpPort, { to: binding.proxyAddress, subject: "After the upgrade", text: "Hello" });
    await eventually(() => ok(sink.messages.some(({ bytes }) => bytes.includes("After the upgrade"))));
    await eventually(async () => equal((await inventory(after, binding.id)).emails.length, 2));
  } finally {
    await running?.stop();
    await sink.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function checkBeside(checkout: URL): Promise<void> {
  const environment = { POSTERN_TEST_MODE: "fleet", RELEASE_FOLDER: checkout.href };
  equal(await runAlone("test/faults/upgrade/two-releases.ts", environment), 0);
}

const { values } = parseArgs({ options: { only: { type: "string" } } });
const checks = [
  { name: "folder", what: "a data folder is taken over whole", run: checkFolder },
  { name: "beside", what: "its services beside ours lose no mail", run: checkBeside },
].filter(({ name }) => values.only === undefined || values.only === name);
let [passed, failed] = [0, 0];
for (const release of await releases()) {
  for (const { what, run: check } of checks) {
    try {
      await check(await checkoutOf(release));
      passed += 1;
      say(`passed  ${release.version}: ${what}`);
    } catch (error) {
      failed += 1;
      say(`FAILED  ${release.version}: ${what}: ${error instanceof Error ? error.stack : messageOf(error)}`);
    }
  }
}
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
