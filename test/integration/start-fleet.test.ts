import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { eventually } from "../support/eventually.ts";
import { ownTopics, testKafka } from "../support/peers/kafka.ts";
import { testRedis } from "../support/peers/redis.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

let environment: NodeJS.ProcessEnv;
let dataDir: string;
let url: string;
let redis: Awaited<ReturnType<typeof testRedis>>;
let starter: ChildProcess | undefined;
let printed: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postern-start-fleet-"));
  redis = await testRedis();
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  url = `http://127.0.0.1:${httpPort}`;
  const { PATH, HOME } = process.env;
  environment = {
    ...{ PATH, HOME, DATA_DIR: dataDir, HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}`, LOG_LEVEL: "silent" },
    ...ownTopics(await testKafka()),
    REDIS_URL: redis.url,
  };
});
afterEach(async () => {
  await stop();
  await redis.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): void {
  printed = "";
  starter = spawn(process.execPath, ["scripts/start-fleet.ts"], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [starter.stdout, starter.stderr])
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
}

async function stop(): Promise<void> {
  if (!starter || starter.exitCode !== null) return;
  starter.kill("SIGTERM");
  await once(starter, "exit");
}

const ready = () => eventually(() => expect(printed).toContain("Postern is ready."));

async function signIn(password: string): Promise<number> {
  const attributes = { username: "you@example.org", password };
  const body = JSON.stringify({ data: { type: "auth-request", attributes } });
  return (await fetch(`${url}/api/v1/auth`, { method: "POST", body })).status;
}

/** The processes of the services below the starter, by what each runs. */
async function servicePids(): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const rows = stdout.split("\n").map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line)?.slice(1) ?? []);
  const groups = rows.flatMap(([pid, parent]) => (Number(parent) === starter?.pid ? [pid] : []));
  return new Map(
    rows.flatMap(([pid, parent, args = ""]) => {
      const target = /^\S*node\S* .*--target=(\S+)$/.exec(args)?.[1];
      return target && groups.includes(parent) ? [[target, Number(pid)]] : [];
    }),
  );
}

test("a first start prints commands that work as they stand, and what is killed is started again; a second changes no password", async () => {
  start();
  await ready();
  const [make = "", send = "", see = ""] = printed.split("\n").filter((line) => /^(curl|printf|cat) /.test(line));
  const shell = async (command: string) => (await run("sh", ["-c", command])).stdout;
  expect(JSON.parse(await shell(make))).toMatchObject({
    data: { attributes: { proxy_address: "hello@postern.localhost" } },
  });
  await shell(send);
  expect(await eventually(() => shell(see))).toContain("Is anybody there?");

  const first = await servicePids();
  expect(first.size).toBe(8);
  for (const [service, pid] of first) {
    process.kill(pid, "SIGKILL");
    await eventually(async () => expect((await servicePids()).get(service) ?? pid).not.toBe(pid));
    expect(printed).toMatch(new RegExp(`${service} ended \\(.+\\); starting it again`));
  }
  const password = /password (\S+)/.exec(printed)?.[1] ?? "";
  await eventually(async () => expect(await signIn(password)).toBe(200));
  await stop();

  start();
  await ready();
  expect(printed).not.toContain("password");
  expect(await signIn(password)).toBe(200);
}, 300_000);

/** @returns its exit code */
async function startInVain(): Promise<unknown> {
  start();
  const [exitCode] = starter ? await once(starter, "close") : [];
  return exitCode;
}

test("a port in use and a variable that no service can read are told before anything is started", async () => {
  const ports = ["HTTP_PORT", "SMTP_PORT"].map((name) => [name, Number(environment[name])] as const);
  const others = ports.map(([, port]) => createServer().listen(port));
  await Promise.all(others.map((other) => once(other, "listening")));
  expect(await startInVain()).toBe(78);
  for (const other of others) other.close();
  const faults = ports.map(([name, port]) => `  ${name}: ${port} cannot be had: it is in use\n`);
  expect(printed).toBe(`The configuration has 2 faults:\n${faults.join("")}`);
  environment["QUOTA_BINDINGS"] = "many";
  expect(await startInVain()).toBe(78);
  expect(printed).toBe("The configuration has a fault:\n  QUOTA_BINDINGS: expected a whole number of at least 0\n");
  delete environment["QUOTA_BINDINGS"];
  environment["SMTP_TLS_KEY_FILE"] = join(dataDir, "tls.key");
  expect(await startInVain()).toBe(78);
  expect(printed).toBe(
    "The configuration has a fault:\n  SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected both or none\n",
  );
  expect(await readdir(dataDir)).toEqual([]);
}, 300_000);

test("a start that fails says why at its end, starts nothing again, and the next one tells the account that it made", async () => {
  environment["INGRESS_DATABASE_URL"] = "postgres://127.0.0.1:1/none";
  expect(await startInVain()).toBe(1);
  expect(printed).toMatch(
    /\nfleet {5}cannot start: ingress ended before it was ready: Cannot start: INGRESS_DATABASE_URL: .*\n$/,
  );
  expect(printed).not.toContain("starting it again");
  delete environment["INGRESS_DATABASE_URL"];
  start();
  await ready();
  const password = /password (\S+)/.exec(printed)?.[1] ?? "";
  expect(await signIn(password)).toBe(200);
}, 300_000);
