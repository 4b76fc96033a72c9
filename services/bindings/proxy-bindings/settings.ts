import type { z } from "zod";
import type { BindingSettings } from "../contract.ts";
import { checkText } from "../validation.ts";
import type { CallbackUrls } from "./callback-url.ts";

type Settings = z.output<typeof BindingSettings>;

/** The column of each setting, and its value where a creation leaves it out. */
export const settingColumns: Readonly<Record<keyof Settings, { column: string; initial: string }>> = {
  description: { column: "description", initial: "''" },
  callbackUrl: { column: "callback_url", initial: "''" },
  isBrowsable: { column: "is_browsable", initial: "false" },
};

const maxDescriptionCharacters = 10_000;

/**
 * Checks what a request sets; what it leaves out stays undefined. A callback URL of null is none.
 * @throws Refusal ValidationFailed
 */
export function checkSettings(given: Settings, callbackUrls: CallbackUrls): Settings {
  const { description, callbackUrl, isBrowsable } = given;
  return {
    description:
      description === undefined ? undefined : checkText("description", description, maxDescriptionCharacters),
    callbackUrl: callbackUrl === undefined ? undefined : callbackUrls.check(callbackUrl),
    isBrowsable,
  };
}
