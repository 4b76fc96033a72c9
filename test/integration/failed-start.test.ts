import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { builtProgram } from "../../scripts/services/built.ts";

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

test("a service that cannot start ends its connections before the embedded database stops: what is wrong is all that is said", () => {
  const { stderr, stdout, status } = start({ SMTP_TLS_KEY_FILE: join(folder, "tls.key"), LOG_LEVEL: "warn" });
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}SMTP_TLS_KEY_FILE, .*\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(78);
}, 120_000);
