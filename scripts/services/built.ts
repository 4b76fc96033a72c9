import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildFolder, fingerprintOf, isBuiltFrom } from "../built-folder.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");

function sources(): string {
  return fingerprintOf(
    ["services", "gateway", "proto", "scripts/image", "scripts/services", "package-lock.json"],
    (path) => /\.(test\.ts|sql|md)$/.test(path),
  );
}

/** Bundles services, gateway and their libraries into dist, unless it is what they make already. */
export async function buildServices(): Promise<void> {
  await buildFolder(dist, sources(), async (folder) => {
    // Only here: loading it takes longer than finding that there is nothing to build.
    const { bundleServices } = await import("./bundle.ts");
    await bundleServices(folder);
  });
}

let isCurrent = false;

/**
 * The same before a process is started, once in each that starts some.
 * @returns an absolute path: what runs services, or the operator's command
 */
export function builtProgram(name: "main" | "admin"): string {
  isCurrent ||= isBuiltFrom(dist, sources());
  // In a process of its own: it has a bundler's memory.
  if (!isCurrent) execFileSync(process.execPath, ["scripts/build-services.ts"], { cwd: root, stdio: "inherit" });
  isCurrent = true;
  return join(dist, `${name}.js`);
}
