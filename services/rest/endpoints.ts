import type { Endpoint } from "./http/endpoint.ts";
import { proxyBindingEndpoints } from "./proxy-bindings/endpoints.ts";
import { receivedEmailEndpoints } from "./received-emails/endpoints.ts";
import { recorderEndpoints } from "./recorders/endpoints.ts";
import { tokenEndpoints } from "./tokens/endpoints.ts";
import { userEndpoints } from "./users/endpoints.ts";

/** Every endpoint under /api/v1. */
export const endpoints: readonly Endpoint[] = [
  ...tokenEndpoints,
  ...userEndpoints,
  ...proxyBindingEndpoints,
  ...receivedEmailEndpoints,
  ...recorderEndpoints,
];
