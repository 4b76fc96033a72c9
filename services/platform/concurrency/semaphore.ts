/** Bounds how many calls run at once; the others wait, first in, first out. */
export class Semaphore {
  #permits: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Runs `task` as soon as a permit is free, and releases the permit when it settles, also by an error. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#permits > 0) this.#permits -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#permits += 1;
    }
  }
}
