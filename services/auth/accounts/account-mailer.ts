import { createHash } from "node:crypto";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Language } from "../../platform/rpc/language.ts";
import { type BackgroundTask, PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { AccountLinks } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";
import { accountExistsNotice, confirmationNotice } from "./notices.ts";
import { confirmationLifetimeHours, type PendingSignUp, type PendingSignUps } from "./pending-sign-ups.ts";
import { isAddress } from "./usernames.ts";

const batchSize = 100;

/** Behind the wake-up by the process that took a request. */
const intervalMs = 10_000;

interface Dependencies {
  db: Database;
  accounts: Accounts;
  pendingSignUps: PendingSignUps;
  links: AccountLinks;
  /** Mails of one kind to one address. */
  limit: Limit;
  settings: Pick<Settings, "PUBLIC_URL" | "SERVICE_NAME">;
  logger: Logger;
}

interface ResetRequest {
  usernameKey: string;
  language: Language;
}

/**
 * Sends the mails that sign-ups and requests for a new password lead to. It looks up who has an account after whoever asked has
 * been answered: neither the answer nor its time tells, only the mail.
 */
export class AccountMailer implements BackgroundTask {
  readonly name = "auth-account-mailer";
  readonly #dependencies: Dependencies;
  readonly #task: PollingTask;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#task = new PollingTask({ name: this.name, intervalMs, logger: dependencies.logger, run: () => this.run() });
  }

  start(): void {
    this.#task.start();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  /** There is something to send. */
  wake(): void {
    this.#task.wake();
  }

  /** Remembers that somebody asked for a new password by this name, of an account or not. */
  async requestReset(usernameKey: string, language: Language): Promise<void> {
    await this.#dependencies.db.query(`insert into reset_request (id, username_key, language) values ($1, $2, $3)`, [
      newId(),
      usernameKey,
      language,
    ]);
    this.wake();
  }

  /** Sends a batch; true when there may be more. */
  async run(): Promise<boolean> {
    const { db, pendingSignUps } = this.#dependencies;
    return db.tx(async (tx) => {
      const signUps = await pendingSignUps.unmailed(tx, batchSize);
      for (const signUp of signUps) await this.#answerSignUp(tx, signUp);
      const { rows: resets } = await tx.query<ResetRequest>(
        `delete from reset_request where id in (select id from reset_request order by id limit $1) returning username_key, language`,
        [batchSize],
      );
      for (const reset of resets) await this.#answerReset(tx, reset);
      return signUps.length === batchSize || resets.length === batchSize;
    });
  }

  async #answerSignUp(tx: Transaction, signUp: PendingSignUp): Promise<void> {
    const { accounts, pendingSignUps, settings } = this.#dependencies;
    const { PUBLIC_URL, SERVICE_NAME: serviceName } = settings;
    const { id, username, usernameKey, language } = signUp;
    const holder = await accounts.findByName(tx, usernameKey, { isDisabledToo: true });
    const isTaken = holder !== undefined && (holder.isUsernameVerified || holder.isDisabled);
    const mayMail = await this.#mayMail("sign-up", usernameKey);
    if (isTaken) await pendingSignUps.discard(tx, id);
    else if (!mayMail) await pendingSignUps.leaveUnmailed(tx, id);
    if (!mayMail) return;
    if (isTaken) {
      await publish(tx, accountExistsNotice({ account: holder, serviceName, publicUrl: PUBLIC_URL, language }));
      return;
    }
    const link = `${PUBLIC_URL}/confirm/${await pendingSignUps.link(tx, id)}`;
    const lifetimeHours = confirmationLifetimeHours;
    const said = { recipient: username, link, lifetimeHours, serviceName, language };
    await publish(tx, confirmationNotice({ accountId: id, ...said }));
  }

  async #answerReset(tx: Transaction, { usernameKey, language }: ResetRequest): Promise<void> {
    const { accounts, links } = this.#dependencies;
    const account = await accounts.findByName(tx, usernameKey);
    if (!account || !isAddress(account.username) || !(await this.#mayMail("reset", usernameKey))) return;
    await links.send(tx, "reset", account, language);
  }

  /** The key is hashed: text typed as a username may be a password, and must not be stored in Redis. */
  async #mayMail(what: "sign-up" | "reset", usernameKey: string): Promise<boolean> {
    const key = createHash("sha256").update(usernameKey).digest("base64url");
    return (await this.#dependencies.limit.consume(`${what}/${key}`)).isAllowed;
  }
}
