import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCommand, runCommand } from "../peers/command.ts";
import { provideDebianPackages } from "../peers/debian-package.ts";
import { groupOf, makeGroup } from "./control-groups.ts";
import { ensureDaemon, lastWords, stopDaemon } from "./daemon.ts";
import type { Place } from "./places.ts";

const name = "dockerd";
const startLimitMs = 60_000;
const buildLimitMs = 60 * 60_000;

/** A Docker of a place's own. */
export class Docker {
  readonly #place: Place;
  /** As DOCKER_HOST has it. */
  readonly host: string;

  private constructor(place: Place) {
    this.#place = place;
    this.host = `unix://${join(place.folder, "docker.sock")}`;
  }

  /**
   * @param kept the folder of its images, which stay when the place is gone: what was built is not built again
   * @param priority what begins it: "nice" where something runs that building images must not slow down
   */
  static async start(place: Place, kept: string, priority: readonly string[] = []): Promise<Docker> {
    const docker = new Docker(place);
    const answers = () => hasCommand("docker", [`--host=${docker.host}`, "info"]);
    await provideDebianPackages(["docker.io"], () => hasCommand("dockerd", ["--version"]));
    const command = [
      ...priority,
      "dockerd",
      `--host=${docker.host}`,
      `--data-root=${kept}`,
      `--exec-root=${join(place.folder, "docker")}`,
      `--pidfile=${join(place.folder, "docker.pid")}`,
      `--cgroup-parent=${groupOf(place, "docker")}`,
      // What is built uses the machine's network, and what runs has bridges of its own: nothing of the machine's is to be changed.
      "--bridge=none",
      "--iptables=false",
      "--ip6tables=false",
      "--ip-forward=false",
      "--default-address-pool=base=10.216.0.0/16,size=24",
    ];
    await ensureDaemon(place, { name, command, group: await makeGroup(place, "docker-programs") });
    for (const until = Date.now() + startLimitMs; !(await answers()); await delay(500))
      if (Date.now() > until) throw new Error(`docker does not answer: ${await lastWords(place, name)}`);
    return docker;
  }

  run(...words: string[]): Promise<string> {
    // Debian's docker has no BuildKit.
    return runCommand("env", ["DOCKER_BUILDKIT=0", "docker", `--host=${this.host}`, ...words], buildLimitMs);
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
    return stopDaemon(this.#place, name);
  }
}

interface Build {
  tag: string;
  folder: string;
  arguments: Record<string, string>;
  target?: string;
}
