import type { Endpoint } from "../http/endpoint.ts";
import { addressEndpoints } from "./addresses.ts";
import { apiKeyEndpoints } from "./api-keys.ts";
import { domainEndpoints } from "./domains.ts";
import { readEvents } from "./events.ts";
import { importEndpoints } from "./imports.ts";
import { sendMessage } from "./messages.ts";
import { nextEmail } from "./next-email.ts";
import { ruleEndpoints } from "./rules.ts";
import { webhookEndpoints } from "./webhook.ts";

/** Every endpoint under /api/postern/v1: each capability has a file here, and a line. */
export const posternEndpoints: readonly Endpoint[] = [
  ...addressEndpoints,
  ...domainEndpoints,
  ...ruleEndpoints,
  ...apiKeyEndpoints,
  nextEmail,
  sendMessage,
  readEvents,
  ...importEndpoints,
  ...webhookEndpoints,
];
