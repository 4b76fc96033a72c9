import { compatibilityEndpoints } from "./compatibility/endpoints.ts";
import { otherProgramEndpoints } from "./compatibility/other-programs/endpoints.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { posternEndpoints } from "./postern/endpoints.ts";
import { proxyBindingEndpoints } from "./proxy-bindings/endpoints.ts";
import { receivedEmailEndpoints } from "./received-emails/endpoints.ts";
import { recorderEndpoints } from "./recorders/endpoints.ts";
import { tokenEndpoints } from "./tokens/endpoints.ts";
import { userEndpoints } from "./users/endpoints.ts";

/** Every endpoint under /api/v1 that its contract names. Exported for tests. */
export const contractEndpoints: readonly Endpoint[] = [
  ...tokenEndpoints,
  ...userEndpoints,
  ...proxyBindingEndpoints,
  ...receivedEmailEndpoints,
  ...recorderEndpoints,
];

/** Every endpoint that REST serves. */
export const endpoints: readonly Endpoint[] = [
  ...contractEndpoints,
  ...posternEndpoints,
  ...compatibilityEndpoints,
  ...otherProgramEndpoints,
];
