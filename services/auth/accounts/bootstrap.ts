import type { ConfigCheck } from "../../platform/config.ts";
import type { Database } from "../../platform/db/types.ts";
import { ConfigurationError, Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { AuthConfig } from "../config.ts";
import type { Accounts } from "./accounts.ts";
import type { Passwords } from "./passwords.ts";
import { usernameKey } from "./usernames.ts";

const bootstrapVariables = ["BOOTSTRAP_USER", "BOOTSTRAP_PASSWORD"] as const;

/** One variable without the other, which is wrong whether there is such an account or not. */
export const bootstrapCheck: ConfigCheck = (config) => {
  const [missing, ...others] = bootstrapVariables.filter((name) => config[name] === undefined);
  if (missing === undefined || others.length > 0) return [];
  const given = bootstrapVariables.find((name) => name !== missing);
  return [`${missing}: is not set; expected beside ${given}, or neither`];
};

/** The account that the environment asks for. */
export function bootstrapCredentials(config: AuthConfig): { username: string; password: string } | undefined {
  const { BOOTSTRAP_USER: username, BOOTSTRAP_PASSWORD: password } = config;
  return username === undefined || password === undefined ? undefined : { username, password };
}

interface Dependencies {
  db: Database;
  accounts: Accounts;
  passwords: Passwords;
  logger: Logger;
}

/**
 * Makes the account of BOOTSTRAP_USER unless it exists. A password that was changed in the environment is taken over, and ends all
 * sessions, but only of an account that was made here: a variable does not take over somebody's own account. What its owner
 * changed stays until the variable changes again. Replicas that start at once make one account.
 */
export class Bootstrap {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws ConfigurationError when the name or password can be no account's. */
  async ensure(credentials: { username: string; password: string }): Promise<void> {
    try {
      const found = await this.#find(credentials.username);
      await (found ? this.#follow(found, credentials.password) : this.#make(credentials));
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "ValidationFailed") throw error;
      throw new ConfigurationError([`BOOTSTRAP_USER, BOOTSTRAP_PASSWORD: ${error.publicMessage}`]);
    }
  }

  async #make(credentials: { username: string; password: string }): Promise<void> {
    try {
      const account = await this.#dependencies.accounts.add({ ...credentials, isBootstrap: true });
      this.#dependencies.logger.info({ accountId: account.id }, "made the account of BOOTSTRAP_USER");
    } catch (error) {
      // Another replica was faster.
      if (!(error instanceof Refusal) || error.kind !== "Conflict") throw error;
    }
  }

  async #follow({ id, bootstrapHash }: { id: string; bootstrapHash: string | null }, password: string): Promise<void> {
    if (bootstrapHash === null) {
      this.#dependencies.logger.warn(
        { accountId: id },
        "the account of BOOTSTRAP_USER was not made from it: BOOTSTRAP_PASSWORD is ignored",
      );
      return;
    }
    if (await this.#dependencies.passwords.verify(bootstrapHash, password)) return;
    const hashed = await this.#dependencies.passwords.hash(password);
    await this.#dependencies.db.tx(async (tx) => {
      await tx.query(`update account set password_hash = $2, bootstrap_password_hash = $2 where id = $1`, [id, hashed]);
      await tx.query(`delete from session where account_id = $1`, [id]);
    });
    this.#dependencies.logger.info(
      { accountId: id },
      "BOOTSTRAP_PASSWORD changed: password updated, all sessions ended",
    );
  }

  async #find(username: string): Promise<{ id: string; bootstrapHash: string | null } | undefined> {
    const { rows } = await this.#dependencies.db.query<{ id: string; bootstrapHash: string | null }>(
      `select id, bootstrap_password_hash as bootstrap_hash from account where username_key = $1`,
      [usernameKey(username)],
    );
    return rows[0];
  }
}
