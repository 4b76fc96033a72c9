import type { Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { EndedCredentials } from "./credential-revocation.ts";
import { securityNotice } from "./notices.ts";

/** Tells owners by mail what was changed about how their account is signed in to, where its username is their proved address. */
export class SecurityNotices {
  readonly #settings: Pick<Settings, "PUBLIC_URL" | "SERVICE_NAME">;

  constructor(settings: Pick<Settings, "PUBLIC_URL" | "SERVICE_NAME">) {
    this.#settings = settings;
  }

  /** @param what a sentence: "Your password was changed." */
  async send(tx: Transaction, accountId: string, what: string, ended?: EndedCredentials): Promise<void> {
    const { rows } = await tx.query<{ id: string; username: string }>(
      `select id, username from account where id = $1 and is_username_verified`,
      [accountId],
    );
    const [account] = rows;
    if (!account) return;
    const { PUBLIC_URL: publicUrl, SERVICE_NAME: serviceName } = this.#settings;
    await publish(tx, securityNotice({ account, what, serviceName, publicUrl, ...(ended ? { ended } : {}) }));
  }
}
