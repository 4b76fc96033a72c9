import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../services/admin/run.ts";
import { loadAllServices } from "../../services/targets.ts";

let parent: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "postern-nowhere-"));
});
afterAll(() => rm(parent, { recursive: true }));

async function admin(words: string) {
  const environment = { DATA_DIR: join(parent, "mistyped"), SERVICE_DOMAIN: "proxy.example" };
  return run(words.split(" "), await loadAllServices(), environment);
}

test.each([
  "account list",
  "account add anna@example.org --password correct-horse-battery-1",
  "dead list",
  "dead resend --all",
  "delivery list",
  "destination list",
  "dns",
  "domain list",
  "sending list",
  "rule list anna@example.org",
  "reconcile",
])("%s makes nothing where there is no installation, and says so", async (words) => {
  expect(await admin(words)).toEqual({
    exitCode: 78,
    answer: "",
    complaint: expect.stringMatching(/ {2}DATA_DIR: there is no installation under \S+\/mistyped\n$/),
  });
  expect(await readdir(parent)).toEqual([]);
});

test("doctor makes nothing where there is no installation, and says so", async () => {
  const { exitCode, answer } = await admin("doctor");
  expect([exitCode, answer]).toEqual([
    1,
    expect.stringMatching(/^BAD +configuration +DATA_DIR: there is no installation/),
  ]);
  expect(await readdir(parent)).toEqual([]);
});
