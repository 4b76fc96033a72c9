import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { ServiceProcess } from "../../scripts/fleet/service-process.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { eventually } from "../support/eventually.ts";

const run = promisify(execFile);

test("the commands that a first start prints work as they stand, and it neither leaves a session nor counts as a sign-in", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern first start-"));
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${httpPort}`;
  const lines: string[] = [];
  const { PATH, HOME } = process.env;
  const postern = new ServiceProcess({
    target: "all",
    environment: { PATH, HOME, HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}`, DATA_DIR: dataDir },
    healthUrl: url,
    onLine: (line) => lines.push(line),
  });
  postern.start();
  try {
    const [make = "", send = "", see = ""] = await eventually(async () => {
      const commands = lines.filter((line) => /^(curl|printf|cat) /.test(line));
      expect(commands).toHaveLength(3);
      return commands;
    });
    const shell = async (command: string) => (await run("sh", ["-c", command])).stdout;
    const made = JSON.parse(await shell(make));
    expect(made).toMatchObject({ data: { attributes: { proxy_address: "hello@postern.localhost" } } });
    await shell(send);
    const left = await eventually(() => shell(see));
    expect(left).toContain("\nX-Envelope-To: you@example.org\r\n");
    expect(left).toContain("Is anybody there?");

    const password = /password (\S+)/.exec(lines.join("\n"))?.[1] ?? "";
    const attributes = { username: "you@example.org", password };
    const signedIn = await fetch(`${url}/api/v1/auth`, {
      method: "POST",
      body: JSON.stringify({ data: { type: "auth-request", attributes } }),
    });
    expect(await signedIn.json()).toMatchObject({ data: { attributes: { isNewAcc: true } } });
    const token = /API token +(\S+)/.exec(lines.join("\n"))?.[1] ?? "";
    const asked = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { token, "content-type": "application/json" },
      body: JSON.stringify({ query: "{ me { apiToken sessions { isCurrent } } }" }),
    });
    // The session of the sign-in above.
    expect(await asked.json()).toMatchObject({ data: { me: { apiToken: token, sessions: [{ isCurrent: false }] } } });
  } finally {
    await postern.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("where a first start fails because a port is taken, the next one tells the account", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-first-start-"));
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const lines: string[] = [];
  const { PATH, HOME } = process.env;
  const postern = new ServiceProcess({
    target: "all",
    environment: { PATH, HOME, HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}`, DATA_DIR: dataDir },
    healthUrl: `http://127.0.0.1:${httpPort}`,
    onLine: (line) => lines.push(line),
  });
  const other = createServer().listen(httpPort);
  await once(other, "listening");
  try {
    postern.start();
    await eventually(() => expect(postern.isRunning).toBe(false));
    await eventually(() => expect(lines.join("\n")).toContain("it is in use"));
    expect(lines.filter((line) => line.includes("it is in use"))).toHaveLength(1);
    other.close();
    postern.start();
    const account = await eventually(() => {
      expect(lines.join("\n")).toContain("Postern is ready.");
      return /, password (\S+)/.exec(lines.join("\n"))?.[1] ?? "";
    });
    const attributes = { username: "you@example.org", password: account };
    const signedIn = await fetch(`http://127.0.0.1:${httpPort}/api/v1/auth`, {
      method: "POST",
      body: JSON.stringify({ data: { type: "auth-request", attributes } }),
    });
    expect(signedIn.status).toBe(200);
  } finally {
    other.close();
    await postern.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a first start with a wrong variable leaves nothing: a backup can be restored there", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-first-start-"));
  const lines: string[] = [];
  const { PATH, HOME } = process.env;
  const postern = new ServiceProcess({
    target: "all",
    environment: { PATH, HOME, DATA_DIR: dataDir, SERVICE_NAME: "not good" },
    healthUrl: "",
    onLine: (line) => lines.push(line),
  });
  try {
    postern.start();
    await eventually(() => expect(postern.isRunning).toBe(false));
    await eventually(() => expect(lines.join("\n")).toContain("SERVICE_NAME"));
    expect(await readdir(dataDir)).toEqual([]);
  } finally {
    await postern.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
