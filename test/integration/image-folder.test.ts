import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ServiceProcess } from "../../scripts/fleet/service-process.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { builtProgram } from "../../scripts/services/built.ts";
import { type BundledFile, contentsFile } from "../../scripts/services/bundle.ts";
import { externalPackages } from "../../scripts/services/external-packages.ts";
import { call, restClient } from "../support/http/rest-client.ts";
import { emptyDatabase } from "../support/peers/database.ts";
import { ownTopics, testKafka } from "../support/peers/kafka.ts";

// A folder with what the image has of this tree, where no other node_modules is within reach.

const root = join(import.meta.dirname, "../..");
const account = { username: "owner@example.org", password: "a test account's password" };
const licences = "THIRD-PARTY-LICENSES.txt";
const secrets = { SECRET_KEY: "a secret of 32 characters for tests only" };
const [, base = ""] = /^FROM \S+ AS base\n(.*?)^FROM /ms.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
const copied = [...base.matchAll(/^COPY (?:--from=built \/app\/)?(\S+) \1$/gm)].map(([, path = ""]) => path);

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  builtProgram("main");
  folder = await mkdtemp(join(tmpdir(), "postern-image-"));
  database = await emptyDatabase();
  for (const path of ["package.json", ...copied]) await cp(join(root, path), join(folder, path), { recursive: true });
  const modules = join(folder, "node_modules");
  // PostgreSQL goes into the image by itself; the last two are in the bundle.
  for (const name of [...externalPackages.filter((name) => !name.includes("postgres")), "pg", "@apollo/gateway"])
    await cp(join(root, "node_modules", name), join(modules, name), { recursive: true });
  await mkdir(join(modules, ".bin"));
  await writeFile(join(modules, ".package-lock.json"), "{}");
  execFileSync(process.execPath, [join(root, "scripts/image/prune.ts"), modules, join(folder, licences)]);
});
afterAll(async () => {
  await Promise.all(started.map((process) => process.stop()));
  await database?.dispose();
  if (folder) await rm(folder, { recursive: true });
});

async function start(target: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const [port = 0, internalPort = 0, smtpPort = 0] = await freePorts(3);
  const url = `http://127.0.0.1:${target === "all" ? port : internalPort}`;
  const process = new ServiceProcess({
    target,
    environment: {
      ...secrets,
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, "data"),
      HTTP_PORT: String(port),
      SMTP_PORT: String(smtpPort),
      ...(target === "all" ? {} : { INTERNAL_PORT: String(internalPort) }),
      ...environment,
    },
    healthUrl: url,
    onLine: () => undefined,
    folder: pathToFileURL(`${folder}/`),
  });
  started.push(process);
  process.start();
  await process.ready();
  return url;
}

test("the image keeps of node_modules what is not in the bundle, and has all that a process reads", async () => {
  expect(copied).toEqual(["gateway", "services", "web/dist", "docs/dist", "dist"]);
  expect(await readdir(join(folder, "node_modules"))).toEqual(["@node-rs", "kafkajs", "swagger-ui-dist"]);
  const texts = await readFile(join(folder, licences), "utf8");
  expect(texts).toMatch(/^@apollo\/gateway\n[\s\S]*Elastic License 2\.0/m);
  expect(texts).toMatch(/^pg\n[\s\S]*Permission is hereby granted/m);
  const url = await start("all", { BOOTSTRAP_USER: account.username, BOOTSTRAP_PASSWORD: account.password });
  // Passwords are hashed by @node-rs/argon2; the pages of the API are swagger-ui-dist's.
  const rest = await restClient(url, account);
  expect((await rest.send("GET", "/api/v1/proxy-bindings")).status).toBe(200);
  for (const path of ["/docs", "/docs/api", "/docs/swagger-ui-bundle.js", "/", "/servingz"])
    expect([path, (await call(`${url}${path}`, "GET")).status]).toEqual([path, 200]);
}, 120_000);

test("every file of the bundle asks for what is there alone, and so does the operator's command", async () => {
  const files = JSON.parse(await readFile(join(folder, "dist", contentsFile), "utf8")) as readonly BundledFile[];
  const here = new Set(files.map(({ fileName }) => fileName));
  const asked = new Set(files.flatMap(({ imports }) => imports.filter((name) => !here.has(name) && !isBuiltin(name))));
  expect([...asked].sort()).toEqual(["@node-rs/argon2", "kafkajs"]);
  const environment = { ...secrets, DATABASE_URL: database.url, PATH: process.env["PATH"] };
  const migrate = [join(folder, "dist/admin.js"), "migrate"];
  expect(execFileSync(process.execPath, migrate, { cwd: folder, env: environment, encoding: "utf8" })).not.toBe("");
}, 60_000);

test("so does a process of a fleet, which speaks Kafka", async () => {
  const url = await start("bindings,auth", ownTopics(await testKafka()));
  expect((await call(`${url}/readyz`, "GET")).status).toBe(200);
}, 120_000);
