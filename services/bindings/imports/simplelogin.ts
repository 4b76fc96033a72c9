import { z } from "zod";
import { invalidField } from "../../platform/errors.ts";
import { bindingLimits } from "../contract.ts";
import { type AddressEntry, asJson } from "./entries.ts";

/** Of their lists (`GET /api/v2/aliases`): what is needed, and no more than a row may hold. */
const Page = z.object({
  aliases: z
    .array(
      z.object({
        email: z.string().max(1_000),
        note: z.string().nullish(),
        name: z.string().nullish(),
        enabled: z.boolean().nullish(),
        mailboxes: z.array(z.object({ email: z.string().max(1_000) })).nullish(),
      }),
    )
    .max(1_000),
});

/** A key goes into a header field. */
const keyPattern = /^[!-~]{1,500}$/;

/**
 * Where SimpleLogin's API is, without a slash at its end, and its key.
 * @param baseUrl one that may be called; "" for none
 * @throws Refusal ValidationFailed
 */
export function checkAccess(baseUrl: string, key: string | undefined): { baseUrl: string; key: string } {
  if (baseUrl === "") throw invalidField("baseUrl", "must be an absolute http or https URL.");
  const { origin, pathname, username, password, search, hash } = new URL(baseUrl);
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    throw invalidField("baseUrl", "must be without a user, a query and a fragment.");
  if (key === undefined || !keyPattern.test(key)) throw invalidField("key", "must be a key of that service.");
  return { baseUrl: `${origin}${pathname.replace(/\/+$/, "")}`, key };
}

export function pageUrl(baseUrl: string, page: number): string {
  return `${baseUrl}/api/v2/aliases?page_id=${page}`;
}

/** The addresses of one page; undefined for what is no such page. */
export function readPage(text: string): AddressEntry[] | undefined {
  const page = Page.safeParse(asJson(text));
  return page.data?.aliases.map(({ email, note, name, enabled, mailboxes }) => {
    const isEnabled = enabled ?? true;
    return {
      kind: "address",
      address: email,
      settings: {
        description: (note ?? "").slice(0, bindingLimits.descriptionCharacters),
        ...(name ? { displayName: name.slice(0, bindingLimits.nameCharacters) } : {}),
      },
      targets: (mailboxes ?? [])
        .slice(0, bindingLimits.realAddresses)
        .map(({ email: address }) => ({ address, isEnabled, isInternal: false })),
      isEnabled,
      sites: [],
    };
  });
}
