/** Counts steps of work, such as tags of HTML. It does not throw: the caller checks now and then whether it is spent. */
export class StepBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  get isSpent(): boolean {
    return this.#spent >= this.#limit;
  }

  spend(): void {
    this.#spent += 1;
  }
}
