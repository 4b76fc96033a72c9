import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AccountOpenedSchema } from "../../../proto/gen/postern/auth/v1/account_opened_pb.js";
import { topics } from "../../../proto/topics.ts";
import { isUniqueViolation } from "../../platform/db/errors.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type Client, clientDigests } from "../sessions/known-clients.ts";
import type { WebhookSecrets } from "../tokens/webhook-secrets.ts";
import { type Account, type AccountRow, accountColumns, accountOf, noSuchAccount } from "./account-row.ts";
import type { Passwords } from "./passwords.ts";
import { checkUsername, isAddress, usernameKey } from "./usernames.ts";

interface NewAccount {
  username: string;
  password: string;
  /** Made from BOOTSTRAP_USER, whose password the environment goes on saying. */
  isBootstrap?: boolean;
}

interface AccountToInsert {
  id: string;
  username: string;
  passwordHash: string;
  isUsernameVerified: boolean;
  isOperatorMade: boolean;
  isBootstrap?: boolean;
}

/** An account as signing in sees it. */
export interface AccountForSignIn {
  id: string;
  /** The username as it is compared. */
  key: string;
  passwordHash: string;
  isDisabled: boolean;
  /** Somebody has signed in to it before by this browser, or from this address. */
  knownBy: "device" | "address" | "nothing";
}

const signInColumns = `account.id, username_key as key, password_hash, disabled_at is not null as is_disabled,
  case when exists (select from known_client where account_id = account.id and client_digest = $2) then 'device'
       when exists (select from known_client where account_id = account.id and client_digest = $3)
         or exists (select from session where account_id = account.id and client_address = $4) then 'address'
       else 'nothing' end as known_by`;

/** Who may use the service. */
export class Accounts {
  readonly #db: Database;
  readonly #passwords: Passwords;
  readonly #webhookSecrets: WebhookSecrets;

  constructor(db: Database, passwords: Passwords, webhookSecrets: WebhookSecrets) {
    this.#db = db;
    this.#passwords = passwords;
    this.#webhookSecrets = webhookSecrets;
  }

  /**
   * Makes an account for an operator, who answers for the address that it names.
   * @throws Refusal ValidationFailed, or Conflict when the username is taken in any case.
   */
  async add({ username, password, isBootstrap = false }: NewAccount): Promise<Account> {
    checkUsername(username);
    const passwordHash = await this.#passwords.hash(password);
    const isUsernameVerified = isAddress(username);
    return this.#db.tx((tx) =>
      this.insert(tx, { id: newId(), username, passwordHash, isUsernameVerified, isOperatorMade: true, isBootstrap }),
    );
  }

  /** Makes an account with its webhook secret, and publishes account.opened. @throws Refusal Conflict when the username is taken in any case */
  async insert(tx: Transaction, { isBootstrap = false, ...account }: AccountToInsert): Promise<Account> {
    const { id, username, passwordHash, isUsernameVerified, isOperatorMade } = account;
    const inserted = tx.query<AccountRow>(
      `insert into account (id, username, username_key, password_hash, is_username_verified, is_operator_made, bootstrap_password_hash)
       values ($1, $2, $3, $4, $5, $6, $7) returning ${accountColumns}`,
      [
        id,
        username,
        usernameKey(username),
        passwordHash,
        isUsernameVerified,
        isOperatorMade,
        isBootstrap ? passwordHash : null,
      ],
    );
    const { rows } = await inserted.catch((error: unknown) => {
      throw isUniqueViolation(error, "account_username_key")
        ? new Refusal("Conflict", { public: "There is an account of this name already.", cause: error })
        : error;
    });
    await this.#webhookSecrets.make(tx, id);
    const made = accountOf(rows[0]);
    await publish(tx, openedEvent(made));
    return made;
  }

  /** @throws Refusal NotFound. */
  async get(id: string): Promise<Account> {
    const [account] = await this.find([id]);
    if (!account) throw noSuchAccount();
    return account;
  }

  /** Those of the accounts asked for that exist. */
  async find(ids: readonly string[]): Promise<Account[]> {
    const { rows } = await this.#db.query<AccountRow>(
      `select ${accountColumns} from account where id = any ($1::uuid[])`,
      [ids.filter(isId)],
      { name: "auth.accounts", gathered: true },
    );
    return rows.map(accountOf);
  }

  /** The account of this name, unless it is disabled. */
  async findByName(on: Queryable, key: string, { isDisabledToo = false } = {}): Promise<Account | undefined> {
    const { rows } = await on.query<AccountRow>(
      `select ${accountColumns} from account where username_key = $1 and (disabled_at is null or $2)`,
      [key, isDisabledToo],
    );
    return rows[0] && accountOf(rows[0]);
  }

  /** The same, locked until the transaction ends. */
  async lockByName(tx: Transaction, key: string): Promise<Account | undefined> {
    const { rows } = await tx.query<AccountRow>(
      `select ${accountColumns} from account where username_key = $1 for update`,
      [key],
    );
    return rows[0] && accountOf(rows[0]);
  }

  /**
   * The username is known to be its owner's address from here on (account.opened).
   * @returns true when it was not known before
   */
  async confirmUsername(tx: Transaction, id: string): Promise<boolean> {
    const { rows } = await tx.query<AccountRow>(
      `update account set is_username_verified = true where id = $1 and not is_username_verified returning ${accountColumns}`,
      [id],
    );
    await publish(tx, rows.map(accountOf).map(openedEvent));
    return rows.length > 0;
  }

  /** Undefined when there is no such account. */
  async passwordHash(id: string): Promise<string | undefined> {
    const { rows } = await this.#db.query<{ passwordHash: string }>(`select password_hash from account where id = $1`, [
      id,
    ]);
    return rows[0]?.passwordHash;
  }

  /** All of them, in the order they were made; or the one with a username, if there is one. */
  async list(username?: string): Promise<Account[]> {
    const { rows } = await this.#db.query<AccountRow>(
      `select ${accountColumns} from account where $1::text is null or username = $1 order by id`,
      [username ?? null],
    );
    return rows.map(accountOf);
  }

  /** What signing in needs to know of a username; undefined when there is no such account. */
  async forSignIn(key: string, client: Client): Promise<AccountForSignIn | undefined> {
    const { device, address } = clientDigests(client);
    const { rows } = await this.#db.query<AccountForSignIn>(
      `select ${signInColumns} from account where username_key = $1`,
      [key, device, address, client.clientAddress],
      { name: "auth.for_sign_in" },
    );
    return rows[0];
  }

  /** The same for who is signed in. */
  async forReauthentication(id: string, client: Client): Promise<AccountForSignIn | undefined> {
    const { device, address } = clientDigests(client);
    const { rows } = await this.#db.query<AccountForSignIn>(`select ${signInColumns} from account where id = $1`, [
      id,
      device,
      address,
      client.clientAddress,
    ]);
    return rows[0];
  }

  /** The same password at today's cost. @returns the hash in force; undefined when the password was changed meanwhile */
  async rehash(id: string, formerHash: string, password: string): Promise<string | undefined> {
    const hash = await this.#passwords.hash(password);
    const { rowCount } = await this.#db.query(
      `update account set password_hash = $3 where id = $1 and password_hash = $2`,
      [id, formerHash, hash],
    );
    if (rowCount > 0) return hash;
    // Another sign-in was faster, or a change of the password.
    const inForce = await this.passwordHash(id);
    return (await this.#passwords.verify(inForce, password)) ? inForce : undefined;
  }
}

/** Tells the others of an account, or of what is new about it. */
function openedEvent({
  id: accountId,
  username,
  isOperatorMade,
  isUsernameVerified,
  createdAt,
}: Account): OutgoingEvent {
  const openedAt = timestampFromDate(new Date(createdAt));
  return event(
    topics.accountOpened,
    create(AccountOpenedSchema, { accountId, username, isOperatorMade, isUsernameVerified, openedAt }),
  );
}
