import type { z } from "zod";
import type { CallbackUrls } from "../../platform/net/callback-urls.ts";
import { type BindingSettings, bindingLimits } from "../contract.ts";
import { checkName, checkText } from "../validation.ts";

type Settings = z.output<typeof BindingSettings>;

/** The type of each setting's column, and its value where a creation leaves it out. */
export const settingColumns = {
  description: { type: "text", initial: "''" },
  callbackUrl: { type: "text", initial: "''" },
  isBrowsable: { type: "boolean", initial: "false" },
  answers: { type: "boolean", initial: "false" },
  displayName: { type: "text", initial: "''" },
  answersStrangers: { type: "boolean", initial: "false" },
  sendsEncrypted: { type: "boolean", initial: "false" },
} as const satisfies Readonly<Record<keyof Settings, { type: "text" | "boolean"; initial: string }>>;

/**
 * Checks what a request sets; what it leaves out stays undefined. A callback URL of null is none.
 * @throws Refusal ValidationFailed
 */
export function checkSettings(given: Settings, callbackUrls: CallbackUrls): Settings {
  const { description, callbackUrl, displayName } = given;
  return {
    ...settingsAlone(given),
    displayName: displayName === undefined ? undefined : checkName("displayName", displayName),
    description:
      description === undefined
        ? undefined
        : checkText("description", description, bindingLimits.descriptionCharacters),
    callbackUrl: callbackUrl === undefined ? undefined : callbackUrls.check(callbackUrl),
  };
}

/** Of a request, which has more. */
function settingsAlone(given: Settings): Settings {
  const names = Object.keys(settingColumns) as (keyof Settings)[];
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}
