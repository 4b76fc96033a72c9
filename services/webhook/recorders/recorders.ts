import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { RecordedCall } from "../contract.ts";

const hashPattern = /^[0-9a-f]{32}$/;
/** A method is a token (RFC 9110 section 5.6.2). */
const methodPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const bodyLimitBytes = 10 * 1024 * 1024;
const keptCalls = 50;
/** What one response holds of calls at most: fifty of the largest would be too much for most clients. */
const responseLimitBytes = 32 * 1024 * 1024;

/** UTF-8; an invalid sequence becomes U+FFFD, and a byte order mark goes (WHATWG Encoding, section 6 "UTF-8 decode"). */
const utf8 = new TextDecoder();

/** Without a method: a recorder that was not called yet. */
interface CallRow {
  hash: string;
  method: string | null;
  body: Buffer;
  isTruncated: boolean;
  at: Date;
}

type RecordedCalls = z.input<typeof RecordedCall>[];

/** What an account may have. */
interface Quota {
  recorders: number;
  /** Of calls to all of them, in MB of 1,000,000 octets; more than the largest call has. */
  recordedMb: number;
}

/** The test recorders: URLs that take any call and keep it for their owner to look at. */
export class Recorders {
  readonly #db: Database;
  readonly #quota: Quota;

  constructor(db: Database, quota: Quota) {
    this.#db = db;
    this.#quota = quota;
  }

  /** Makes a recorder; its hash is all that a caller needs, and cannot be guessed. @throws Refusal QuotaExceeded */
  async create(ownerId: string): Promise<string> {
    const hash = randomBytes(16).toString("hex");
    await this.#db.tx(async (tx) => {
      // One after the other for an account, so that none is counted twice.
      await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`recorders of ${ownerId}`]);
      const { rowCount } = await tx.query(
        `insert into recorder (hash, owner_id)
         select $1, $2 where (select count(*) from recorder where owner_id = $2) < $3`,
        [hash, ownerId, this.#quota.recorders],
      );
      if (rowCount === 0)
        throw new Refusal("QuotaExceeded", {
          public: `An account may have ${this.#quota.recorders} recorders: remove one that you no longer need.`,
        });
    });
    return hash;
  }

  /** Whose recorder it is. @throws Refusal NotFound where there is none of this hash, or its account is disabled */
  async ownerOf(hash: string): Promise<string> {
    if (!hashPattern.test(hash)) throw noRecorder();
    const { rows } = await this.#db.query<{ ownerId: string }>(
      `select owner_id from recorder where hash = $1 and not ${isAccountDisabled("owner_id")}`,
      [hash],
      { name: "find_recorder" },
    );
    const [found] = rows;
    if (!found) throw noRecorder();
    return found.ownerId;
  }

  /** Removes a recorder with its calls. @throws Refusal NotFound, for somebody else's as well */
  async remove(ownerId: string, hash: string): Promise<void> {
    if (!hashPattern.test(hash)) throw noRecorder();
    const { rowCount } = await this.#db.query("delete from recorder where hash = $1 and owner_id = $2", [
      hash,
      ownerId,
    ]);
    if (rowCount === 0) throw noRecorder();
  }

  /** The owner's, newest first. */
  async list(ownerId: string): Promise<{ hash: string; createdAt: string }[]> {
    const { rows } = await this.#db.query<{ hash: string; createdAt: Date }>(
      "select hash, created_at from recorder where owner_id = $1 order by created_at desc, hash",
      [ownerId],
    );
    return rows.map((row) => ({ hash: row.hash, createdAt: row.createdAt.toISOString() }));
  }

  /**
   * Records a call, and deletes all but the last fifty, and the account's oldest ones beyond its quota.
   * @throws Refusal NotFound as `ownerOf`, BodyTooLarge over 10 MiB, ValidationFailed for a method that is none
   */
  async record(hash: string, method: string, body: Buffer): Promise<void> {
    if (body.length > bodyLimitBytes) throw new Refusal("BodyTooLarge", { public: "A recorder takes up to 10 MiB." });
    if (!methodPattern.test(method)) throw new Refusal("ValidationFailed", { public: "method: is no HTTP method." });
    if (!hashPattern.test(hash)) throw noRecorder();
    const ownerId = await this.#db.tx(async (tx) => {
      // Locked, so that calls get their numbers in the order in which they can be seen.
      const { rows } = await tx.query<{ ownerId: string }>(
        `with called as (
           select hash, owner_id from recorder where hash = $1 and not ${isAccountDisabled("owner_id")} for no key update of recorder
         ), recorded as (
           insert into recorded_call (hash, method, body) select hash, $2, $3 from called
         )
         select owner_id from called`,
        [hash, method, body],
        { name: "record_call" },
      );
      const [called] = rows;
      if (!called) throw noRecorder();
      await tx.query(
        `delete from recorded_call where hash = $1 and number <= (
           select number from recorded_call where hash = $1 order by number desc offset $2 limit 1)`,
        [hash, keptCalls],
        { name: "forget_old_calls" },
      );
      return called.ownerId;
    });
    await this.#keepWithinQuota(ownerId);
  }

  /** Not in the transaction of a call, which holds locks on calls of its own. In their order, so that two wait for each other in one way. */
  async #keepWithinQuota(ownerId: string): Promise<void> {
    await this.#db.query(
      `with counted as (
         select call.hash, call.number, sum(octet_length(call.body)) over (order by call.number desc) as with_newer_bytes
           from recorder join recorded_call as call on call.hash = recorder.hash where owner_id = $1
       ), surplus as (
         select hash, number from recorded_call
          where (hash, number) in (select hash, number from counted where with_newer_bytes > $2) order by number for update
       )
       delete from recorded_call as call using surplus where call.hash = surplus.hash and call.number = surplus.number`,
      [ownerId, this.#quota.recordedMb * 1_000_000],
      { name: "forget_calls_beyond_quota" },
    );
  }

  /** The last calls to an owner's recorder, newest first. @throws Refusal NotFound, for somebody else's as well */
  async calls(ownerId: string, hash: string, first: number): Promise<RecordedCalls> {
    const calls = (await this.callsOf(ownerId, [hash], first)).get(hash);
    if (!calls) throw noRecorder();
    return calls;
  }

  /** The same of several recorders, by hash; absent where there is none of the owner's. */
  async callsOf(ownerId: string, hashes: readonly string[], first: number): Promise<Map<string, RecordedCalls>> {
    const known = hashes.filter((hash) => hashPattern.test(hash));
    if (known.length === 0) return new Map();
    const shareBytes = Math.floor(responseLimitBytes / known.length);
    const { rows } = await this.#db.query<CallRow>(
      `select recorder.hash, call.method, substr(call.body, 1, $4::int) as body, octet_length(call.body) > $4 as is_truncated, call.at
       from recorder left join lateral (
         select number, method, body, at, sum(octet_length(body)) over (order by number desc) - octet_length(body) as newer_bytes
         from recorded_call where hash = recorder.hash order by number desc limit $3
       ) as call on newer_bytes <= $4
       where recorder.hash = any ($1) and recorder.owner_id = $2 order by call.number desc`,
      [known, ownerId, first, shareBytes],
    );
    const shown = ({ method, body, isTruncated, at }: CallRow) =>
      method === null ? [] : [{ method, body: utf8.decode(body), isTruncated, at: at.toISOString() }];
    const byHash = Map.groupBy(rows, (row) => row.hash);
    return new Map([...byHash].map(([hash, ofHash]) => [hash, ofHash.flatMap(shown)]));
  }
}

/** Missing and somebody else's look alike. */
export function noRecorder(): Refusal {
  return new Refusal("NotFound", { public: "There is no such recorder." });
}
