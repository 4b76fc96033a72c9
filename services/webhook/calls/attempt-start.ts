/** When an attempt began. How long it takes is not asked of the system's clock, which may be set meanwhile. */
export class AttemptStart {
  readonly at = new Date();
  readonly #startedMs = performance.now();

  get durationMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }
}
