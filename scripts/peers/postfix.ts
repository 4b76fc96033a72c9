import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "./attached-process.ts";
import { hasCommand, runCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";
import { freePorts } from "./free-ports.ts";

const startLimitMs = 120_000;

/** A Postfix on this machine, an instance of its own on loopback alone. */
export interface PostfixServer {
  readonly smtpPort: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Services that take, keep and send mail; none of them in a chroot. */
const services = [
  "pickup unix n - n 60 1 pickup",
  "cleanup unix n - n - 0 cleanup",
  "qmgr unix n - n 300 1 qmgr",
  "rewrite unix - - n - - trivial-rewrite",
  "bounce unix - - n - 0 bounce",
  "defer unix - - n - 0 bounce",
  "trace unix - - n - 0 bounce",
  "proxymap unix - - n - - proxymap",
  "smtp unix - - n - - smtp",
  "relay unix - - n - - smtp",
  "showq unix n - n - - showq",
  "error unix - - n - - error",
  "retry unix - - n - - error",
  "anvil unix - - n - 1 anvil",
  "scache unix - - n - 1 scache",
];

/** Installs it if it is absent. @throws Error saying what is missing and how to get it. */
async function providePostfix(): Promise<void> {
  await provideDebianPackages(["postfix"], () => hasCommand("postconf", ["-d", "mail_version"]));
  if (process.getuid?.() !== 0) throw new Error("an instance of Postfix can be run by root alone");
}

/**
 * Starts an instance on a port of the system's choice; it ends with this process, however that ends. It writes no log where
 * no syslog runs.
 * @param settings lines of main.cf, beside those that make it an instance of its own
 */
export async function startPostfix(settings: readonly string[]): Promise<PostfixServer> {
  await providePostfix();
  const folder = await mkdtemp(join(tmpdir(), "postern-postfix-"));
  await chmod(folder, 0o755);
  const [smtpPort = 0] = await freePorts(1);
  const config = join(folder, "config");
  const uid = Number(await runCommand("id", ["-u", "postfix"], startLimitMs));
  await mkdir(config);
  for (const name of ["queue", "data"]) await mkdir(join(folder, name));
  await chown(join(folder, "data"), uid, 0);
  await writeFile(join(config, "main.cf"), lines([...instanceSettings(folder), ...settings]));
  await writeFile(join(config, "master.cf"), lines([`127.0.0.1:${smtpPort} inet n - n - - smtpd`, ...services]));
  // Makes the folders of the queue. The master itself is started without a shell in between, so that it ends with us.
  await runCommand("postfix", ["-c", config, "check"], startLimitMs);
  const daemons = (await runCommand("postconf", ["-c", config, "-h", "daemon_directory"], startLimitMs)).trim();
  const master = [join(daemons, "master"), "-c", config, "-d"];
  const server = await AttachedProcess.start("Postfix", join(folder, "log"), master);
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.ready(() => isListening(smtpPort), startLimitMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { smtpPort, pid: server.pid, stop };
}

function instanceSettings(folder: string): string[] {
  return [
    "compatibility_level = 3.6",
    `queue_directory = ${join(folder, "queue")}`,
    `data_directory = ${join(folder, "data")}`,
    "multi_instance_name = postfix-postern",
    "multi_instance_enable = yes",
    "myhostname = postfix.example",
    "inet_interfaces = loopback-only",
    "inet_protocols = ipv4",
    "mynetworks = 127.0.0.0/8",
    "mydestination =",
    "alias_maps =",
    "smtpd_peername_lookup = no",
    "smtp_dns_support_level = disabled",
    "smtp_host_lookup = native",
    "message_size_limit = 36700160",
  ];
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
