import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { hasCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";

/** With what it speaks TLS by, which its package only recommends. */
const packages = ["swaks", "libnet-ssleay-perl"];
const isThere = async () =>
  (await hasCommand("swaks", ["--version"])) && (await hasCommand("perl", ["-MNet::SSLeay", "-e", "1"]));

/** Sees to it that swaks, an SMTP client that says what it is told to, can be run. */
export function provideSwaks(): Promise<void> {
  return provideDebianPackages(packages, isThere);
}

/** Runs it against a port of this machine. @returns its transcript of the session, and its exit code (swaks(1)). */
export async function swaks(
  port: number,
  options: readonly string[],
): Promise<{ transcript: string; exitCode: number }> {
  const always = ["--server", "127.0.0.1", "--port", String(port), "--helo", "client.example", "--timeout", "30"];
  const child = spawn("swaks", [...always, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve(code ?? -1));
  });
  const [out, complaints, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { transcript: `${out}${complaints}`, exitCode };
}
