import { boolean, type ConfigOf, defineConfig, integer, oneOf } from "../platform/config.ts";
import {
  callbackTargetsConfig,
  dkimDelegationConfig,
  mailHostsConfig,
  nameServersConfig,
} from "../platform/net/config.ts";
import { sendingModes } from "./contacts/sending-policy.ts";

export const bindingsConfig = defineConfig({
  ...callbackTargetsConfig,
  ...nameServersConfig,
  ...mailHostsConfig,
  ...dkimDelegationConfig,
  QUOTA_BINDINGS: integer(100).describe(
    "Proxy bindings that an account may have; those made by the service do not count",
  ),
  QUOTA_CLAIMS: integer(200, { min: 1 }).describe(
    "New proxy addresses that an account may choose within 24 hours; nobody else gets them afterwards, even when they are released",
  ),
  QUOTA_DOMAINS: integer(10).describe("Domains of its own that an account may have"),
  QUOTA_CONTACTS: integer(10_000, { min: 100 }).describe(
    "Contacts that mail may make of an account, beside those that it answered or blocked, or that their owner named or asked for; beyond, those make room first that mail only named, then those that a flood of strangers made, then those not seen for longest",
  ),
  AUTOMATIC_BINDING: boolean(true).describe("Whether signing up makes a first proxy binding"),
  LIMIT_VERIFICATION_PER_ADDRESS: integer(10, { min: 1 }).describe(
    "Verification links sent to one real address within an hour, for all accounts together",
  ),
  LIMIT_VERIFICATION_PER_ACCOUNT: integer(300, { min: 1 }).describe(
    "Verification links that one account has sent within an hour",
  ),
  SENDING: oneOf(sendingModes, "answers").describe(
    "To whom accounts may write from proxy addresses: to nobody, to contacts who wrote first, or to anybody",
  ),
  SENDING_MIN_AGE_D: integer(7, { min: 0, max: 3_650 }).describe(
    "Days that an account has to exist, and be confirmed, before it may write first, where SENDING is all",
  ),
  LIMIT_SENT_PER_HOUR: integer(100, { min: 1 }).describe("Recipients that one account may write to within an hour"),
  LIMIT_SENT_PER_DAY: integer(500, { min: 1 }).describe("Recipients that one account may write to within 24 hours"),
  LIMIT_SENT_PER_CONTACT_PER_HOUR: integer(30, { min: 1 }).describe(
    "Messages that one contact may be sent within an hour",
  ),
  LIMIT_NEW_CONTACTS_PER_HOUR: integer(20, { min: 1 }).describe(
    "New contacts that one account may make by hand, and as many that it may write to for the first time, within an hour",
  ),
});

export type BindingsConfig = ConfigOf<typeof bindingsConfig>;
