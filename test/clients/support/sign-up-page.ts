import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { clientsFolder } from "./packages.ts";

export const signUpServer = join(clientsFolder, "examples/sign-up-page/server.mjs");

/** The example's page to sign up with, running. */
export async function startSignUpPage(smtpPort: number): Promise<{ url: string; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(1);
  const environment = { PATH: process.env["PATH"], PORT: String(port), SMTP_PORT: String(smtpPort) };
  const child: ChildProcess = spawn(process.execPath, [signUpServer], {
    env: environment,
    stdio: ["ignore", "pipe", 2],
  });
  if (!child.stdout) throw new Error("the page has no output");
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url,
    stop: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
