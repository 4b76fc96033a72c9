/** What a budget limits: the heap of a worker, or its CPU time. */
type BudgetKind = "memory" | "cpu";

/** Work on a message's content was ended because it cost too much. To try it again the same way is of no use. */
export class BudgetExceeded extends Error {
  readonly kind: BudgetKind;

  constructor(kind: BudgetKind) {
    super(`the budget of ${kind} is exceeded`);
    this.name = "BudgetExceeded";
    this.kind = kind;
  }
}
