import { expect } from "@jest/globals";
import { eventually } from "../../../support/eventually.ts";
import { graphInstallation } from "./installation.ts";

/** The latest link of a kind in the mail that left for somebody. */
export async function linkFor(username: string, page: "confirm" | "reset" | "verify"): Promise<string> {
  const installation = await graphInstallation();
  const link = new RegExp(`^ *(${installation.url}/${page}/\\S+)`, "m");
  return eventually(async () => {
    const mails = (await installation.outbound()).filter(({ envelopeTo }) => envelopeTo === username);
    const links = mails.flatMap(({ message }) => link.exec(String(message))?.[1] ?? []);
    expect(links).not.toEqual([]);
    return String(links.at(-1));
  });
}

/** What stands in a link, and proves that its mail was read. */
export const tokenOf = (link: string) => link.slice(link.lastIndexOf("/") + 1);
