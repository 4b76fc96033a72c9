import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../services/admin/run.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../services/platform/db/embedded.ts";
import { secretKeyUnder } from "../../services/platform/security/secret-key-file.ts";
import { loadAllServices } from "../../services/targets.ts";
import { silentLogger as logger } from "../support/peers/database.ts";

let dataDir: string;
let server: EmbeddedPostgres;
let pid: number;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postern-silent-"));
  await secretKeyUnder(dataDir);
  server = await startEmbeddedPostgres({ dataDir, logger, adopt: false });
  pid = Number.parseInt(await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10);
  process.kill(pid, "SIGSTOP");
});
afterAll(async () => {
  process.kill(pid, "SIGCONT");
  await server.stop();
  await rm(dataDir, { recursive: true });
});

async function admin(words: string) {
  const environment = { DATA_DIR: dataDir, SERVICE_DOMAIN: "mail.doctor-of-postern.net" };
  return run(words.split(" "), await loadAllServices(), environment);
}

test("of an embedded server that takes no connection, doctor says so, and goes on", async () => {
  const { answer, exitCode } = await admin("doctor");
  const silence = `process ${pid}, the server on .*/postgres, takes no connection`;
  expect(answer).toMatch(new RegExp(`^BAD +database server +the embedded one, under DATA_DIR: ${silence}$`, "m"));
  expect(answer).toMatch(/^good +disk /m);
  expect(answer).toMatch(/^good +counters /m);
  expect(answer).toMatch(new RegExp(`^BAD +DNS +${silence}$`, "m"));
  expect(answer).not.toContain("message files");
  expect(exitCode).toBe(1);
});

test("other commands say so too", async () => {
  const { complaint, exitCode } = await admin("account list");
  expect(complaint).toMatch(new RegExp(`^process ${pid}, the server on .* takes no connection\n$`));
  expect(exitCode).toBe(69);
});
