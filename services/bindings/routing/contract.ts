import { z } from "zod";
import { ReverseRoute } from "../contacts/contract.ts";
import { NewAddress } from "../domains/contract.ts";
import { RouteRule } from "../rules/contract.ts";

/** Why mail to a binding is refused: its account is disabled, or of its real addresses none takes mail and it keeps and calls nothing. */
export const RefusalReason = z.enum(["account-disabled", "switched-off", "suspended"]);

const Target = z.object({ addressId: z.uuid(), address: z.string() });

/** A real address that mail is neither forwarded to nor held for, and why. */
const SkippedTarget = Target.extend({ reason: z.enum(["unverified", "switched-off", "suspended"]) });

export const Route = z.object({
  bindingId: z.uuid(),
  ownerId: z.uuid(),
  proxyAddress: z.string(),
  /** Enabled, verified and outside the reserved internal domains. */
  targets: z.array(Target),
  callbackUrl: z.string(),
  isBrowsable: z.boolean(),
  /** The storage of its account is full: no more of its mail is kept. */
  isStorageFull: z.boolean().default(false),
  /** Where nothing else takes the mail: enabled addresses that it is held for until they are verified. */
  unverifiedTargets: z.array(Target).default([]),
  /** The other real addresses outside the reserved internal domains. */
  skippedTargets: z.array(SkippedTarget).default([]),
  /** Its owner answers from the proxy address: see ProxyBinding. */
  answers: z.boolean().default(false),
  /** Some of its contacts are blocked. */
  hasBlockedContacts: z.boolean().default(false),
  /** What its owner says becomes of mail; the first that a message matches decides. */
  rules: z.array(RouteRule).default([]),
  /** Of an address without a binding, which is made once mail is accepted: how many more of them its domain takes now. */
  newAddress: NewAddress.extend({ remaining: z.number().int() }).nullable().default(null),
  /** Set where mail is refused: 450 4.2.1 where it is temporary, else 550 5.2.1. */
  refusal: z.object({ reason: RefusalReason, isTemporary: z.boolean() }).nullable().default(null),
});

export const Resolution = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("route"), address: z.string(), route: Route }),
  /** A reverse address: whoever writes to it may be answering a contact. */
  z.object({ outcome: z.literal("reverse"), address: z.string(), reverse: ReverseRoute }),
  /** Not on a domain of ours. */
  z.object({ outcome: z.literal("foreign"), address: z.string() }),
  /** On a domain of ours, but no binding's address: 550 5.1.1. */
  z.object({ outcome: z.literal("unknown"), address: z.string() }),
  /** A pattern of its domain takes it, and makes no more bindings for now: 452 4.2.1. */
  z.object({ outcome: z.literal("limited"), address: z.string() }),
]);
