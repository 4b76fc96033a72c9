import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCommand, runCommand } from "../peers/command.ts";
import { provideDebianPackages } from "../peers/debian-package.ts";
import { groupOf, makeGroup } from "./control-groups.ts";
import { ensureDaemon, lastWords, stopDaemon } from "./daemon.ts";
import { clusterFolder, programs } from "./folders.ts";

const name = "dockerd";
const socket = `unix://${join(clusterFolder, "docker.sock")}`;
const startLimitMs = 60_000;
const buildLimitMs = 60 * 60_000;

/** Docker while images are built: what it built before it has kept. */
export class Docker {
  static async start(): Promise<Docker> {
    const answers = () => hasCommand("docker", [`--host=${socket}`, "info"]);
    await provideDebianPackages(["docker.io"], () => hasCommand("dockerd", ["--version"]));
    const command = [
      "nice",
      "dockerd",
      `--host=${socket}`,
      `--data-root=${programs("docker")}`,
      `--exec-root=${join(clusterFolder, "docker")}`,
      `--pidfile=${join(clusterFolder, "docker.pid")}`,
      `--cgroup-parent=${groupOf("docker")}`,
      // What is built uses the machine's network; nothing of that is to be changed.
      "--bridge=none",
      "--iptables=false",
      "--ip6tables=false",
    ];
    await ensureDaemon({ name, command, group: await makeGroup("docker-programs") });
    for (const until = Date.now() + startLimitMs; !(await answers()); await delay(500))
      if (Date.now() > until) throw new Error(`docker does not answer: ${await lastWords(name)}`);
    return new Docker();
  }

  run(...words: string[]): Promise<string> {
    // Debian's docker has no BuildKit.
    return runCommand("env", ["DOCKER_BUILDKIT=0", "docker", `--host=${socket}`, ...words], buildLimitMs);
  }

  /** @returns the image's id: its contents' */
  async build(image: Build): Promise<string> {
    const values = Object.entries(image.arguments).map(([key, value]) => `--build-arg=${key}=${value}`);
    const target = image.target ? [`--target=${image.target}`] : [];
    await this.run("build", "--network=host", `--tag=${image.tag}`, ...target, ...values, image.folder);
    return this.idOf(image.tag);
  }

  async idOf(tag: string): Promise<string> {
    return (await this.run("image", "inspect", "--format={{.Id}}", tag)).trim();
  }

  has(tag: string): Promise<boolean> {
    return this.idOf(tag).then(
      () => true,
      () => false,
    );
  }

  stop(): Promise<void> {
    return stopDaemon(name);
  }
}

interface Build {
  tag: string;
  folder: string;
  arguments: Record<string, string>;
  target?: string;
}
