import type { Transaction } from "../../platform/db/types.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ApiTokens } from "../tokens/api-tokens.ts";
import type { WebhookSecrets } from "../tokens/webhook-secrets.ts";

/** What was ended of an account, for the mail that tells its owner. */
export interface EndedCredentials {
  sessions: number;
  hadApiToken: boolean;
  apiKeys: number;
  isWebhookSecretRotated: boolean;
  passkeys: number;
  hadSecondFactor: boolean;
}

interface Dependencies {
  sessions: Sessions;
  apiKeys: ApiKeys;
  apiTokens: ApiTokens;
  webhookSecrets: WebhookSecrets;
}

/** Revokes an account's credentials, which another person may hold. */
export class CredentialRevocation {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Ends all sessions but one, and the links that were sent to choose a new password. */
  async endSessions(tx: Transaction, accountId: string, keptSession?: string): Promise<EndedCredentials> {
    await tx.query(`delete from account_link where account_id = $1 and purpose = 'reset'`, [accountId]);
    // An earlier session may be another person's.
    if (keptSession === undefined) await tx.query(`delete from known_client where account_id = $1`, [accountId]);
    const sessions = await this.#dependencies.sessions.revokeOthers(accountId, keptSession, tx);
    return {
      sessions,
      hadApiToken: false,
      apiKeys: 0,
      isWebhookSecretRotated: false,
      passkeys: 0,
      hadSecondFactor: false,
    };
  }

  /** That, the API token and the API keys; the webhook secret gives way to a new one, which it signs beside for a day. Passkeys and factors stay. */
  async endKeys(tx: Transaction, accountId: string, keptSession?: string): Promise<EndedCredentials> {
    const ended = await this.endSessions(tx, accountId, keptSession);
    const hadApiToken = await this.#dependencies.apiTokens.revoke(tx, accountId);
    const apiKeys = await this.#dependencies.apiKeys.revokeAll(tx, accountId);
    await this.#dependencies.webhookSecrets.replace(tx, accountId);
    return { ...ended, hadApiToken, apiKeys, isWebhookSecretRotated: true };
  }

  /** All that was set before it was known whose the account is: passkeys and second factor too, and the webhook secret at once. */
  async endAll(tx: Transaction, accountId: string): Promise<EndedCredentials> {
    const ended = await this.endKeys(tx, accountId);
    await this.#dependencies.webhookSecrets.forgetFormerOf(accountId, tx);
    const passkeys = await this.endPasskeys(tx, accountId);
    const hadSecondFactor = await this.endSecondFactor(tx, accountId);
    await tx.query(`delete from account_link where account_id = $1`, [accountId]);
    return { ...ended, passkeys, hadSecondFactor };
  }

  /** @returns how many there were */
  async endPasskeys(tx: Transaction, accountId: string): Promise<number> {
    await tx.query(`delete from passkey_challenge where account_id = $1`, [accountId]);
    return (await tx.query(`delete from passkey where account_id = $1`, [accountId])).rowCount;
  }

  /** The recovery codes go with it. @returns whether one was in force */
  async endSecondFactor(tx: Transaction, accountId: string): Promise<boolean> {
    const { rows } = await tx.query<{ isConfirmed: boolean }>(
      `delete from second_factor where account_id = $1 returning confirmed_at is not null as is_confirmed`,
      [accountId],
    );
    return rows.some(({ isConfirmed }) => isConfirmed);
  }
}
