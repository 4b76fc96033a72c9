import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { eventually } from "../../support/eventually.ts";
import { testS3 } from "../../support/peers/s3.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

let s3: Awaited<ReturnType<typeof testS3>>;
let dataDir: string;
let postern: ServiceProcess | undefined;
let lines: string[];
beforeAll(async () => {
  s3 = await testS3();
}, peerInstallLimitMs);
afterAll(() => s3?.dispose());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postern-bucket-"));
  lines = [];
});
afterEach(async () => {
  await postern?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(changed: Record<string, string>): Promise<void> {
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const own = { DATA_DIR: dataDir, HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}` };
  postern = new ServiceProcess({
    target: "all",
    environment: { PATH: process.env["PATH"], ...own, ...s3.config, ...changed },
    healthUrl: `http://127.0.0.1:${httpPort}`,
    onLine: (line) => lines.push(line),
  });
  postern.start();
  await postern.ready();
}

/** What the log says of the bucket. */
function told(): unknown[] {
  const read = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return read
    .filter(({ msg }) => /bucket/.test(msg))
    .map(({ level, msg, err }) => ({ level, msg, cause: err?.message }));
}

const lost = (cause: RegExp) => ({
  level: "warn",
  msg: "the bucket cannot be used: large messages wait with their senders",
  cause: expect.stringMatching(cause),
});

test.each<[string, Record<string, string>, RegExp]>([
  ["a bucket that is not there", { S3_BUCKET: "absent" }, /^S3_BUCKET: absent at 127\.0\.0\.1:\d+: NoSuchBucket: /],
  [
    "a key that is not its own",
    { S3_SECRET_ACCESS_KEY: "wrong" },
    /^S3_BUCKET: postern at 127\.0\.0\.1:\d+: SignatureDoesNotMatch: /,
  ],
])(
  "%s is told at the start, in one line",
  async (_, changed, cause) => {
    await start(changed);
    await eventually(() => expect(told()).toEqual([lost(cause)]));
  },
  120_000,
);

test("one that is away is told of, and that it is back; one that is there is not", async () => {
  await s3.stop();
  await start({});
  await eventually(() => expect(told()).toEqual([lost(/^S3_BUCKET: postern at .*ECONNREFUSED/)]));
  await s3.start();
  const back = { level: "info", msg: "the bucket can be used" };
  await eventually(() => expect(told()).toEqual([expect.anything(), back]), { patienceMs: 60_000 });
  await postern?.stop();
  lines = [];
  await start({});
  // Its answer comes within the same second.
  await postern?.stop();
  expect(told()).toEqual([]);
}, 180_000);
