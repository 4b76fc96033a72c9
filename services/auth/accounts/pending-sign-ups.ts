import type { Database, Queryable } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import type { Language } from "../../platform/rpc/language.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";

/** How long the link in the mail is good. */
export const confirmationLifetimeHours = 48;

/** A sign-up that waits for the proof of its address; the account will have its id. */
export interface PendingSignUp {
  id: string;
  username: string;
  usernameKey: string;
  passwordHash: string;
  invitationDigest: Buffer | null;
  /** Of its mail. */
  language: Language;
}

const columns = `id, username, username_key, password_hash, invitation_digest, language`;

/** More than one client address may add in an hour, or try a password against (LIMIT_SIGN_UP_PER_ADDRESS). */
const maxTried = 100;

/**
 * Sign-ups whose address is not proved yet. There may be several for one address, and whichever link is opened proves it for all of them:
 * the password that comes with it decides. So a stranger who has used up the mails to an address keeps nobody from signing up with it.
 */
export class PendingSignUps {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(signUp: Omit<PendingSignUp, "id">): Promise<{ id: string; expiresAt: Date }> {
    const id = newId();
    const expiresAt = new Date(Date.now() + confirmationLifetimeHours * 3_600_000);
    await this.#db.query(
      `insert into sign_up (id, username, username_key, password_hash, invitation_digest, language, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        id,
        signUp.username,
        signUp.usernameKey,
        signUp.passwordHash,
        signUp.invitationDigest,
        signUp.language,
        expiresAt,
      ],
    );
    return { id, expiresAt };
  }

  /** Its latest sign-up is mailed again, with another link. Anybody may ask: links that were mailed before stay good. */
  async askForMail(usernameKey: string, language: Language): Promise<void> {
    await this.#db.query(
      `with asked as (
         select id, token_digest from sign_up where username_key = $1 and expires_at > now() order by id desc limit 1 for update
       ), kept as (
         insert into sign_up_link (token_digest, sign_up_id) select token_digest, id from asked where token_digest is not null
       )
       update sign_up set token_digest = null, language = $2 where id = (select id from asked)`,
      [usernameKey, language],
    );
  }

  /** Those whose mail was not asked for yet, locked until the transaction ends. */
  async unmailed(tx: Queryable, limit: number): Promise<PendingSignUp[]> {
    const { rows } = await tx.query<PendingSignUp>(
      `select ${columns} from sign_up where token_digest is null order by id limit $1 for update`,
      [limit],
    );
    return rows;
  }

  /** Gives a sign-up its latest link. @returns what stands in the link */
  async link(tx: Queryable, id: string): Promise<string> {
    const token = randomToken();
    await tx.query(`update sign_up set token_digest = $2 where id = $1`, [id, tokenDigest(token)]);
    return token;
  }

  /** It is not mailed after all: it has a link that nobody knows, and waits for one that was mailed to its address. */
  async leaveUnmailed(tx: Queryable, id: string): Promise<void> {
    await this.link(tx, id);
  }

  async discard(tx: Queryable, id: string): Promise<void> {
    await tx.query(`delete from sign_up where id = $1`, [id]);
  }

  /** The sign-up that a link belongs to; undefined when it is none, was used, or has expired. */
  async find(token: string): Promise<PendingSignUp | undefined> {
    const { rows } = await this.#db.query<PendingSignUp>(
      `select ${columns} from sign_up
        where (token_digest = $1 or id = (select sign_up_id from sign_up_link where token_digest = $1)) and expires_at > now()`,
      [tokenDigest(token)],
    );
    return rows[0];
  }

  /** That one, and the latest others for its address: what a password that comes with the link may be of. */
  async findAll(token: string): Promise<PendingSignUp[]> {
    const linked = await this.find(token);
    if (!linked) return [];
    const { rows } = await this.#db.query<PendingSignUp>(
      `select ${columns} from sign_up where username_key = $1 and id <> $2 and expires_at > now() order by id desc limit $3`,
      [linked.usernameKey, linked.id, maxTried - 1],
    );
    return [linked, ...rows];
  }

  /** Uses a sign-up up, and with it all others for the same address; false when somebody else was faster. */
  async use(tx: Queryable, { id, usernameKey }: PendingSignUp): Promise<boolean> {
    const { rowCount } = await tx.query(`delete from sign_up where id = $1`, [id]);
    await tx.query(`delete from sign_up where username_key = $1`, [usernameKey]);
    return rowCount > 0;
  }

  /** Deletes those that expired unconfirmed. */
  async sweep(): Promise<void> {
    await this.#db.query(`delete from sign_up where expires_at <= now()`);
  }
}
