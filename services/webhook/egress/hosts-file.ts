import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

const path = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** Addresses that this machine itself gives a name: `localhost` (RFC 6761 section 6.3), and what its hosts file lists. */
export async function addressesInHostsFile(name: string): Promise<string[]> {
  if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  const content = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return addressesOfHost(content, name);
}

/** The addresses of a name in the text of a hosts file (hosts(5)). Exported for tests. */
export function addressesOfHost(content: string, name: string): string[] {
  return content
    .split("\n")
    .map((line) => (line.split("#")[0] ?? "").trim().split(/\s+/))
    .filter(([address = "", ...names]) => isIP(address) && names.some((given) => given.toLowerCase() === name))
    .flatMap(([address = ""]) => address);
}
