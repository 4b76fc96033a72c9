import { execFile } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { builtProgram } from "../../scripts/services/built.ts";
import { framedRows } from "../faults/message-files.ts";
import { eventually } from "../support/eventually.ts";
import { type MadeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { admin } from "../support/installation/admin.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url);

let folder: string;
let file: string;
let first: Installation;
let binding: MadeBinding;
/** Emails that had their 250 before the backup began. */
const before: string[] = [];
/** Subjects of mail that had not left then, each in a message file. */
const waiting = ["waits 1", "waits 2", "waits 3"];
const inFileBytes = 90_000;

async function send(installation: Installation, subject: string, sizeBytes = 700_000): Promise<string> {
  const attachments = [{ filename: "data.bin", content: Buffer.alloc(sizeBytes, subject) }];
  const reply = await sendMail(installation.smtpPort, {
    to: binding.proxyAddress,
    subject,
    text: "hello",
    attachments,
  });
  return emailIds(reply)[0] ?? "";
}

/** An email's subject and the bytes of its attachment, once it was parsed. */
async function contentOf(rest: RestClient, id: string): Promise<{ subject: unknown; attachment: string }> {
  return eventually(async () => {
    const details = await rest.get(`/api/v1/received-emails/${id}`);
    const attributes = details.body?.["data"]?.["attributes"];
    const [attachment] = (attributes?.["attachments"] ?? []) as { url: string }[];
    if (details.status !== 200 || !attachment) throw new Error(`reading an email answered ${details.text}`);
    return { subject: attributes?.["subject"], attachment: await (await fetch(attachment.url)).text() };
  });
}

/** The operator's command, without an installation that runs. */
async function command(dataDir: string, words: string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: dataDir, ...more };
  return run(process.execPath, [builtProgram("admin"), ...words], { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }) => ({ code, text: String(stderr) }),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-backup-"));
  file = join(folder, "postern.backup");
  first = await startInstallation({ mode: "single", hasOwnPostgres: true });
  binding = await makeBinding(await first.rest(), { real_addresses: [first.account.username], is_browsable: true });
  for (const subject of ["one", "two", "three"]) before.push(await send(first, subject));
  const rest = await first.rest();
  for (const id of before) await contentOf(rest, id);
  await admin(first, "destination", "pause", "example.org");
  for (const subject of waiting) await send(first, subject, inFileBytes);
  expect((await framedRows(first)).rows.length).toBeGreaterThanOrEqual(waiting.length);
  let isDone = false;
  const flood = (async () => {
    while (!isDone) for (const sizeBytes of [700_000, inFileBytes]) await send(first, "meanwhile", sizeBytes);
  })();
  await admin(first, "backup", file).finally(() => {
    isDone = true;
  });
  await flood;
});

afterAll(async () => {
  await first.dispose();
  await rm(folder, { recursive: true });
});

test("a restored installation holds all that was there, and goes on", async () => {
  const dataDir = join(folder, "restored");
  const dns = await admin(first, "dns");
  const restored = await command(dataDir, ["restore", file]);
  expect(restored).toMatchObject({ code: 0, text: expect.stringMatching(/^Restored \d+ rows/) });
  expect((await readdir(dataDir)).sort()).toEqual(["postgres", "secret-key"]);
  const second = await startInstallation({
    mode: "single",
    environment: { DATA_DIR: dataDir },
    hasOwnPostgres: true,
  });
  try {
    const [there, here] = [await first.rest(), await second.rest()];
    expect(here.token).toBe(there.token);
    expect(await admin(second, "dns")).toEqual(dns);
    for (const [at, id] of before.entries()) {
      const content = await contentOf(here, id);
      expect(content).toEqual(await contentOf(there, id));
      expect(content.subject).toBe(["one", "two", "three"][at]);
    }
    expect((await framedRows(second)).rows).toEqual([]);
    const id = await send(second, "after");
    expect(await contentOf(here, id)).toMatchObject({ subject: "after" });
    // What lay in files is sent from its row.
    await admin(second, "destination", "resume", "example.org");
    await eventually(async () => {
      const sent = (await second.outbound()).map(({ message }) => message);
      for (const subject of waiting) {
        const [message] = sent.filter((each) => each.includes(`Subject: ${subject}\r\n`));
        const content = Buffer.alloc(inFileBytes, subject).toString("base64");
        expect(message?.toString().replaceAll("\r\n", "")).toContain(content);
      }
    });
  } finally {
    await second.dispose();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a backup is readable by its owner alone, and replaces no file", async () => {
  expect((await stat(file)).mode & 0o077).toBe(0);
  const size = (await stat(file)).size;
  const again = await command(first.dataDir, ["backup", file]);
  expect(again).toMatchObject({ code: 64, text: expect.stringContaining("is there already") });
  expect((await stat(file)).size).toBe(size);
});

test("a folder without an installation is no backup's source, and stays as it is", async () => {
  const mistyped = join(folder, "mistyped");
  const { code, text } = await command(mistyped, ["backup", join(folder, "nothing")]);
  expect([code, text]).toEqual([64, expect.stringContaining(`there is no database under ${mistyped}`)]);
  expect((await readdir(folder)).filter((name) => /mistyped|nothing/.test(name))).toEqual([]);
});

test("a file that cannot be written is said in a sentence", async () => {
  const away = join(folder, "away", "file");
  expect(await command(first.dataDir, ["backup", away])).toEqual({
    code: 1,
    text: `${away} could not be written: ENOENT: no such file or directory, open '${away}.partial'\n`,
  });
  const left = join(folder, "left");
  await writeFile(`${left}.partial`, "of a backup that was killed");
  const { code, text } = await command(first.dataDir, ["backup", left]);
  expect([code, text]).toEqual([1, expect.stringContaining("remove it if none is")]);
  expect(await readFile(`${left}.partial`, "utf8")).toBe("of a backup that was killed");
});

test("a key that is not the installation's is no backup's: a restore would ask for it, and a start refuse it", async () => {
  const wrong = join(folder, "wrong");
  const { code, text } = await command(first.dataDir, ["backup", wrong], {
    SECRET_KEY: "another key of more than 32 characters",
  });
  expect([code, text]).toEqual([78, expect.stringContaining("SECRET_KEY: is not the one")]);
  expect((await readdir(folder)).filter((name) => name.startsWith("wrong"))).toEqual([]);
});

test("what is not empty is not restored into", async () => {
  const dataDir = await mkdtemp(join(folder, "other-"));
  await writeFile(join(dataDir, "mine"), "mine");
  const refused = await command(dataDir, ["restore", file]);
  expect(refused).toMatchObject({ code: 64, text: expect.stringContaining("is not empty; nothing was changed") });
  expect(await readdir(dataDir)).toEqual(["mine"]);
});

test("a backup that was cut, or of another key, changes nothing", async () => {
  const cut = join(folder, "cut.backup");
  await writeFile(cut, await readFile(file));
  await truncate(cut, (await stat(cut)).size - 1_000);
  const dataDir = join(folder, "empty");
  expect(await command(dataDir, ["restore", cut])).toMatchObject({
    code: 1,
    text: expect.stringContaining("nothing was changed"),
  });
  const otherKey = await command(dataDir, ["restore", file], { SECRET_KEY: "another key of more than 32 characters" });
  expect(otherKey).toMatchObject({ code: 1, text: expect.stringContaining("SECRET_KEY is not the one") });
  const none = join(folder, "none.backup");
  await writeFile(none, "hello");
  expect((await command(dataDir, ["restore", none])).text).toContain("nothing was changed: incorrect header check");
  expect(await readdir(dataDir)).toEqual([]);
});

test("what is damaged in its file is named, and does not keep the rest from being written", async () => {
  const { rows, ends } = await framedRows(first);
  const [[damaged], [path = ""]] = [rows, [...ends.keys()]];
  const segment = await open(path, "r+");
  await segment.write("?", (damaged?.offset ?? 0) + 1_000);
  await segment.close();
  const written = await admin<{ damaged: string[] }>(first, "backup", join(folder, "damaged.backup"));
  expect(written.damaged).toEqual([damaged?.id]);
  const restored = await command(join(folder, "from-damaged"), ["restore", join(folder, "damaged.backup")]);
  expect(restored).toMatchObject({ code: 0 });
});

test("an installation on a PostgreSQL of its own is left to that one's tools", async () => {
  const environment = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  const refused = await command(join(folder, "none"), ["backup", join(folder, "none.backup")], environment);
  expect(refused).toMatchObject({ code: 64, text: expect.stringContaining("PostgreSQL of DATABASE_URL") });
});
