import { type SharedInstallation, sharedInstallation } from "../../../support/installation/shared-installation.ts";

/** Tests sign up and in from one address as often as they like; callbacks may go to servers of the tests. */
const settings = {
  TRUSTED_PROXY_HOPS: "1",
  LIMIT_SIGN_IN_PER_ADDRESS: "1000000",
  LIMIT_SIGN_IN_FLOOD_PER_MIN: "1000000",
  LIMIT_SIGN_UP_PER_ADDRESS: "1000000",
  CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  CALLBACK_RETRY_S: "3600",
};

let installation: Promise<SharedInstallation> | undefined;

/** The one installation of the graph's tests. */
export function graphInstallation(): Promise<SharedInstallation> {
  installation ??= sharedInstallation(settings);
  return installation;
}
