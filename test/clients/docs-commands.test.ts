import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { chapters, testedCommands } from "../../scripts/docs/pages.ts";
import { hasCommand, runCommand } from "../../scripts/peers/command.ts";
import { provideDebianPackages } from "../../scripts/peers/debian-package.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { owner } from "./support/owner.ts";

const root = join(import.meta.dirname, "../..");
const tools = ["curl", "jq"];
/** Of one page: each command of the operator is a process of its own, which takes long on a busy machine. */
const runLimitMs = 400_000;
const prepareLimitMs = 600_000;

const tested = chapters()
  .flatMap(({ pages }) => pages)
  .map((page) => ({ name: page.name, script: testedCommands(page).join("\n") }))
  .filter(({ script }) => script !== "");

let installation: Installation;
let folder: string;
let key: string;
beforeAll(async () => {
  const areThere = async () => (await Promise.all(tools.map((tool) => hasCommand(tool, ["--version"])))).every(Boolean);
  await provideDebianPackages(tools, areThere);
  installation = await startInstallation({ mode: "single", environment: { SENDING: "all", SENDING_MIN_AGE_D: "0" } });
  const scopes = ["alias:create", "alias:read", "alias:write", "mail:read", "mail:send", "admin"];
  ({ key } = await (await owner(installation)).keys.create({ name: "the documents", scopes }));
  folder = await mkdtemp(join(tmpdir(), "postern-docs-"));
  // The command as it is here; test/clients/installed tries the one of the package.
  const command = join(folder, "postern");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${root}/clients/typescript/src/cli/main.ts" "$@"\n`);
  await chmod(command, 0o755);
}, prepareLimitMs);
afterAll(async () => {
  await installation?.dispose();
  if (folder) await rm(folder, { recursive: true });
});

test("the pages that a person reads first have commands to try", () => {
  const names = ["getting-started", "password-managers", "waiting-for-mail", "answering", "domains", "operating"];
  expect(tested.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

test.each(tested)(
  "the commands of docs/$name.md work as they stand",
  async ({ script }) => {
    const { url, smtpPort, account, environment } = installation;
    const given = {
      ...environment,
      PATH: [folder, process.env["PATH"]].join(delimiter),
      POSTERN_URL: url,
      POSTERN_SMTP: `smtp://127.0.0.1:${smtpPort}`,
      POSTERN_USER: account.username,
      POSTERN_PASSWORD: account.password,
      POSTERN_KEY: key,
    };
    const set = Object.entries(given).map(([name, value]) => `${name}=${value ?? ""}`);
    const shell = ["bash", "--norc", "-euo", "pipefail", "-c", script];
    expect(await runCommand("env", ["-i", `--chdir=${root}`, ...set, ...shell], runLimitMs)).not.toBe("");
  },
  2 * runLimitMs,
);
