import type { authContract } from "../../auth/contract.ts";
import { dayMs } from "../../platform/durations.ts";
import type { Client } from "../../platform/rpc/contract.ts";

/** The values of SENDING. */
export const sendingModes = ["off", "answers", "all"] as const;

interface SendingPolicyOptions {
  mode: (typeof sendingModes)[number];
  /** Days that an account has to exist before it may write first. */
  minAgeDays: number;
  auth: Pick<Client<typeof authContract>, "account">;
}

interface Addressee {
  readonly ownerId: string;
  /** How the contact was made, and what came from it. */
  readonly madeBy: "mail" | "owner";
  readonly received: number;
  /** A message named it as where replies go. */
  readonly invitesReplies: boolean;
  /** The message goes to somebody else as well who wrote, or who invited replies. */
  readonly isBesideWriter: boolean;
}

/** To whom this installation lets accounts write. */
export class SendingPolicy {
  readonly #options: SendingPolicyOptions;

  constructor(options: SendingPolicyOptions) {
    this.#options = options;
  }

  /** Undefined where the contact may be written to. @throws Outage while auth has to be asked and cannot be */
  async fault(addressee: Addressee): Promise<"sending-off" | "not-written" | undefined> {
    const { mode, minAgeDays, auth } = this.#options;
    if (mode === "off") return "sending-off";
    const { ownerId, madeBy, received, invitesReplies, isBesideWriter } = addressee;
    if (received > 0 || invitesReplies) return undefined;
    // Only named by a message: its owner answers to all, and writes to nobody else who did not write.
    if (madeBy === "mail" && isBesideWriter) return undefined;
    if (mode === "answers") return "not-written";
    const { createdAt, isUsernameVerified } = await auth.account({ id: ownerId });
    const isOldEnough = Date.now() - Date.parse(createdAt) >= minAgeDays * dayMs;
    return isUsernameVerified && isOldEnough ? undefined : "not-written";
  }
}
