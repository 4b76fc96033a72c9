import type { JobTable } from "./job-claims.ts";

/** What must not be claimed now: jobs that are still ours, whose lease may have expired during an outage, and those at a limit. */
export interface ClaimExclusions {
  keys: readonly string[];
  /** For each of the table's concurrency limits, the values that are at it. */
  atLimit: readonly (readonly string[])[];
}

type Limits<Job> = Pick<JobTable<Job>, "key" | "concurrencyLimits" | "limit">;

/** Jobs that are run or being recorded, at most, as a multiple of the limit of those that are run: results must not pile up while recording is slow. */
const maxUnrecordedFactor = 4;

/**
 * The jobs of this process that nobody else may claim: those that are run, held to the table's limits of all and of each value, and those
 * whose results are being recorded. The latter take no room: results wait for each other, and would hold up jobs for as long.
 */
export class InFlight<Job> {
  readonly #table: Limits<Job>;
  readonly #jobs = new Map<string, Job>();
  readonly #running = new Set<string>();
  /** Jobs that are run, by value, for each concurrency limit. */
  readonly #counts: readonly Map<string, number>[];
  #changed = Promise.withResolvers<void>();

  constructor(table: Limits<Job>) {
    this.#table = table;
    this.#counts = table.concurrencyLimits.map(() => new Map());
  }

  /** Jobs that are run. */
  get runningCount(): number {
    return this.#running.size;
  }

  get room(): number {
    const { limit } = this.#table;
    return Math.max(0, Math.min(limit - this.#running.size, maxUnrecordedFactor * limit - this.#jobs.size));
  }

  /** With those whose results are being recorded. */
  jobs(): Job[] {
    return [...this.#jobs.values()];
  }

  busy(): ClaimExclusions {
    const atLimit = this.#table.concurrencyLimits.map(({ limit }, index) =>
      [...(this.#counts[index] ?? [])].flatMap(([value, count]) => (count >= limit ? [value] : [])),
    );
    return { keys: [...this.#jobs.keys()], atLimit };
  }

  /**
   * Adds the jobs that there is room for; one value at its limit does not take the room of others. What is in flight already is passed
   * over: an insertion that takes longer than its lease may be claimed at the moment of its commit as well.
   */
  add(jobs: readonly Job[]): { added: Job[]; rejected: Job[] } {
    const added: Job[] = [];
    const rejected: Job[] = [];
    for (const job of jobs) {
      const key = this.#table.key.of(job);
      if (this.#jobs.has(key)) continue;
      if (this.#hasRoomFor(job)) {
        this.#jobs.set(key, job);
        this.#running.add(key);
        this.#count(job, 1);
        added.push(job);
      } else rejected.push(job);
    }
    return { added, rejected };
  }

  /** Gives its room to another: it was run, and its result is to be recorded. */
  ran(job: Job): void {
    if (!this.#running.delete(this.#table.key.of(job))) return;
    this.#count(job, -1);
    this.#notifyWaiters();
  }

  /** It is recorded, or will not be run. */
  remove(job: Job): void {
    this.ran(job);
    if (this.#jobs.delete(this.#table.key.of(job))) this.#notifyWaiters();
  }

  /** Waits until there is room for `count` more; after a while any room will do, or jobs that take long would hold up all others. */
  async waitForRoom(count: number, patienceMs: number): Promise<void> {
    let needed = count;
    const timer = setTimeout(() => {
      needed = 1;
      this.#notifyWaiters();
    }, patienceMs);
    while (this.room < needed) await this.#changed.promise;
    clearTimeout(timer);
  }

  /** Waits until nothing is in flight. */
  async waitUntilEmpty(): Promise<void> {
    while (this.#jobs.size > 0) await this.#changed.promise;
  }

  /** Has everybody who waits for room, or for the end, look again. */
  #notifyWaiters(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #hasRoomFor(job: Job): boolean {
    return (
      this.room > 0 &&
      this.#table.concurrencyLimits.every(({ of, limit }, index) => (this.#counts[index]?.get(of(job)) ?? 0) < limit)
    );
  }

  #count(job: Job, change: 1 | -1): void {
    for (const [index, { of }] of this.#table.concurrencyLimits.entries()) {
      const value = of(job);
      const counts = this.#counts[index];
      const count = (counts?.get(value) ?? 0) + change;
      if (count > 0) counts?.set(value, count);
      else counts?.delete(value);
    }
  }
}
