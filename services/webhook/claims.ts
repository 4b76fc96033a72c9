import type { Database } from "../platform/db/types.ts";
import { type Callback, callbackColumns } from "./callback.ts";

/** What must not be claimed now. */
export interface Occupied {
  /** Emails whose callback this worker still works on, should their lease have ended over an outage. */
  emailIds: readonly string[];
  /** Hosts and owners that have all the room that they may. */
  hosts: readonly string[];
  owners: readonly string[];
}

/** Takes callbacks into hand, under a lease: whoever holds it sends, and nobody else until it ends. */
export class Claims {
  readonly #db: Database;
  readonly #workerId: string;
  readonly #leaseS: number;

  constructor(db: Database, workerId: string, leaseS: number) {
    this.#db = db;
    this.#workerId = workerId;
    this.#leaseS = leaseS;
  }

  /** Claims what is due longest, a lease that has ended included. */
  async take(limit: number, occupied: Occupied): Promise<Callback[]> {
    const { rows } = await this.#db.query<Callback>(
      `update callback set worker_id = $1, lease_until = now() + $2 * interval '1 second'
       where email_id = any (array(
         select email_id from callback
         where state = 'waiting' and due_at <= now() and (lease_until is null or lease_until < now())
           and email_id <> all ($4::uuid[]) and host <> all ($5::text[]) and owner_id <> all ($6::uuid[])
         order by due_at limit $3 for update skip locked))
       returning ${callbackColumns}`,
      [this.#workerId, this.#leaseS, limit, occupied.emailIds, occupied.hosts, occupied.owners],
      { name: "claim_callbacks" },
    );
    return rows;
  }

  /** Gives back what there is no room for after all; it keeps its place. */
  async giveBack(emailIds: readonly string[]): Promise<void> {
    if (emailIds.length === 0) return;
    await this.#db.query(
      "update callback set worker_id = null, lease_until = null where email_id = any ($1::uuid[]) and worker_id = $2",
      [emailIds, this.#workerId],
      { name: "give_callbacks_back" },
    );
  }

  /** Lengthens the leases of what is still in hand. */
  async renew(emailIds: readonly string[]): Promise<void> {
    if (emailIds.length === 0) return;
    await this.#db.query(
      `update callback set lease_until = now() + $3 * interval '1 second'
       where email_id = any ($1::uuid[]) and worker_id = $2 and state = 'waiting'`,
      [emailIds, this.#workerId, this.#leaseS],
      { name: "renew_callback_leases" },
    );
  }
}
