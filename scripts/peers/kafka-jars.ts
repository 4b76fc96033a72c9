import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";
import { hasCommand, runCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";
import { onceOnly } from "./once-only.ts";

const pom = join(import.meta.dirname, "kafka.pom.xml");
const minJava = 17;
const fetchLimitMs = 8 * 60_000;
const otherwise = "or set KAFKA_BROKERS to brokers that run already";

/**
 * The class path of an Apache Kafka broker: its jars, fetched by Maven into a cache folder once per machine and version.
 * @throws Error saying what is missing and how to get it.
 */
export async function kafkaClassPath(): Promise<string> {
  await provideJava();
  const version = /<artifactId>kafka_2\.13<\/artifactId>\s*<version>([^<]+)/.exec(await readFile(pom, "utf8"))?.[1];
  if (!version) throw new Error(`${pom} names no version of Kafka`);
  const folder = cacheFolder(`kafka-${version}`);
  await onceOnly(folder, () => fetchJars(folder));
  return join(folder, "*");
}

async function provideJava(): Promise<void> {
  const hasJava = () => hasCommand("java", ["-version"]);
  // By no version: each Debian has another, 17 or later since its release 12.
  if (!(await hasJava())) await provideDebianPackages(["default-jre-headless"], hasJava);
  const found = /version "(\d+)/.exec(await runCommand("java", ["-version"], 30_000))?.[1];
  if (Number(found) < minJava)
    throw new Error(`Kafka needs Java ${minJava} or later, ${otherwise}; this is Java ${found}`);
}

async function fetchJars(folder: string): Promise<void> {
  const hasMaven = () => hasCommand("mvn", ["--version"]);
  if (!(await hasMaven())) await provideDebianPackages(["maven"], hasMaven);
  const aside = `${folder}.new`;
  await rm(aside, { recursive: true, force: true });
  const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
  const settings = [`-DoutputDirectory=${aside}`, "-DincludeScope=runtime"];
  await runCommand("mvn", ["--batch-mode", "--quiet", "--file", pom, goal, ...settings], fetchLimitMs);
  await rename(aside, folder);
}
