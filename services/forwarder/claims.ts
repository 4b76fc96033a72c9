import type { Database } from "../platform/db/types.ts";
import { type Delivery, deliveryColumns } from "./delivery.ts";

/** Takes deliveries into hand, under a lease: whoever holds it sends, and nobody else until it ends. */
export class Claims {
  readonly #db: Database;
  readonly #workerId: string;
  readonly #leaseS: number;

  constructor(db: Database, workerId: string, leaseS: number) {
    this.#db = db;
    this.#workerId = workerId;
    this.#leaseS = leaseS;
  }

  /**
   * Claims what is due longest, a lease that has ended included.
   * @param inHand ids that this worker still works on, should their lease have ended over an outage
   * @param fullDomains domains that have all the deliveries at once that they may
   */
  async take(limit: number, inHand: readonly string[], fullDomains: readonly string[]): Promise<Delivery[]> {
    const { rows } = await this.#db.query<Delivery>(
      `update delivery set worker_id = $1, lease_until = now() + $2 * interval '1 second'
       where id = any (array(
         select id from delivery
         where state = 'waiting' and due_at <= now() and (lease_until is null or lease_until < now())
           and id <> all ($4::uuid[]) and domain <> all ($5::text[])
         order by due_at limit $3 for update skip locked))
       returning ${deliveryColumns}`,
      [this.#workerId, this.#leaseS, limit, inHand, fullDomains],
      { name: "claim_deliveries" },
    );
    return rows;
  }

  /** Gives back what there is no room for after all; it keeps its place. */
  async giveBack(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.query(
      "update delivery set worker_id = null, lease_until = null where id = any ($1::uuid[]) and worker_id = $2 and state = 'waiting'",
      [ids, this.#workerId],
      { name: "give_deliveries_back" },
    );
  }

  /** Lengthens the leases of what is still in hand. */
  async renew(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.query(
      `update delivery set lease_until = now() + $3 * interval '1 second'
       where id = any ($1::uuid[]) and worker_id = $2 and state = 'waiting'`,
      [ids, this.#workerId, this.#leaseS],
      { name: "renew_leases" },
    );
  }
}
