import { readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { hasCommand, runCommand } from "./command.ts";
import { onceOnly } from "./once-only.ts";

const pom = join(import.meta.dirname, "kafka.pom.xml");
const leastJava = 17;
const fetchLimitMs = 8 * 60_000;
const otherwise = "or set KAFKA_BROKERS to brokers that run already";

/**
 * The class path of an Apache Kafka broker: its jars, fetched by Maven into a cache folder once per machine and version.
 * @throws Error saying what is missing and how to get it.
 */
export async function kafkaClassPath(): Promise<string> {
  await checkJava();
  const version = /<artifactId>kafka_2\.13<\/artifactId>\s*<version>([^<]+)/.exec(await readFile(pom, "utf8"))?.[1];
  if (!version) throw new Error(`${pom} names no version of Kafka`);
  const folder = join(homedir(), ".cache", "postern", `kafka-${version}`);
  await onceOnly(folder, () => fetchJars(folder));
  return join(folder, "*");
}

async function checkJava(): Promise<void> {
  const needed = `Kafka needs Java ${leastJava} or later (Debian: apt-get install openjdk-17-jre-headless), ${otherwise}`;
  const printed = await runCommand("java", ["-version"], 30_000).catch((error: unknown) => {
    throw new Error(`${needed}; there is no java on the path`, { cause: error });
  });
  const found = /version "(\d+)/.exec(printed)?.[1];
  if (Number(found) < leastJava) throw new Error(`${needed}; this is Java ${found}`);
}

async function fetchJars(folder: string): Promise<void> {
  if (!(await hasCommand("mvn", ["--version"]))) {
    throw new Error(
      `Kafka's jars are fetched by Maven (Debian: apt-get install maven), ${otherwise}; there is no mvn on the path`,
    );
  }
  const aside = `${folder}.new`;
  await rm(aside, { recursive: true, force: true });
  const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
  const settings = [`-DoutputDirectory=${aside}`, "-DincludeScope=runtime"];
  await runCommand("mvn", ["--batch-mode", "--quiet", "--file", pom, goal, ...settings], fetchLimitMs);
  await rename(aside, folder);
}
