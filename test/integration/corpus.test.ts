import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-corpus-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** npm run test:corpus -- DIR, without npm. */
async function run(corpus: string): Promise<{ lines: string[]; exitCode: number }> {
  const script = new URL("../corpus.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, corpus], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve(code ?? -1));
  });
  const [out, exitCode] = await Promise.all([text(child.stdout), ended]);
  return { lines: out.trim().split("\n"), exitCode };
}

const field = "From: a@author.example\nSubject: x\n";

test("each file is reported: what came out as it was, what was changed on the way, what was refused", async () => {
  const corpus = join(folder, "mixed");
  await mkdir(join(corpus, "deeper"), { recursive: true });
  await writeFile(
    join(corpus, "deeper", "bytes.eml"),
    Buffer.concat([Buffer.from(`${field}\n.\n..\n`), Buffer.from([1, 255, 128])]),
  );
  await writeFile(join(corpus, "plain.eml"), `${field}\nhello\n`);
  // The one thing that is taken out of a message: it would pass for a verdict of ours.
  await writeFile(join(corpus, "forged.eml"), `Authentication-Results: postern.localhost; spf=pass\n${field}\nhello\n`);
  await writeFile(join(corpus, "loop.eml"), `${"Received: by a.example\n".repeat(110)}${field}\nhello\n`);
  await writeFile(join(corpus, "not-mail.txt"), "hello");
  const { lines, exitCode } = await run(corpus);
  expect(lines).toEqual([
    "unchanged\tdeeper/bytes.eml",
    "CHANGED\tforged.eml",
    expect.stringMatching(/^refused \(554 5\.4\.6 .*\)\tloop\.eml$/),
    "unchanged\tplain.eml",
    "4 files, 2 not unchanged",
  ]);
  expect(exitCode).toBe(1);
});

test("a folder of mail that comes out as it was is a success, one without any is none", async () => {
  const corpus = join(folder, "good");
  await mkdir(corpus);
  expect((await run(corpus)).exitCode).toBe(1);
  await writeFile(join(corpus, "plain.eml"), `${field}\nhello\n`);
  expect(await run(corpus)).toEqual({ lines: ["unchanged\tplain.eml", "1 files, 0 not unchanged"], exitCode: 0 });
});

test("mail of our own making that is odd but right comes out as it was", async () => {
  const { lines, exitCode } = await run(join(import.meta.dirname, "../corpus"));
  expect(lines.filter((line) => !line.startsWith("unchanged\t"))).toEqual([
    `${lines.length - 1} files, 0 not unchanged`,
  ]);
  expect(exitCode).toBe(0);
});
