import { type SharedInstallation, sharedInstallation } from "../../support/installation/shared-installation.ts";

/** The one of all files that need none of their own: it may call servers of the tests, again at once if they refuse. */
export function plainInstallation(): Promise<SharedInstallation> {
  return sharedInstallation({ CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", CALLBACK_RETRY_S: "0,0,0" });
}
