import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authorities, debianArchive } from "../../scripts/containers/debian.ts";
import { spawnAttached } from "../../scripts/peers/attached-process.ts";
import { runCommand } from "../../scripts/peers/command.ts";
import { exists } from "../../services/platform/files.ts";

const tree = join(import.meta.dirname, "../..");
/** Where the tree is in it. */
const inside = "/srv/postern";
const limitMs = 30 * 60_000;
/** Of what a command printed, how much its error tells. */
const keptCharacters = 6_000;
/** What its commands know of ours: nothing but how to reach registries. */
const environment = {
  HOME: "/root",
  LANG: "C.UTF-8",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
};

/**
 * A command has namespaces of its own, with which all that it started ends. Only the network is the machine's. What is mounted for it is
 * seen by it alone. unshare itself ignores SIGTERM.
 */
const enter = [
  "timeout",
  "--kill-after=1",
  `${limitMs / 1_000}`,
  "unshare",
  "--mount",
  "--pid",
  "--fork",
  "--kill-child",
];
const changeRoot = `
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/run"
exec chroot "$0" "$@"`;

interface Running {
  /** Rejects, with what it printed, once it has ended by itself. */
  ended: Promise<never>;
  stop(): Promise<void>;
}

/** A Debian in a folder, with what is committed of this tree in it. */
export class OtherDebian {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param packages what is there from the beginning */
  static async make(packages: readonly string[], say: (line: string) => void): Promise<OtherDebian> {
    if (process.getuid?.() !== 0) throw new Error("another Debian is entered by chroot, which root alone may");
    const archive = await debianArchive(say);
    const debian = new OtherDebian(await mkdtemp(join(tmpdir(), "postern-debian-")));
    try {
      await debian.#unpack(archive);
      say(`installing ${packages.join(", ")}`);
      const install = ["apt-get", "install", "--yes", "--no-install-recommends"];
      await debian.run(["sh", "-c", `apt-get update && ${install.join(" ")} ${packages.join(" ")}`]);
      await runCommand("git", ["clone", "--quiet", tree, join(debian.#folder, inside)], limitMs);
    } catch (error) {
      await debian.remove();
      throw error;
    }
    return debian;
  }

  async #unpack(archive: string): Promise<void> {
    await runCommand("tar", [`--directory=${this.#folder}`, "-xf", archive], limitMs);
    await runCommand("mkdir", ["--parents", join(this.#folder, inside)], limitMs);
    await cp("/etc/resolv.conf", join(this.#folder, "etc/resolv.conf"));
    // As on a machine where nothing has a service manager: what is installed is not started.
    await writeFile(join(this.#folder, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    const own = "/usr/local/share/ca-certificates";
    if (await exists(own)) {
      await cp(own, join(this.#folder, own), { recursive: true });
      await this.run(["update-ca-certificates"]);
    }
  }

  /** Runs a command in the tree to its end. @returns what it printed @throws Error with the end of that where its exit code is not 0 */
  async run(command: readonly string[]): Promise<string> {
    const child = this.#spawn(command, {});
    const printed = printedBy(child);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${printed()}`);
    return printed();
  }

  /** Starts a command that goes on until it is stopped. */
  start(command: readonly string[], variables: Readonly<Record<string, string>>): Running {
    const child = this.#spawn(command, variables);
    const printed = printedBy(child);
    const closed = once(child, "close");
    const ended = closed.then(() => Promise.reject(new Error(`${command.join(" ")} ended: ${printed()}`)));
    ended.catch(() => undefined);
    const stop = async () => {
      child.stdin?.end();
      await closed;
    };
    return { ended, stop };
  }

  #spawn(command: readonly string[], variables: Readonly<Record<string, string>>): ChildProcess {
    const set = Object.entries({ ...environment, NODE_EXTRA_CA_CERTS: `/${authorities}`, ...variables });
    const words = [
      "env",
      "--ignore-environment",
      `--chdir=${inside}`,
      ...set.map((pair) => pair.join("=")),
      ...command,
    ];
    return spawnAttached("chroot", [...enter, "sh", "-ec", changeRoot, this.#folder, ...words], { output: "pipe" });
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function printedBy(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      text = `${text}${chunk}`.slice(-keptCharacters);
    });
  return () => text.trim();
}
