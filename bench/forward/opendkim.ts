import { generateKeyPairSync } from "node:crypto";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "../../scripts/peers/attached-process.ts";
import { hasCommand, runCommand } from "../../scripts/peers/command.ts";
import { provideDebianPackages } from "../../scripts/peers/debian-package.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { isListening } from "../../scripts/peers/postfix.ts";

const startLimitMs = 30_000;

interface Milter {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** OpenDKIM, signing what comes from anybody with RSA-2048, as is usual. */
export async function startOpenDkim(): Promise<Milter> {
  await provideDebianPackages(["opendkim"], () => hasCommand("opendkim", ["-V"]));
  const folder = await mkdtemp(join(tmpdir(), "postern-opendkim-"));
  await chmod(folder, 0o755);
  const uid = Number(await runCommand("id", ["-u", "opendkim"], startLimitMs));
  const [port = 0] = await freePorts(1);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = join(folder, "key.pem");
  await writeFile(key, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
  await chown(key, uid, 0);
  const [keys, signing, config] = ["keys", "signing", "opendkim.conf"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(keys, `bench alias.example:bench:${key}\n`);
  await writeFile(signing, "* bench\n");
  const settings = {
    Mode: "s",
    Socket: `inet:${port}@127.0.0.1`,
    UserID: "opendkim",
    Background: "no",
    // It would have no folder of /tmp above the key.
    RequireSafeKeys: "no",
    Canonicalization: "relaxed/relaxed",
    InternalHosts: "127.0.0.0/8",
    KeyTable: `file:${keys}`,
    SigningTable: `refile:${signing}`,
  };
  const text = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  await writeFile(config, text.join(""));
  const server = await AttachedProcess.start("OpenDKIM", join(folder, "log"), ["opendkim", "-f", "-x", config]);
  await server.ready(() => isListening(port), startLimitMs);
  return {
    port,
    pid: server.pid,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
