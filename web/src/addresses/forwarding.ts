import type { BindingFragment } from "../graph/gen/operations.ts";

type Targets = BindingFragment["realAddresses"];

/** Whether mail to an address goes to anybody. */
export function isForwarding({ realAddresses }: { realAddresses: Targets }): boolean {
  return realAddresses.some(({ isEnabled }) => isEnabled);
}

/** The change that switches all of an address's forwards. */
export function switched({ realAddresses }: { realAddresses: Targets }, isEnabled: boolean) {
  return { realAddresses: realAddresses.map(({ address }) => ({ address, isEnabled })) };
}

/** Those that are real: one of the reserved internal domain stands for “forward to nobody”. */
export function realTargets({ realAddresses }: { realAddresses: Targets }): Targets {
  return realAddresses.filter(({ isVerified, isVerificationNeeded }) => isVerified || isVerificationNeeded);
}
