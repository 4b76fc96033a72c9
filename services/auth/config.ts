import { type ConfigOf, defineConfig, integer, oneOf, optionalText } from "../platform/config.ts";

export const authConfig = defineConfig({
  BEARER_LIFETIME_H: integer(720, { min: 1, max: 87_600 }).describe("How long a bearer token lives, in hours"),
  SIGNING_KEY_ROTATION_D: integer(90, { min: 1, max: 3_650 }).describe(
    "After how many days a new key signs bearer tokens; the old one verifies until the last of its tokens ends",
  ),
  LIMIT_SIGN_IN_PER_ACCOUNT: integer(10, { min: 1 }).describe(
    "Failed sign-ins in 15 minutes after which one client (a browser that signed in before, or an address) is refused for an account; a success resets the count",
  ),
  LIMIT_SIGN_IN_STRANGERS_PER_ACCOUNT: integer(50, { min: 1 }).describe(
    "Failed sign-ins to an account in an hour, by all clients that never signed in to it, after which such clients are refused; known ones and passkeys are not",
  ),
  LIMIT_SIGN_IN_PER_ADDRESS: integer(100, { min: 1 }).describe(
    "Failed sign-ins in 15 minutes after which a client address (IPv6: its /64) is refused",
  ),
  LIMIT_SIGN_IN_FLOOD_PER_MIN: integer(1_200, { min: 1 }).describe(
    "Sign-ins of any outcome that a client address may try in a minute",
  ),
  LIMIT_SECOND_FACTOR_PER_ACCOUNT: integer(10, { min: 1 }).describe(
    "Codes that may be tried in 15 minutes; a right one resets the count",
  ),
  SIGNUP: oneOf(["open", "invite", "closed"], "open").describe(
    "Who may create an account: anybody, holders of an invitation (npm run admin -- account invite), or only the operator",
  ),
  LIMIT_SIGN_UP_PER_ADDRESS: integer(60, { min: 1 }).describe(
    "Sign-ups, and confirmations of one, that one client address (IPv6: its /64) may try in an hour",
  ),
  LIMIT_PASSWORD_RESET_PER_ADDRESS: integer(60, { min: 1 }).describe(
    "Requests for a new password, and passwords chosen by its link, that one client address (IPv6: its /64) may try in an hour",
  ),
  BOOTSTRAP_USER: optionalText("an email address or a plain name")
    .meta({ unset: "no account is made" })
    .describe("The user name of an account that is created at start if it does not exist; an email address"),
  BOOTSTRAP_PASSWORD: optionalText().describe(
    "The password of BOOTSTRAP_USER. A new value changes the password of the account at the next start and ends its sessions",
  ),
});

export type AuthConfig = ConfigOf<typeof authConfig>;
