import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";
import { hasCommand, runCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";
import { onceOnly } from "./once-only.ts";

/** From this one on, go fetches by itself the toolchain that a module asks for. */
const minMinor = 21;
const toolchain = "1.26.8";
const fetchLimitMs = 5 * 60_000;

/**
 * The path of a go that builds today's modules: the one on the path; or else Debian's, which is too old for most, but can
 * fetch a newer toolchain as the module golang.org/toolchain.
 * @throws Error saying what is missing and how to get it.
 */
export async function goCommand(): Promise<string> {
  const hasGo = () => hasCommand("go", ["version"]);
  if (!(await hasGo())) await provideDebianPackages(["golang-go"], hasGo);
  const [, minor] = /go1\.(\d+)/.exec(await runCommand("go", ["version"], 30_000)) ?? [];
  return Number(minor) >= minMinor ? "go" : fetchedGo();
}

async function fetchedGo(): Promise<string> {
  const folder = cacheFolder(`go-${toolchain}`);
  await onceOnly(folder, async () => {
    const aside = `${folder}.new`;
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { recursive: true });
    const architecture = (await runCommand("go", ["env", "GOARCH"], 30_000)).trim();
    const module = `golang.org/toolchain@v0.0.1-go${toolchain}.linux-${architecture}`;
    const modules = join(aside, "modules");
    const fetch = [`GOMODCACHE=${modules}`, "GOFLAGS=-modcacherw", "go", "mod", "download", module];
    await runCommand("env", fetch, fetchLimitMs);
    const [unpacked = ""] = (await readdir(join(modules, "golang.org"))).filter((name) =>
      name.startsWith("toolchain@"),
    );
    await cp(join(modules, "golang.org", unpacked), join(aside, "go"), { recursive: true });
    await rm(modules, { recursive: true, force: true });
    // A module's files come without the right to be run.
    await runCommand("chmod", ["-R", "u+wx", join(aside, "go", "bin"), join(aside, "go", "pkg", "tool")], 30_000);
    await rename(aside, folder);
  });
  return join(folder, "go", "bin", "go");
}
