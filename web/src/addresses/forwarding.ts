import type { BindingFragment } from "../graph/gen/operations.ts";

type Targets = BindingFragment["realAddresses"];

/** Whether mail to an address goes to anybody. */
export function isForwarding({ realAddresses }: { realAddresses: Targets }): boolean {
  return realAddresses.some(({ isEnabled }) => isEnabled);
}

/** Those that are real: one of the reserved internal domain stands for “forward to nobody”. */
export function realTargets({ realAddresses }: { realAddresses: Targets }): Targets {
  return realAddresses.filter(({ isVerified, isVerificationNeeded }) => isVerified || isVerificationNeeded);
}

/** What becomes of the mail of an address that is switched off. */
export function offStateOf({ isBrowsable, callbackUrl }: BindingFragment): "kept" | "called" | "rejected" {
  if (isBrowsable) return "kept";
  return callbackUrl === "" ? "rejected" : "called";
}
