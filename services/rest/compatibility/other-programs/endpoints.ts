import type { Endpoint } from "../../http/endpoint.ts";
import { contactEndpoints } from "./contacts.ts";
import { domainEndpoints } from "./domains.ts";
import { realAddressEndpoints } from "./real-addresses.ts";
import { replaceRealEmail } from "./replace-real-address.ts";
import { lookUpReverseAddress } from "./reverse-lookup.ts";
import { secondFactorEndpoints } from "./second-factor.ts";
import { settingEndpoints } from "./settings.ts";
import { signUpEndpoints } from "./sign-up.ts";
import { websiteEndpoints } from "./websites.ts";

/** What the browser extension, the dashboard and the other programs of the contract's first service call beside its endpoints. */
export const otherProgramEndpoints: readonly Endpoint[] = [
  ...signUpEndpoints,
  replaceRealEmail,
  ...secondFactorEndpoints,
  ...contactEndpoints,
  ...domainEndpoints,
  ...realAddressEndpoints,
  ...settingEndpoints,
  ...websiteEndpoints,
  lookUpReverseAddress,
];
