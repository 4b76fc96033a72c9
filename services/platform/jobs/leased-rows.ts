import type { Database } from "../db/types.ts";
import type { Occupied } from "./in-hand.ts";

/** Whoever shares one of these, such as a domain, shares its room. */
export interface Lane<Row> {
  column: string;
  of(row: Row): string;
  /** Rows in hand at once in this process. */
  limit: number;
}

/**
 * Rows that each wait for something to be done outside. Their table has `state`, which is 'waiting' for as long, and `due_at`,
 * `worker_id` and `lease_until`.
 */
export interface LeasedTable<Row> {
  name: string;
  key: { column: string; of(row: Row): string };
  /** What a row is made of, as `returning` takes it. */
  columns: string;
  /** Besides being due, as a condition on a row. */
  claimable?: string;
  lanes: readonly Lane<Row>[];
  /** Rows in hand at once in this process, of all lanes. */
  limit: number;
  /** How long a row is one worker's alone. */
  leaseS: number;
}

/** Takes rows into hand, under a lease: whoever holds it acts, and nobody else until it ends. */
export class LeasedRows<Row> {
  readonly workerId: string;
  readonly #db: Database;
  readonly #table: LeasedTable<Row>;
  readonly #claim: string;

  constructor(db: Database, table: LeasedTable<Row>, workerId: string) {
    this.#db = db;
    this.#table = table;
    this.workerId = workerId;
    const { name, key, columns, lanes, claimable = "true" } = table;
    const isLaneFree = lanes.map(({ column }, index) => `and ${column}::text <> all ($${index + 5}::text[])`).join(" ");
    this.#claim = `update ${name} set worker_id = $1, lease_until = now() + $2 * interval '1 second'
       where ${key.column} = any (array(
         select ${key.column} from ${name}
         where state = 'waiting' and due_at <= now() and (lease_until is null or lease_until < now())
           and ${key.column} <> all ($4::uuid[]) and ${claimable} ${isLaneFree}
         order by due_at limit $3 for update skip locked))
       returning ${columns}`;
  }

  /** Claims what is due longest, a lease that has ended included. */
  async take(limit: number, occupied: Occupied): Promise<Row[]> {
    const { name, leaseS } = this.#table;
    const { rows } = await this.#db.query<Row & object>(
      this.#claim,
      [this.workerId, leaseS, limit, occupied.keys, ...occupied.lanes],
      { name: `claim_${name}` },
    );
    return rows;
  }

  /** Gives back what there is no room for after all; it keeps its place. */
  async giveBack(rows: readonly Row[]): Promise<void> {
    await this.#setLease("give_back", "worker_id = null, lease_until = null", rows, []);
  }

  /** Lengthens the leases of what is still in hand. */
  async renew(rows: readonly Row[]): Promise<void> {
    await this.#setLease("renew", "lease_until = now() + $3 * interval '1 second'", rows, [this.#table.leaseS]);
  }

  async #setLease(name: string, change: string, rows: readonly Row[], values: readonly unknown[]): Promise<void> {
    if (rows.length === 0) return;
    const { name: table, key } = this.#table;
    await this.#db.query(
      `update ${table} set ${change} where ${key.column} = any ($1::uuid[]) and worker_id = $2 and state = 'waiting'`,
      [rows.map((row) => key.of(row)), this.workerId, ...values],
      { name: `${name}_${table}` },
    );
  }
}
