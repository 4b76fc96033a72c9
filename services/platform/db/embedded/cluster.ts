import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Outage } from "../../errors.ts";
import { makeDataFolder } from "../../files.ts";
import { type Account, serverAccount } from "./account.ts";
import { serverBinaries } from "./binaries.ts";
import { includeSettings } from "./server-settings.ts";

const superuser = "postern";

/** The database that the services' schemas are in. */
export const clusterDatabase = "postern";

/** A PostgreSQL cluster on disk, and what it takes to run it. */
export interface Cluster {
  /** DATA_DIR/postgres: data, password, server.log. */
  folder: string;
  /** The data directory itself, owned by the server's user. */
  dataFolder: string;
  password: string;
  account: Account | undefined;
  binaries: string;
}

/** Opens the cluster under DATA_DIR, making it if it is not there. @throws ConfigurationError where no folder can be made */
export async function openCluster(dataDir: string): Promise<Cluster> {
  await makeDataFolder(join(dataDir, "postgres"), 0o700);
  // The real path: it is compared with what the system says of a process (see postmaster.ts).
  const folder = await realpath(join(dataDir, "postgres"));
  const dataFolder = join(folder, "data");
  const account = await serverAccount(dataFolder);
  const binaries = await serverBinaries(account);
  if (!(await isCluster(dataFolder))) await initialise({ folder, dataFolder, account, binaries });
  return { folder, dataFolder, account, binaries, password: await readPassword(dataFolder) };
}

/** What fits into a socket's address (sun_path) everywhere: 104 bytes on some systems, with the one that ends it. */
const maxSocketPathBytes = 103;

/**
 * The URL to connect by as its superuser: through the socket in its data directory, where a statement costs a quarter less CPU
 * than over TCP; over TCP where DATA_DIR is too long for a socket's address.
 */
export function serverUrl(cluster: Cluster, port: number, database = clusterDatabase): string {
  const url = new URL(`postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`);
  const socket = join(cluster.dataFolder, socketName(port));
  if (Buffer.byteLength(socket) <= maxSocketPathBytes) url.searchParams.set("host", cluster.dataFolder);
  return url.href;
}

/** Removes what servers that were killed have left of their sockets. Only for who holds the cluster: nobody else's server runs on it. */
export async function removeOldSockets({ dataFolder }: Cluster, port: number): Promise<void> {
  const isOld = (name: string) => name.startsWith(socketName("")) && !name.startsWith(socketName(port));
  const old = (await readdir(dataFolder)).filter(isOld);
  for (const name of old) await rm(join(dataFolder, name), { force: true });
}

/** As PostgreSQL names it (pqcomm.h: UNIXSOCK_PATH), and its lock file with ".lock" behind. */
function socketName(port: number | ""): string {
  return `.s.PGSQL.${port}`;
}

/**
 * A file or folder as a program of the server is to be told of it, with the descriptor to give it as number `fd`.
 * On Linux a descriptor leads there without entering the folders above, so that DATA_DIR may lie where the
 * server's user cannot go, such as under /root, and no folder of the system needs another mode.
 */
export async function programArgument(path: string, fd: number) {
  if (process.platform !== "linux") return { argument: path, stdio: "ignore" as const, close: async () => undefined };
  const handle = await open(path, "r");
  return { argument: `/proc/self/fd/${fd}`, stdio: handle.fd, close: () => handle.close() };
}

/** The environment of the server's programs: nothing of ours. */
export const serverEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** Whether there is a cluster under DATA_DIR. */
export function hasCluster(dataDir: string): Promise<boolean> {
  return isCluster(join(dataDir, "postgres", "data"));
}

async function isCluster(dataFolder: string): Promise<boolean> {
  return stat(join(dataFolder, "PG_VERSION")).then(
    () => true,
    () => false,
  );
}

// Within the data directory, so that the password exists exactly if the cluster does.
const passwordFile = "postern.password";

async function readPassword(dataFolder: string): Promise<string> {
  return (await readFile(join(dataFolder, passwordFile), "utf8")).trim();
}

type EmptyCluster = Omit<Cluster, "password">;

/** Made aside and renamed: a cluster is either whole or not there, whenever we are killed. */
async function initialise(cluster: EmptyCluster): Promise<void> {
  const { folder, dataFolder, account } = cluster;
  const aside = join(folder, `data.new.${process.pid}`);
  const password = join(folder, `password.new.${process.pid}`);
  try {
    await mkdir(aside, { mode: 0o700 });
    await writeFile(password, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    if (account) for (const path of [aside, password]) await chown(path, account.uid, account.gid);
    await runInitdb(cluster, aside, password);
    await includeSettings(aside);
    await rename(password, join(aside, passwordFile));
    await rename(aside, dataFolder);
  } catch (error) {
    // Somebody else, started at the same moment, may have been first.
    if (!(await isCluster(dataFolder))) throw error;
  } finally {
    for (const path of [aside, password]) await rm(path, { recursive: true, force: true });
  }
}

async function runInitdb({ binaries, account }: EmptyCluster, dataFolder: string, password: string): Promise<void> {
  const data = await programArgument(dataFolder, 3);
  const secret = await programArgument(password, 4);
  const options = [
    `--pgdata=${data.argument}`,
    `--username=${superuser}`,
    `--pwfile=${secret.argument}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Sorts alike on every machine, independent of its C library.
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    "--lc-messages=C",
    "--no-instructions",
  ];
  try {
    const program = spawn(join(binaries, "bin/initdb"), options, {
      ...account,
      env: serverEnvironment,
      stdio: ["ignore", "ignore", "pipe", data.stdio, secret.stdio],
    });
    const [[code], complaint] = await Promise.all([once(program, "close"), program.stderr ? text(program.stderr) : ""]);
    if (code !== 0) {
      const reason = complaint.trim().replaceAll(/\s*\n\s*/g, " ");
      throw new Outage("database", { operator: `DATA_DIR: no database can be made there: ${reason}` });
    }
  } finally {
    await data.close();
    await secret.close();
  }
}
