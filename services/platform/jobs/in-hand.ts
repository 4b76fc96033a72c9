import type { LeasedTable } from "./leased-rows.ts";

/** What is not to be claimed now: rows that are still worked on, should their lease have ended over an outage, and lanes that are full. */
export interface Occupied {
  keys: readonly string[];
  /** Of each lane of the table, in its order. */
  lanes: readonly (readonly string[])[];
}

/** The rows that this process works on now, and how many more it may take: in all, and in each lane. */
export class InHand<Row> {
  readonly #table: Pick<LeasedTable<Row>, "key" | "lanes" | "limit">;
  readonly #rows = new Map<string, Row>();
  /** Rows in hand by value, of each lane. */
  readonly #counts: readonly Map<string, number>[];
  #changed = Promise.withResolvers<void>();

  constructor(table: Pick<LeasedTable<Row>, "key" | "lanes" | "limit">) {
    this.#table = table;
    this.#counts = table.lanes.map(() => new Map());
  }

  get size(): number {
    return this.#rows.size;
  }

  get room(): number {
    return this.#table.limit - this.#rows.size;
  }

  rows(): Row[] {
    return [...this.#rows.values()];
  }

  occupied(): Occupied {
    const lanes = this.#table.lanes.map(({ limit }, index) =>
      [...(this.#counts[index] ?? [])].flatMap(([value, count]) => (count >= limit ? [value] : [])),
    );
    return { keys: [...this.#rows.keys()], lanes };
  }

  /** Takes what there is room for in each lane; what is too many for one must not take the room of others. */
  take(rows: readonly Row[]): { taken: Row[]; tooMany: Row[] } {
    const taken: Row[] = [];
    const tooMany: Row[] = [];
    for (const row of rows) {
      if (this.#hasRoomFor(row)) {
        this.#rows.set(this.#table.key.of(row), row);
        this.#count(row, 1);
        taken.push(row);
      } else tooMany.push(row);
    }
    return { taken, tooMany };
  }

  done(row: Row): void {
    if (!this.#rows.delete(this.#table.key.of(row))) return;
    this.#count(row, -1);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Until there is room for this many. */
  async roomFor(count: number): Promise<void> {
    while (this.room < count) await this.#changed.promise;
  }

  /** Until nothing is in hand. */
  async emptied(): Promise<void> {
    while (this.size > 0) await this.#changed.promise;
  }

  #hasRoomFor(row: Row): boolean {
    return (
      this.room > 0 &&
      this.#table.lanes.every((lane, index) => (this.#counts[index]?.get(lane.of(row)) ?? 0) < lane.limit)
    );
  }

  #count(row: Row, change: 1 | -1): void {
    for (const [index, lane] of this.#table.lanes.entries()) {
      const counts = this.#counts[index];
      const count = (counts?.get(lane.of(row)) ?? 0) + change;
      if (count > 0) counts?.set(lane.of(row), count);
      else counts?.delete(lane.of(row));
    }
  }
}
