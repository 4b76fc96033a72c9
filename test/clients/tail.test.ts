import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Postern } from "../../clients/typescript/src/index.ts";
import { eventually } from "../support/eventually.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { type BreakableWay, breakableWay } from "./support/breakable-way.ts";
import { clientWith, keyWith } from "./support/owner.ts";

const command = join(import.meta.dirname, "../../clients/typescript/src/cli/main.ts");

let installation: Installation;
let postern: Postern;
let way: BreakableWay;
let key: string;
beforeAll(async () => {
  installation = await startInstallation({ mode: "single" });
  postern = await clientWith(installation, ["alias:create", "mail:read"]);
  key = await keyWith(installation, ["mail:read"]);
  way = await breakableWay(installation.url);
});
afterAll(async () => {
  await way?.break();
  await installation?.dispose();
});

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill();
  running.clear();
});

/** `postern tail`, with the subjects that it has shown so far. */
function tail(...args: string[]): { shown: string[]; complaints: string[] } {
  const env = { ...process.env, POSTERN_URL: way.url, POSTERN_KEY: key };
  const child = spawn(process.execPath, [command, "tail", "--json", ...args], { env });
  running.add(child);
  const [shown, complaints]: [string[], string[]] = [[], []];
  createInterface(child.stdout).on("line", (line) => shown.push((JSON.parse(line) as { subject: string }).subject));
  createInterface(child.stderr).on("line", (line) => complaints.push(line));
  return { shown, complaints };
}

const send = (to: string, subject: string) => sendMail(installation.smtpPort, { to, subject, text: "Hello." });

/** Resolves when it can be read. */
async function store(address: string, subject: string): Promise<void> {
  await send(address, subject);
  await postern.emails.next({ address, subject });
}

test("what came while the connection was broken is shown after it, in order and once", async () => {
  const { address } = await postern.addresses.create();
  const { address: other } = await postern.addresses.create();
  const { address: notKept } = await postern.addresses.create({ isBrowsable: false });
  await store(address, "before");
  const all = tail();
  const one = tail(address);
  // Until they listen.
  for (let number = 0; all.shown.length === 0 || one.shown.length === 0; number += 1)
    await store(address, `opening ${number}`);
  await store(address, "first");
  await eventually(() => expect([all.shown.at(-1), one.shown.at(-1)]).toEqual(["first", "first"]));
  expect([...all.shown, ...one.shown]).not.toContain("before");
  for (const round of ["1", "2"]) {
    await way.break();
    await store(address, `missed ${round}a`);
    await store(other, `missed ${round}b`);
    await send(notKept, `not kept ${round}`);
    await store(address, `missed ${round}c`);
    await way.mend();
    await eventually(() => expect(all.shown.at(-1)).toBe(`missed ${round}c`));
    await eventually(() => expect(one.shown.at(-1)).toBe(`missed ${round}c`));
    await store(address, `after ${round}`);
    await eventually(() => expect([all.shown.at(-1), one.shown.at(-1)]).toEqual([`after ${round}`, `after ${round}`]));
  }
  const rounds = ["1", "2"].flatMap((round) => [
    ...["a", "b", "c"].map((each) => `missed ${round}${each}`),
    `after ${round}`,
  ]);
  const fromFirst = (shown: string[]) => shown.slice(shown.indexOf("first"));
  expect(fromFirst(all.shown)).toEqual(["first", ...rounds]);
  expect(fromFirst(one.shown)).toEqual(["first", ...rounds.filter((subject) => !subject.endsWith("b"))]);
  expect(new Set(all.shown).size).toBe(all.shown.length);
  expect([...all.complaints, ...one.complaints]).toEqual([]);
});
