import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { builtProgram } from "../../scripts/services/built.ts";
import { selfSigned } from "../../services/ingress/tls/self-signed.ts";

const secretKey = "k".repeat(32);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-failed-start-"));
  await writeFile(join(folder, "file"), "");
});
afterAll(() => rm(folder, { recursive: true }));

function start(environment: Readonly<Record<string, string | undefined>>) {
  const env = { PATH: process.env["PATH"], DATA_DIR: folder, ...environment };
  return spawnSync(process.execPath, [builtProgram("main")], { env, encoding: "utf8", timeout: 60_000 });
}

const account = { SECRET_KEY: secretKey, BOOTSTRAP_USER: "ann", BOOTSTRAP_PASSWORD: "correct horse battery" };

test.each([{}, { SECRET_KEY: secretKey }, account])(
  "a DATA_DIR that cannot be made is a fault of the configuration",
  (more) => {
    const { stderr, status } = start({ ...more, DATA_DIR: join(folder, "file/data") });
    expect(stderr).toMatch(/^The configuration has a fault:\n {2}DATA_DIR: cannot be used: ENOTDIR: .*\n$/);
    expect(status).toBe(78);
  },
);

// The system says ENOENT of a new folder there, though the one above is there.
test("neither is one under /proc waited for", () => {
  const { stderr, status } = start({ DATA_DIR: "/proc/postern/data" });
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}DATA_DIR: cannot be used: E[A-Z]+: .*\n$/);
  expect(status).toBe(78);
});

test("a database that is out of reach is named, without a trace of our code", () => {
  const { stderr, stdout, status } = start({
    SECRET_KEY: secretKey,
    DATABASE_URL: "postgres://user:word@127.0.0.1:1/postern",
  });
  expect(stderr).toBe("Cannot start: DATABASE_URL: database is out of reach: connect ECONNREFUSED 127.0.0.1:1\n");
  expect(stdout).toContain("database is out of reach");
  expect(stdout).not.toContain('"stack"');
  expect(status).toBe(1);
});

test("a disk on which no database can be made is told in a line, without a trace of our code", async () => {
  // Files of more than 100 KiB cannot be written, as on a disk that is full.
  const command = `ulimit -f 200 && exec ${process.execPath} ${builtProgram("main")}`;
  const env = { PATH: process.env["PATH"], DATA_DIR: join(folder, "full") };
  const { stderr, stdout, status } = spawnSync("sh", ["-c", command], { env, encoding: "utf8", timeout: 60_000 });
  await rm(join(folder, "full"), { recursive: true });
  expect(stderr).toMatch(/^Cannot start: DATA_DIR: no database can be made there: [^\n]*File too large[^\n]*\n$/);
  expect(stdout).not.toContain('"stack"');
  expect(status).toBe(1);
});

test("a first start for which the disk has no room leaves no file that a later one would take its key from", async () => {
  const command = `ulimit -f 0 && exec ${process.execPath} ${builtProgram("main")}`;
  const dataDir = join(folder, "no-room");
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir };
  const { stderr, status } = spawnSync("sh", ["-c", command], { env, encoding: "utf8", timeout: 60_000 });
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}DATA_DIR: cannot be used: EFBIG: [^\n]*\n$/);
  expect(status).toBe(78);
  expect(await readdir(dataDir)).toEqual([]);
  await rm(dataDir, { recursive: true });
});

const bucket = { S3_BUCKET: "mail", S3_ENDPOINT: "http://127.0.0.1:1" };
const brokers = { KAFKA_BROKERS: "127.0.0.1:1" };

test.each<[string, Record<string, string>]>([
  [
    "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: expected both or neither",
    { ...bucket, S3_ACCESS_KEY_ID: "not-so-secret" },
  ],
  ["S3_BUCKET: is not set; expected beside S3_ENDPOINT, or neither", { S3_ENDPOINT: bucket.S3_ENDPOINT }],
  [
    "KAFKA_SASL_MECHANISM: plain needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD",
    { ...brokers, KAFKA_SASL_MECHANISM: "plain", KAFKA_SASL_PASSWORD: "not-so-secret" },
  ],
  [
    "KAFKA_MIN_INSYNC_REPLICAS: expected no more than KAFKA_REPLICATION",
    { ...brokers, KAFKA_REPLICATION: "2", KAFKA_MIN_INSYNC_REPLICAS: "3" },
  ],
  ["SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected both or none", { SMTP_TLS_CERT_FILE: "tls.crt" }],
  [
    "SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected a key and its certificate, PEM: ENOENT: no such file or directory, open '/absent/tls.key'",
    { SMTP_TLS_KEY_FILE: "/absent/tls.key", SMTP_TLS_CERT_FILE: "/absent/tls.crt" },
  ],
  ["DATA_DIR: expected a path", { DATA_DIR: "  " }],
  ["S3_REGION: expected a region's name", { ...bucket, S3_REGION: "  " }],
  ["SECRET_KEY: expected at least 32 characters", { SECRET_KEY: " ".repeat(40) }],
  ["KAFKA_BROKERS: expected host:port, comma-separated", { KAFKA_BROKERS: "127.0.0.1:0" }],
])(
  "variables that are blank, or contradict each other, are told before anything is made: %s",
  async (fault, variables) => {
    const { stderr, stdout, status } = start({ DATA_DIR: join(folder, "never-made"), ...variables });
    expect(stderr).toBe(`The configuration has a fault:\n  ${fault}\n`);
    expect(stdout).toBe("");
    expect(status).toBe(78);
    expect(await readdir(folder)).toEqual(["file"]);
  },
);

test("a certificate of another key is told before anything is made", async () => {
  const [{ key }, { cert }] = [await selfSigned("mx.example"), await selfSigned("mx.example")];
  const [keyFile, certFile] = [join(folder, "tls.key"), join(folder, "tls.crt")];
  await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)]);
  const files = { SMTP_TLS_KEY_FILE: keyFile, SMTP_TLS_CERT_FILE: certFile };
  const { stderr, status } = start({ DATA_DIR: join(folder, "never-made"), ...files });
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: .*mismatch\n$/);
  expect(status).toBe(78);
  expect(await readdir(folder)).not.toContain("never-made");
});

test("ports in use are told together, before anything is made", async () => {
  const servers = [createServer().listen(0), createServer().listen(0)] as const;
  try {
    const [http, smtp] = servers.map((server) => `${(server.address() as AddressInfo).port}`);
    const { stderr, stdout, status } = start({
      DATA_DIR: join(folder, "never-made"),
      HTTP_PORT: http,
      SMTP_PORT: smtp,
    });
    expect(stderr).toBe(
      `The configuration has 2 faults:\n  HTTP_PORT: ${http} cannot be had: it is in use\n  SMTP_PORT: ${smtp} cannot be had: it is in use\n`,
    );
    expect(stdout).toBe("");
    expect(status).toBe(78);
    expect(await readdir(folder)).not.toContain("never-made");
  } finally {
    for (const server of servers) server.close();
  }
}, 60_000);

test("a service that cannot start ends its connections before the embedded database stops: what is wrong is all that is said", () => {
  // Found once auth has opened its database.
  const weak = { BOOTSTRAP_USER: "ann", BOOTSTRAP_PASSWORD: "x".repeat(1_025) };
  const { stderr, stdout, status } = start({ ...weak, DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn" });
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}BOOTSTRAP_USER, .*\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(78);
}, 120_000);
