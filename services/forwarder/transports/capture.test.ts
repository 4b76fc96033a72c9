import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Outage } from "../../platform/errors.ts";
import { outgoing } from "../test-support/outbound-message.ts";
import { CaptureTransport } from "./capture.ts";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postern-capture-"));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("a message is a file named by its delivery: the envelope on top, then any octets as they came, whole or in pieces", async () => {
  const folder = join(dataDir, "outbound");
  const capture = new CaptureTransport(folder);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), fc.boolean(), async (octets, inPieces) => {
      const sent = outgoing(Buffer.from(octets), {}, { inPieces });
      expect(await capture.send(sent)).toMatchObject({ kind: "delivered" });
      const expected = Buffer.concat([
        Buffer.from("X-Envelope-From: bounce+token@postern.example\r\nX-Envelope-To: real@inbox.example\r\n"),
        octets,
      ]);
      expect((await readFile(join(folder, `${sent.deliveryId}.eml`))).equals(expected)).toBe(true);
    }),
    { numRuns: 100 },
  );
  expect((await readdir(folder)).every((name) => name.endsWith(".eml") && !name.startsWith("."))).toBe(true);
});

test("a bounce's null sender is shown as such", async () => {
  const folder = join(dataDir, "null");
  const sent = outgoing("\r\n", { sender: "" });
  await new CaptureTransport(folder).send(sent);
  expect(await readFile(join(folder, `${sent.deliveryId}.eml`), "utf8")).toMatch(/^X-Envelope-From: <>\r\n/);
});

test("a folder that cannot be written is an outage of ours, and leaves nothing half done", async () => {
  const file = join(dataDir, "a-file");
  await writeFile(file, "");
  await expect(new CaptureTransport(join(file, "outbound")).send(outgoing())).rejects.toThrow(Outage);

  const folder = join(dataDir, "broken");
  const content = {
    sizeBytes: 9,
    open: async () => (await import("node:stream")).Readable.from(half(), { objectMode: false }),
  };
  await expect(new CaptureTransport(folder).send({ ...outgoing(), content })).rejects.toThrow(Outage);
  expect(await readdir(folder)).toEqual([]);
});

async function* half(): AsyncGenerator<Buffer> {
  yield Buffer.from("half");
  await Promise.resolve();
  throw new Outage("ingress");
}
