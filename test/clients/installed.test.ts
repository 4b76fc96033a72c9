import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { runCommand } from "../../scripts/peers/command.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { chromiumPath, launchBrowser } from "../web/support/browser.ts";
import { keyWith } from "./support/owner.ts";
import { clientsFolder, installedFromNpm, installedFromPip, installLimitMs } from "./support/packages.ts";
import { signUpServer, startSignUpPage } from "./support/sign-up-page.ts";

const runLimitMs = 170_000;

let installation: Installation;
let key: string;
let npmFolder: string;
let pipFolder: string;
beforeAll(async () => {
  installation = await startInstallation({ mode: "single" });
  key = await keyWith(installation, ["alias:create", "alias:read", "alias:write", "mail:read"]);
  [npmFolder, pipFolder] = await Promise.all([installedFromNpm(), installedFromPip()]);
}, 2 * installLimitMs);
afterAll(async () => {
  await installation?.dispose();
  for (const folder of [npmFolder, pipFolder]) if (folder) await rm(folder, { recursive: true, force: true });
});

const environment = (more = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  POSTERN_URL: installation.url,
  POSTERN_KEY: key,
  ...more,
});

/** Runs with an environment of its own, in an installed package's folder. @throws with what it printed */
async function run(command: string, args: string[], cwd: string, more = {}): Promise<string> {
  const set = Object.entries(environment(more)).map(([name, value]) => `${name}=${value}`);
  return runCommand("env", ["-i", `--chdir=${cwd}`, ...set, command, ...args], runLimitMs);
}

describe("the package for npm", () => {
  test("is types and modules without a dependency", async () => {
    const folder = join(npmFolder, "node_modules/@postern/client");
    const described = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
    expect(described["dependencies"]).toBeUndefined();
    expect(await readFile(join(folder, "dist/index.d.ts"), "utf8")).toContain("Postern");
    expect(await readFile(join(folder, "README.md"), "utf8")).toContain("npm install");
  });

  test("its example signs up in Chromium, waits for the mail and opens its link; its types fit Playwright's", async () => {
    await cp(join(clientsFolder, "examples/playwright"), npmFolder, {
      recursive: true,
      filter: (path) => !path.endsWith("package.json"),
    });
    const [port] = await freePorts(1);
    const shown = await run(join(npmFolder, "node_modules/.bin/playwright"), ["test", "--workers=1"], npmFolder, {
      CHROMIUM: await chromiumPath(),
      PORT: port,
      SMTP_PORT: installation.smtpPort,
      SIGN_UP_PAGE: signUpServer,
      CI: "true",
    });
    expect(shown).toContain("2 passed");
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--skipLibCheck",
      "sign-up.spec.ts",
    ];
    await run(join(clientsFolder, "../node_modules/.bin/tsc"), options, npmFolder);
  });

  test("in a browser it makes an address and reads its mail", async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.route(`${installation.url}/client/**`, async (route) => {
        const file = new URL(route.request().url()).pathname.slice("/client/".length);
        const isPage = file === "page";
        const path = join(npmFolder, "node_modules/@postern/client/dist", file);
        const body = isPage ? "<!doctype html><title>x</title>" : await readFile(path, "utf8");
        await route.fulfill({ body, contentType: isPage ? "text/html" : "text/javascript" });
      });
      await page.goto(`${installation.url}/client/page`);
      const call = `import("/client/index.js").then(async ({ Postern }) => {
        const postern = new Postern({ url: location.origin, key: ${JSON.stringify(key)} });
        globalThis.inbox = postern.inbox(await postern.addresses.create());
        return globalThis.inbox.address;
      })`;
      const address = (await page.evaluate(call)) as string;
      await sendMail(installation.smtpPort, { to: address, subject: "In a browser", text: "Hello." });
      expect(await page.evaluate("globalThis.inbox.next().then(({ subject }) => subject)")).toBe("In a browser");
    } finally {
      await browser.close();
    }
  });

  test("its tasks and commands for Cypress give the address of an inbox, and its mail", async () => {
    const program = `
      import { posternTasks } from "@postern/client/cypress";
      const tasks = {};
      posternTasks((name, given) => Object.assign(tasks, name === "task" ? given : { ended: given }), { env: {} });
      const commands = {};
      globalThis.Cypress = { Commands: { add: (name, command) => Object.assign(commands, { [name]: command }) } };
      globalThis.cy = { task: (name, argument) => tasks[name](JSON.parse(JSON.stringify(argument))) };
      await import("@postern/client/cypress/commands");
      const address = await commands.posternInbox();
      await fetch(process.env.SIGN_UP_URL + "/sign-up", { method: "POST", body: new URLSearchParams({ email: address }) });
      const { subject } = await commands.posternEmail({ address, subject: "confirm" });
      await tasks.ended();
      console.log(subject);`;
    const page = await startSignUpPage(installation.smtpPort);
    try {
      const shown = await run(process.execPath, ["--input-type=module", "--eval", program], npmFolder, {
        SIGN_UP_URL: page.url,
      });
      expect(shown.trim()).toBe("Confirm your address");
    } finally {
      await page.stop();
    }
  });
});

describe("the command line", () => {
  /** Its output and exit code. */
  async function postern(
    args: string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; out: string; err: string }> {
    const options = { env: environment(more), timeout: runLimitMs };
    const ended = promisify(execFile)(join(npmFolder, "node_modules/.bin/postern"), args, options);
    return ended.then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        out: stdout,
        err: stderr,
      }),
    );
  }

  test("makes, lists and removes addresses, and waits for mail", async () => {
    const { out, code } = await postern(["address", "new", "--description", "a shop\u001b[31m"]);
    const address = out.trim();
    expect([code, address]).toEqual([0, expect.stringMatching(/^[a-z-]+@postern\.localhost$/)]);
    const listed = (await postern(["address", "list", "--search", address])).out;
    expect(listed).toMatch(new RegExp(`^[0-9a-f-]{36}\t${address}\ta shop \\[31m\n$`));
    const text = "Your code is 482913. Or open https://shop.example/confirm?t=1 now.";
    for (const subject of ["One", "Two", "Three", "Four"])
      await sendMail(installation.smtpPort, { to: address, subject, text });
    expect(JSON.parse((await postern(["wait", address, "--subject", "One", "--json"])).out)).toMatchObject({
      subject: "One",
      codes: ["482913"],
    });
    expect((await postern(["wait", address, "--code"])).out).toBe("482913\n");
    expect((await postern(["wait", address, "--link"])).out).toBe("https://shop.example/confirm?t=1\n");
    expect((await postern(["wait", address])).out).toMatch(/Subject: Four\nCode: 482913\nLink: .*\n\nYour code/);
    expect(await postern(["wait", address, "--timeout", "0"])).toMatchObject({ code: 3, out: "" });
    expect((await postern(["address", "remove", address])).code).toBe(0);
    expect(await postern(["address", "remove", address])).toMatchObject({
      code: 1,
      err: expect.stringContaining(address),
    });
  });

  test("says by its exit code what went wrong", async () => {
    const codes = async (args: string[], more = {}) => (await postern(args, more)).code;
    expect(await codes(["--help"])).toBe(0);
    expect(await codes([])).toBe(2);
    expect(await codes(["address"])).toBe(2);
    expect(await codes(["wait", "x@postern.localhost", "--code", "--link"])).toBe(2);
    expect(await codes(["wait", "x@postern.localhost"], { POSTERN_KEY: "" })).toBe(2);
    expect(await codes(["wait", "x@postern.localhost"], { POSTERN_KEY: "psk_wrong" })).toBe(4);
    expect(await codes(["wait", "x@postern.localhost"])).toBe(1);
    expect(await codes(["address", "list"], { POSTERN_URL: "http://127.0.0.1:1" })).toBe(5);
  });
});

describe("the package for pip", () => {
  const python = () => join(pipFolder, "bin/python");

  test("its own tests pass", async () => {
    const tests = await mkdtemp(join(tmpdir(), "postern-pytest-"));
    await cp(join(clientsFolder, "python/tests"), tests, { recursive: true });
    const more = {
      SMTP_PORT: installation.smtpPort,
      POSTERN_USER: installation.account.username,
      POSTERN_PASSWORD: installation.account.password,
    };
    expect(await run(python(), ["-m", "pytest", "-q", "-p", "no:cacheprovider", tests], pipFolder, more)).toMatch(
      /\d+ passed/,
    );
    await rm(tests, { recursive: true });
  });

  test("its example signs up, waits for the mail and opens its link", async () => {
    const page = await startSignUpPage(installation.smtpPort);
    const example = join(clientsFolder, "examples/pytest");
    try {
      const shown = await run(python(), ["-m", "pytest", "-q", "-p", "no:cacheprovider", example], pipFolder, {
        SIGN_UP_URL: page.url,
      });
      expect(shown).toContain("2 passed");
    } finally {
      await page.stop();
    }
  });
});
