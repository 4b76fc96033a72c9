/** What a budget limits: the heap of a worker, or its CPU time. */
export type BudgetKind = "memory" | "cpu";

/** Work on a message's content was ended because it cost too much. To try it again the same way is of no use. */
export class BudgetExceeded extends Error {
  readonly kind: BudgetKind;

  constructor(kind: BudgetKind) {
    super(`the budget of ${kind} is exceeded`);
    this.name = "BudgetExceeded";
    this.kind = kind;
  }
}

/** Counts steps of work, such as tags of HTML. It does not throw: the caller checks now and then whether it is spent. */
export class StepBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  get isSpent(): boolean {
    return this.#spent >= this.limit;
  }

  spend(): void {
    this.#spent += 1;
  }
}
