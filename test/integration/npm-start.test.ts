import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { eventually } from "../support/eventually.ts";
import { emptyDatabase } from "../support/peers/database.ts";

const root = join(import.meta.dirname, "../..");

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let npm: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-npm-start-"));
  database = await emptyDatabase();
});
afterEach(async () => {
  endGroup();
  await database.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** npm leads the group of what it started: for what the test left running. */
function endGroup(): void {
  try {
    if (npm.pid !== undefined) process.kill(-npm.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

test("what a supervisor tells npm reaches the server, which stops in good order", async () => {
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const printed: string[] = [];
  npm = spawn("npm", ["start", "--ignore-scripts"], {
    cwd: root,
    detached: true,
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      HTTP_PORT: `${httpPort}`,
      SMTP_PORT: `${smtpPort}`,
      LOG_FORMAT: "text",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [npm.stdout, npm.stderr]) stream?.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
  const isReady = async () => (await fetch(`http://127.0.0.1:${httpPort}/readyz`)).status === 200;
  await eventually(async () => expect(await isReady()).toBe(true));
  const ended = new Promise((resolve) => npm.once("close", resolve));
  npm.kill("SIGTERM");
  await ended;
  expect(printed.join("")).toContain("stopped");
  await expect(isReady()).rejects.toThrow();
});
