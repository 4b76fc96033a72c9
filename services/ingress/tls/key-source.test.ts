import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { dayMs } from "../../platform/durations.ts";
import { keySource } from "./key-source.ts";
import { type KeyPair, selfSigned } from "./self-signed.ts";

let folder: string;
let paths: { key: string; cert: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-keys-"));
  paths = { key: join(folder, "tls.key"), cert: join(folder, "tls.crt") };
});

afterAll(() => rm(folder, { recursive: true }));

test("without files it is a self-signed pair, with one of the two it is a fault", async () => {
  const { current, watch } = await keySource({ key: undefined, cert: undefined }, "mx.example", silentLogger);
  expect(current.cert).toContain("BEGIN CERTIFICATE");
  expect(watch(() => undefined)).toEqual([]);
  const fault = keySource({ key: paths.key, cert: undefined }, "mx.example", silentLogger);
  await expect(fault).rejects.toThrow("expected both or none");
  await expect(keySource(paths, "mx.example", silentLogger)).rejects.toThrow("ENOENT");
});

test("a file that is only just being written is no certificate", async () => {
  await writeFile(paths.key, (await selfSigned("mx.example")).key);
  await writeFile(paths.cert, "");
  await expect(keySource(paths, "mx.example", silentLogger)).rejects.toThrow("one of the files is empty");
});

test("a certificate that has ended is used, and told of once", async () => {
  const { key, cert } = await selfSigned("mx.example", new Date(Date.now() - 20 * 365 * dayMs));
  await writeFile(paths.key, key);
  await writeFile(paths.cert, cert);
  const lines: unknown[] = [];
  const warn = (...line: unknown[]) => void lines.push(line);
  const source = await keySource(paths, "mx.example", { ...silentLogger, warn, child: () => silentLogger });
  const [work] = source.watch(() => undefined);
  work?.start();
  const fault = { variable: "SMTP_TLS_CERT_FILE", reason: expect.stringMatching(/^it ended .* GMT$/) };
  await eventually(async () => expect(lines).toEqual([[fault, "the certificate is out of its time"]]));
  work?.wake();
  await work?.stop();
  expect(lines.length).toBe(1);
});

test("a renewed pair is taken up once both files fit together", async () => {
  const [old, renewed] = [await selfSigned("mx.example"), await selfSigned("mx.example")];
  await writeFile(paths.key, old.key);
  await writeFile(paths.cert, old.cert);
  const source = await keySource(paths, "mx.example", silentLogger);
  expect(source.current).toEqual(old);
  const changed = Promise.withResolvers<KeyPair>();
  const [work] = source.watch(changed.resolve);
  await writeFile(paths.key, renewed.key);
  work?.start();
  await writeFile(paths.cert, renewed.cert);
  work?.wake();
  expect(await changed.promise).toEqual(renewed);
  await work?.stop();
});
