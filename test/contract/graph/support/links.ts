import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { eventually } from "../../../support/eventually.ts";
import { graphInstallation } from "./installation.ts";

/** The latest link of a kind in the mail that left for somebody. */
export async function linkFor(username: string, page: "confirm" | "reset" | "verify"): Promise<string> {
  const { dataDir, url } = await graphInstallation();
  return eventually(async () => {
    const folder = join(dataDir, "outbound");
    const mails = await Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name), "utf8")));
    const links = mails
      .filter((mail) => mail.includes(username))
      .flatMap((mail) => new RegExp(`^ *(${url}/${page}/\\S+)`, "m").exec(mail)?.[1] ?? []);
    expect(links).not.toEqual([]);
    return String(links.at(-1));
  });
}

/** What stands in a link, and proves that its mail was read. */
export const tokenOf = (link: string) => link.slice(link.lastIndexOf("/") + 1);
